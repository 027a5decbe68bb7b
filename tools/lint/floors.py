"""Which room may include what. Rooms stand on floors; a room sees only lower floors, less what is forbidden to it.
Public headers see the standard library and each other; kernels and benchmarks see public headers alone."""

import re

from sources import CXX, files, finish, lines

# Folder below lib/ -> floor. The longest matching folder wins. A folder not listed is an error.
FLOORS = {
    "Support": 0,
    "IRSupport": 1,
    "Arch": 1,
    "Layout": 1,
    "Dialect/Tile/IR": 2,
    "Dialect/Layout/IR": 3,
    "Frontend": 3,
    "Analysis": 4,
    "Dialect/Tile/Transforms": 5,
    "Dialect/Layout/Transforms": 5,
    "Conversion/Common": 5,
    "Conversion/TileToHost": 5,
    "Conversion/HostToLLVM": 5,
    "Conversion/TileToLayout": 5,
    "Conversion/LayoutToLLVM": 5,
    "Conversion/LayoutToNVVM": 5,
    "Conversion/LayoutToROCDL": 5,
    "Target": 6,
    "Target/Gpu": 6,
    "Target/NVIDIA": 7,
    "Target/AMD": 7,
    "Target/CPU": 7,
    "Target/Interp": 7,
    "Target/Sim": 7,
    "Pipeline": 7,
    "Runtime": 2,
    "Runtime/CUDA": 3,
    "Runtime/HIP": 3,
    "Runtime/CPU": 3,
    "Driver": 8,
}

# Neighbours on one floor that may be used all the same.
NEIGHBOURS = {
    ("Conversion/TileToHost", "Conversion/Common"),
    ("Conversion/HostToLLVM", "Conversion/Common"),
    ("Conversion/TileToLayout", "Conversion/Common"),
    ("Conversion/LayoutToLLVM", "Conversion/Common"),
    ("Conversion/LayoutToNVVM", "Conversion/LayoutToLLVM"),
    ("Conversion/LayoutToROCDL", "Conversion/LayoutToLLVM"),
    ("Target/Gpu", "Target"),
    ("Target/Sim", "Target/Interp"),
    ("Conversion/LayoutToNVVM", "Conversion/Common"),
    ("Conversion/LayoutToROCDL", "Conversion/Common"),
}

# Rooms that must not be used, although they stand lower.
FORBIDDEN = {
    "IRSupport": ("Runtime",),
    "Analysis": ("Frontend",),
    "Dialect": ("Frontend",),
    "Conversion": ("Frontend",),
    "Target": ("Frontend",),
    "Pipeline": ("Frontend", "Target/NVIDIA", "Target/AMD", "Target/CPU", "Target/Interp", "Target/Sim"),
    "Runtime": ("Frontend", "IRSupport", "Layout", "Dialect"),
}

# Rooms that live without LLVM and MLIR.
WITHOUT_MLIR = ("Support", "Arch", "Layout", "Runtime")

# Public folders that only some rooms may see: the language belongs to its tracer, the runtime to what runs.
PUBLIC = {
    "lang": ("Frontend", "Driver"),
    "runtime": ("Runtime", "Target", "Pipeline", "Driver"),
}

INCLUDE = re.compile(r'\s*#\s*include\s+([<"])([^>"]+)[>"]')
STANDARD_HEADER = re.compile(r"[a-z_]+(\.h)?$")  # <vector>, <stdint.h>: nothing in a folder


def within(room, folders):
    return any(room == folder or room.startswith(folder + "/") for folder in folders)


def room_of(path):
    """The room of a path below lib/ or include/tessera-ir/, or None."""
    folder = path.rsplit("/", 1)[0] if "/" in path else ""
    while folder and folder not in FLOORS:
        folder = folder.rpartition("/")[0]
    return folder or None


def check_room(room, name):
    """Why a file of the room may not include the name, or None."""
    if name.startswith(("mlir/", "llvm/", "lld/", "llvm-c/", "mlir-c/")):
        return "this room lives without LLVM" if within(room, WITHOUT_MLIR) else None
    if name.startswith("tessera/"):
        folder = name.split("/")[1]
        allowed = PUBLIC.get(folder)
        return f"tessera/{folder} is not for this room" if allowed and not within(room, allowed) else None
    target = room_of(name.removeprefix("tessera-ir/"))
    if target is None or target == room:
        return None
    forbidden = [rule for folder, rules in FORBIDDEN.items() if within(room, [folder]) for rule in rules]
    if within(target, forbidden):
        return f"{room} must not use {target}"
    if FLOORS[target] < FLOORS[room] or (room, target) in NEIGHBOURS:
        return None
    return f"{room} (floor {FLOORS[room]}) may not use {target} (floor {FLOORS[target]})"


def check_public(quote, name):
    if quote == "<" and STANDARD_HEADER.match(name):
        return None
    if quote == '"' and name.startswith("tessera/"):
        return None
    return "public headers see the standard library and tessera/ only"


def check_user(name):
    hidden = name.startswith(("tessera-ir/", "mlir/", "llvm/", "lld/")) or room_of(name)
    return "kernels and benchmarks see public headers only" if hidden else None


def problems_in(path):
    room = None
    if path.startswith(("lib/", "include/tessera-ir/")):
        room = room_of(path.removeprefix("lib/").removeprefix("include/tessera-ir/"))
        if room is None:
            yield f"{path}: this folder is no room; give it a floor in tools/lint/floors.py"
            return
    for number, line in enumerate(lines(path), 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        quote, name = found.groups()
        if room:
            problem = check_room(room, name)
        elif path.startswith("include/tessera/"):
            problem = check_public(quote, name)
        elif path.startswith(("kernels/", "bench/")):
            problem = check_user(name)
        else:
            problem = None  # tools and tests see everything
        if problem:
            yield f"{path}:{number}: includes {name}: {problem}"


finish([problem for path in files(suffixes=CXX) for problem in problems_in(path)])

"""The files that the lints read: everything of ours below the fixed top-level folders."""

import os

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
FOLDERS = ("include", "lib", "tools", "kernels", "test", "bench")
CXX = (".h", ".cpp")


def files(folders=FOLDERS, suffixes=None):
    """Yields paths relative to the root, in a fixed order."""
    for folder in folders:
        for where, subfolders, names in os.walk(os.path.join(ROOT, folder)):
            subfolders[:] = sorted(name for name in subfolders if name != "__pycache__")
            for name in sorted(names):
                if suffixes is None or name.endswith(tuple(suffixes)):
                    yield os.path.relpath(os.path.join(where, name), ROOT)


def lines(path):
    """The lines of a file; none for a file that is not text."""
    with open(os.path.join(ROOT, path), "rb") as file:
        content = file.read()
    if b"\0" in content:
        return []
    return content.decode("utf-8", errors="replace").splitlines()


def finish(problems):
    """Prints what was found and ends the program."""
    for problem in problems:
        print(problem)
    raise SystemExit(1 if problems else 0)

"""commands.py <tessera-tune> <tune-process>: what the tool prints and writes."""

import os
import re
import subprocess
import sys
import tempfile
import xml.dom.minidom

TOOL, PROGRAM = sys.argv[1:]
folder = tempfile.TemporaryDirectory()
cache = os.path.join(folder.name, "cache")
environment = {**os.environ, "TESSERA_CACHE": "rw", "TESSERA_CACHE_DIR": cache}
records = os.path.join(cache, "tuning.txt")


def run(*words, status=0):
    done = subprocess.run(list(map(str, words)), env=environment, text=True, capture_output=True)
    if done.returncode != status:
        raise SystemExit(f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def expect(pattern, text):
    if not re.search(pattern, text):
        raise SystemExit(f"no match for {pattern!r} in:\n{text}")


def path(name):
    return os.path.join(folder.name, name)


run(PROGRAM, 3000, 1)
run(PROGRAM, "--factor", 3, 3000, 1)
shown = run(TOOL, "show")
expect(r"double \(f32\*, f32\*, i64\), key: n=1000, on .*\(cpu\)\n  tessera [\d.]+, .*; batch [0-9a-f]{16}, \d{4}-", shown)
expect(r"\n     \{rounds=3000, block=64\} num_warps=4,.*: [\d.]+ ms, 95 % in \[[\d.]+, [\d.]+\], \d+ samples\n", shown)
expect(r"\n  -> \{rounds=1, block=64\} ", shown)
expect(r"^$", run(TOOL, "show", "--kernel", "other"))

# Merging: all there, and once.
run(TOOL, "merge", "-o", path("merged.txt"), records, records)
expect(r"4 records in ", run(TOOL, "merge", "-o", path("merged.txt"), records, path("merged.txt")))
if open(path("merged.txt")).read() != open(records).read():
    raise SystemExit("merging changed records")

# Pruning: damaged lines, and what was replaced.
environment["TESSERA_TUNE"] = "again"
run(PROGRAM, 3000, 1)
with open(records, "a") as file:
    file.write("rubbish\n")
expect(r"1 damaged line in .* is skipped", run(TOOL, "show"))
expect(r"2 of 6 records stay, 1 damaged line is gone", run(TOOL, "prune"))
expect(r"0 of 2 records stay", run(TOOL, "prune", "--kernel", "other"))

# Drawing.
expect(r"there are no records to draw", run(TOOL, "plot", "-o", path("none.svg"), status=1))
run(TOOL, "plot", "-o", path("curve.svg"), path("merged.txt"))
picture = xml.dom.minidom.parse(path("curve.svg"))
if len(picture.getElementsByTagName("polyline")) != 2:
    raise SystemExit("expected a curve for each batch")
expect(r"seconds of compiling and timing", picture.toxml())

expect(r"cannot read .*missing", run(TOOL, "show", path("missing"), status=1))
run(TOOL, "draw", status=2)

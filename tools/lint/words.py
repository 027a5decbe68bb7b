"""Words that do not belong in a finished file: notes to self, trackers' numbers, paths of one machine."""

import re

from sources import files, finish, lines

WORDS = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|\b[Ii]ssue #?\d|/(work|home|root)/")

problems = []
for path in [*files(), *files(["docs"]), "README.md", "CMakeLists.txt"]:
    if path == "tools/lint/words.py":
        continue
    for number, line in enumerate(lines(path), 1):
        if found := WORDS.search(line):
            problems.append(f"{path}:{number}: '{found.group()}' does not belong here")
finish(problems)

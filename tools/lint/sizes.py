"""No file is longer than 1,000 lines: split by concern before that. No line of TableGen, which no formatter wraps, is
wider than 120 columns."""

from sources import files, finish, lines

LIMIT = 1000
WIDTH = 120

counts = ((path, len(lines(path))) for path in files())
problems = [f"{path}: {count} lines, the limit is {LIMIT}" for path, count in counts if count > LIMIT]
for path in files(suffixes=(".td",)):
    wide = ((number, len(line)) for number, line in enumerate(lines(path), 1) if len(line) > WIDTH)
    problems += [f"{path}:{number}: {width} columns, the limit is {WIDTH}" for number, width in wide]
finish(problems)

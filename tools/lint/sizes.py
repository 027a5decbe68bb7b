"""No file is longer than 1,000 lines: split by concern before that."""

from sources import files, finish, lines

LIMIT = 1000

counts = ((path, len(lines(path))) for path in files())
finish([f"{path}: {count} lines, the limit is {LIMIT}" for path, count in counts if count > LIMIT])

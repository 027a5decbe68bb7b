"""Every C++ file looks as clang-format 22 leaves it; `clang-format-22 -i <file>` repairs."""

import subprocess

from sources import CXX, ROOT, files, finish

command = ["clang-format-22", "--dry-run", "--ferror-limit=1"]
result = subprocess.run(command + list(files(suffixes=CXX)), cwd=ROOT, text=True, stderr=subprocess.PIPE)
finish([line for line in result.stderr.splitlines() if "clang-format-violations" in line])

"""Runs a program of the documentation and compares what it prints with what the page shows.

    run.py <program> <page.md> <file>

Without a ```text block for the file the program must only end with status 0. See blocks.py for the notation.
"""

import difflib
import os
import re
import subprocess
import sys

from blocks import read


def pattern(line):
    return re.compile(".*".join(re.escape(part) for part in line.rstrip().split("...")) + "$")


def matches(shown, printed):
    """Whether the printed lines match; a shown line that is `...` alone stands for any number of lines."""
    if not shown:
        return not printed
    if shown[0].strip() == "...":
        return any(matches(shown[1:], printed[skip:]) for skip in range(len(printed) + 1))
    return bool(printed) and bool(pattern(shown[0]).match(printed[0].rstrip())) and matches(shown[1:], printed[1:])


def check(program, page, number, words, shown):
    environment, status, stream = dict(os.environ), 0, "stdout"
    for word in words:
        key, separator, value = word.partition("=")
        if key == "exit":
            status = int(value)
        elif word == "stderr":
            stream = "stderr"
        elif separator:
            environment[key] = value
        else:
            raise SystemExit(f"{page}:{number}: unknown word {word}")
    result = subprocess.run([program], env=environment, text=True, capture_output=True)
    printed = getattr(result, stream).splitlines()
    if result.returncode == status and matches(shown, printed):
        return True
    print(f"{page}:{number}: expected status {status}, got {result.returncode}")
    print(*difflib.unified_diff(shown, printed, "the page", stream, lineterm=""), sep="\n")
    if result.returncode != status and stream == "stdout":
        print(result.stderr)
    return False


def main():
    program, page, file = sys.argv[1:]
    blocks = [(number, words[1:], block) for number, language, words, block in read(page)
              if language == "text" and words[:1] == [file]]
    raise SystemExit(0 if all([check(program, page, *block) for block in blocks or [(0, [], ["..."])]]) else 1)


main()

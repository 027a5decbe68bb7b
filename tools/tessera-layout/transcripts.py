#!/usr/bin/env python3
"""Runs the commands that a page shows and compares what they print with the page, or rewrites it.

    transcripts.py [--write] <tessera-layout> <page>...

Of a block of ```text that starts with `$ tessera-layout …` each such line is run, and what it prints stands below it,
errors included. A line `<!-- tessera-layout … > pictures/name.svg -->` makes a picture beside the page.
"""

import difflib
import pathlib
import re
import shlex
import subprocess
import sys

BLOCK = re.compile(r"(?<=^```text\n)(?=\$ tessera-layout )(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"^<!-- tessera-layout (.*) > (\S+) -->$", re.MULTILINE)
PROMPT = "$ tessera-layout "


def output(tool, words):
    done = subprocess.run([tool, *shlex.split(words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())


def transcript(tool, block):
    commands = [line for line in block.splitlines() if line.startswith(PROMPT)]
    return "\n".join(command + "\n" + output(tool, command[len(PROMPT) :]) for command in commands)


def main():
    arguments = sys.argv[1:]
    write = "--write" in arguments
    tool, *pages = [argument for argument in arguments if argument != "--write"]
    stale = []
    for page in map(pathlib.Path, pages):
        text = page.read_text()
        fresh = {page: BLOCK.sub(lambda block: transcript(tool, block.group()), text)}
        for words, name in PICTURE.findall(text):
            fresh[page.parent / name] = output(tool, words)
        if len(fresh) == 1 and not BLOCK.search(text):
            sys.exit(f"{page} shows no command of tessera-layout")
        for path, content in fresh.items():
            kept = path.read_text() if path.exists() else ""
            if write:
                path.write_text(content)
            elif kept != content:
                stale += difflib.unified_diff(kept.splitlines(), content.splitlines(), str(path), "printed now", lineterm="")
    if stale:
        sys.exit("\n".join(stale[:200]))


main()

"""Each spelling in the right column of docs/from-triton.md occurs, but for white space and `...`, in from-triton.cpp.

    spellings.py <page.md> <source.cpp>

Single words (names of types, environment variables) need not.
"""

import re
import sys

ROW = re.compile(r"^\|(.*[^\\])\|(.*[^\\])\|$")
SPAN = re.compile(r"`([^`]+)`")


def squeeze(text):
    return re.sub(r"\s+", "", text)


page, source = (open(path, encoding="utf-8").read() for path in sys.argv[1:])
compiled = squeeze(re.sub(r"//.*", "", source))
missing = []
section = ""
for number, line in enumerate(page.splitlines(), 1):
    if line.startswith("## "):
        section = line
    row = ROW.match(line)
    if not row or section == "## Same name, different rule":
        continue
    for span in SPAN.findall(row.group(2)):
        spelling = span.replace("\\|", "|")
        if not re.search(r"[(<{.]", spelling):
            continue
        parts = [re.escape(squeeze(part)) for part in spelling.split("...")]
        if not re.search(".*?".join(parts), compiled):
            missing.append(f"{sys.argv[1]}:{number}: {span}")
print(*missing, sep="\n")
raise SystemExit(1 if missing else 0)

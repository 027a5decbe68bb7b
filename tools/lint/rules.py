"""Every rule of docs/semantics.md is cited by a test: a line below test/ that says SEMANTICS and the rule's number; and
no test cites a rule that does not exist."""

import re

from sources import files, finish, lines

NOT_YET = {"D4"}  # the scaled dot comes after the rest

RULE = re.compile(r"- ([A-Z]\d+[a-z]?)\. ")
CITATION = re.compile(r"\bSEMANTICS\b(.*)")
NUMBER = re.compile(r"\b[A-Z]\d+[a-z]?\b")

rules = {found.group(1) for line in lines("docs/semantics.md") if (found := RULE.match(line))}
problems = []
cited = set()
for path in files(["test"]):
    for number, line in enumerate(lines(path), 1):
        if found := CITATION.search(line):
            named = set(NUMBER.findall(found.group(1)))
            cited |= named
            problems += [f"{path}:{number}: there is no rule {rule}" for rule in sorted(named - rules)]
problems += [f"docs/semantics.md: no test cites rule {rule}" for rule in sorted(rules - cited - NOT_YET)]
finish(problems)

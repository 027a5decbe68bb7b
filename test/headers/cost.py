"""cost.py <include folder> <header> <compiler> <seconds>: including the header costs no more processor time than
that, taking the best of three."""

import resource
import subprocess
import sys

include, header, compiler, limit = sys.argv[1:]
command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{include}", "-xc++", "-"]


def seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


costs = []
for _ in range(3):
    before = seconds()
    subprocess.run(command, input=f"#include <{header}>\n", text=True, check=True)
    costs.append(seconds() - before)
print(f"<{header}> costs {min(costs):.2f} s with {compiler}, the limit is {limit} s")
sys.exit(min(costs) > float(limit))

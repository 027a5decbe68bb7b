"""cost.py <include folder> <header> <compiler> <seconds>: including the header costs no more processor time than
that, on a machine where including <memory> costs 0.6 s; on others the limit goes with that header's cost. The best of
nine tries of each counts."""

import resource
import subprocess
import sys

MEMORY_SECONDS = 0.6

include, header, compiler, limit = sys.argv[1:]
command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{include}", "-xc++", "-"]


def seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def cost(name):
    before = seconds()
    subprocess.run(command, input=f"#include <{name}>\n", text=True, check=True)
    return seconds() - before


costs = [(cost(header), cost("memory")) for _ in range(9)]
ours, memory = (min(column) for column in zip(*costs))
allowed = float(limit) * memory / MEMORY_SECONDS
print(f"<{header}> costs {ours:.2f} s with {compiler}, the limit here is {allowed:.2f} s, <memory> costs {memory:.2f} s")
sys.exit(ours > allowed)

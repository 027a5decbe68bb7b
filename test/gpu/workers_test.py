"""Programs that fail, crash, hang and lose the device, run by tools/gpu/workers.py: every case must be told, and those
behind a broken one must still run."""

import os
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tools", "gpu"))
sys.dont_write_bytecode = True

from workers import Seeds, Tests  # noqa: E402

# Speaks like GoogleTest and like tessera-fuzz; a case's name says what becomes of it.
PROGRAM = r"""#!/usr/bin/env python3
import os, signal, sys, time
CASES = ["ok1", "fail1", "ok2", "crash1", "ok3", "lost1", "ok4", "skip1", "hang1", "ok5", "lost2", "ok6"]
FIRST = "device cuda:0: cuStreamSynchronize failed with 700; the device is lost to this process, which must be restarted"
def become(name):
    if name.startswith("crash"):
        sys.stdout.flush()
        os.kill(os.getpid(), signal.SIGSEGV)
    if name.startswith("hang"):
        sys.stdout.flush()
        time.sleep(100)
options = dict(a.split("=", 1) for a in sys.argv[1:] if "=" in a)
if "--gtest_list_tests" in sys.argv:
    print("Suite.")
    for case in CASES:
        print("  " + case)
elif "--gtest_filter" in options:
    lost = False
    for name in options["--gtest_filter"].split(":"):
        case = name.split(".")[1]
        print(f"[ RUN      ] {name}", flush=True)
        become(case)
        if lost:
            print("the device was lost by an earlier error: " + FIRST)
        elif case.startswith("lost"):
            lost = True
            print(FIRST)
        failed = lost or case.startswith("fail")
        print(f"[  SKIPPED ] {name} (0 ms)" if case.startswith("skip") else
              f"[  FAILED  ] {name}, where GetParam() = 1 (0 ms)" if failed else f"[       OK ] {name} (0 ms)", flush=True)
else:
    words = dict(zip(sys.argv[1::1], sys.argv[2::1]))
    first, count = int(words["--first"]), int(words["--count"])
    for seed in range(first, first + count):
        print(f"seed {seed}", flush=True)
        case = CASES[seed % len(CASES)]
        become(case)
        if case.startswith("fail"):
            print(f"seed {seed} on cuda:0: store 1 differs")
        if case.startswith("lost"):
            print(f"seed {seed} on cuda:0: {FIRST}", flush=True)
            sys.exit(3)
"""


def expect(what, found, wanted):
    if found != wanted:
        raise SystemExit(f"{what}: found {found}, expected {wanted}")


with tempfile.TemporaryDirectory() as folder:
    program = os.path.join(folder, "program")
    with open(program, "w") as file:
        file.write(PROGRAM)
    os.chmod(program, 0o755)

    for workers in (1, 3):
        tests = Tests(program, dict(os.environ))
        tests.run(workers, seconds=60, silence=2)
        expect("passed", sorted(tests.passed), [f"Suite.ok{i}" for i in range(1, 7)])
        expect("skipped", tests.skipped, ["Suite.skip1"])
        expect("failed", sorted(tests.failed), [f"Suite.{n}" for n in ("crash1", "fail1", "hang1", "lost1", "lost2")])
        expect("not run", tests.summary()["not_run"], 0)
        log = "".join(tests.log)
        for words in ("ended by signal SIGSEGV", "hung", "failed with 700"):
            expect(f"the log says {words!r}", words in log, True)

        seeds = Seeds(program, dict(os.environ), "cuda:0")
        seeds.run(12, 12, workers, seconds=60, silence=2)
        expect("failed seeds", sorted(seeds.failed), [13, 15, 17, 20, 22])
        expect("summary", seeds.summary()["passed"], 7)

    late = Tests(program, dict(os.environ))
    late.run(1, seconds=0)
    expect("out of time", late.summary()["not_run"], 12)
    missing = Seeds("/bin/false", dict(os.environ), "cuda:0")
    missing.run(0, 4, 1, seconds=20)
    expect("a program that does nothing", missing.failed, [0])

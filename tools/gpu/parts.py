"""The parts of a check on a GPU and the table of what they found."""

import json
import os
import re
import shutil
import subprocess
import sys
import time

import guard
from workers import LOST, Ended, Seeds, Tests, stream

LABS = ("vector_add", "relu_add", "softmax", "layer_norm", "layer_norm_backward", "rms_norm", "masked_mean", "cross_entropy",
        "dropout", "matmul", "batched_matmul", "split_matmul", "dequant_matmul", "attention")
DTYPES = ("f32", "f16", "bf16", "f64")
DTYPES_OF = dict(matmul=(*DTYPES, "e4m3", "e5m2", "i8"), dequant_matmul=DTYPES[:3], attention=DTYPES[:3])
# Seconds of each part and of the whole; the last parts are sure of theirs.
TOTAL = 465
RESERVED = dict(bench=130, matmul=150, attention=60, peers=140)
LIMITS = dict(facts=10, driver=30, labs=40, cases=40, kernels=60, conformance=70, fuzz=70, memcheck=60, bench=150, matmul=240,
              attention=120, peers=160)
# What the programs that measure other systems call the sections of each part.
PEERS = dict(bench=("launch", "bandwidth", "softmax", "norm"), matmul=("matmul",), attention=("attention",))
ON_REQUEST = ("matmul", "attention")  # parts that run if they are named
KEPT = 400_000  # characters of a log


class Check:
    def __init__(self, folder, args):
        self.folder, self.args = folder, args
        self.env = {**os.environ, "LD_LIBRARY_PATH": os.path.join(folder, "lib"), "TESSERA_DEVICE": args.device,
                    "TESSERA_CACHE": "off", "TESSERA_CONFORMANCE_SEED": str(args.first)}
        self.end = time.monotonic() + TOTAL * args.scale
        self.ran, self.coming = [], []  # parts before and behind the one that runs
        self.rows = []  # (part, words, failed?)
        self.bench_rows = []
        self.logs = {}

    def program(self, name):
        return os.path.join(self.folder, "bin", name)

    def seconds(self, part):
        reserved = sum(RESERVED.get(later, 0) for later in self.coming) * self.args.scale
        return max(5, min(LIMITS[part] * self.args.scale, self.end - time.monotonic() - reserved))

    def log(self, name, text):
        self.logs.setdefault(name, []).append(text)
        with open(os.path.join(self.args.out, name), "w") as file:
            file.write("".join(self.logs[name])[:KEPT])

    def row(self, part, words, failed=False):
        self.rows.append((part, words, failed))
        print(f"-- {part}: {words}", flush=True)

    def counted(self, part, summary, began, log):
        for text in log:
            self.log("failures.log", text)
        words = f"{summary['passed']} passed, {summary['failed']} failed"
        for key, name in (("skipped", "skipped"), ("not_run", "not run")):
            if summary[key]:
                words += f", {summary[key]} {name}"
        words += f" in {time.monotonic() - began:.0f} s"
        if summary["first_failures"]:
            words += ": " + ", ".join(summary["first_failures"])
        self.row(part, words, summary["failed"] > 0 or not summary["passed"] + summary["skipped"])

    # The parts.

    def facts(self):
        commands = [["cat", os.path.join(self.folder, "version")], ["uname", "-a"], ["nvidia-smi"], ["ptxas", "--version"],
                    ["compute-sanitizer", "--version"],
                    # Kernels that were compiled ahead of time: how long the first answer takes.
                    [self.program("bundle_server"), "100", self.args.device],
                    [self.program("vector_add"), "--n", "1000", "--device", self.args.device]]
        failed = False
        for command in commands:
            try:
                result = subprocess.run(command, env=self.env, text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, timeout=20)
                text, status = result.stdout, result.returncode
            except (OSError, subprocess.TimeoutExpired) as error:
                text, status = f"{error}\n", 1
            self.log("facts.txt", f"$ {' '.join(command)}\n{text}\n")
            failed |= status != 0 and command[0] in (self.program("bundle_server"), self.program("vector_add"))
        said = [line.strip() for line in text.splitlines() if line.strip()]
        device = [line for line in said if line.startswith("device")]
        self.row("facts", (device or said[-1:] or ["nothing"])[0], failed)

    def labs(self):
        began, failures, passed = time.monotonic(), [], 0
        deadline = began + self.seconds("labs")
        cases = [(lab, dtype) for lab in LABS for dtype in (DTYPES[:1] if self.args.dry else DTYPES_OF.get(lab, DTYPES))]
        running = []
        def collect(entry):
            nonlocal passed
            lab, dtype, process = entry
            try:
                out = process.communicate(timeout=max(1, deadline - time.monotonic()))[0]
            except subprocess.TimeoutExpired:
                process.kill()
                out = process.communicate()[0] + "\nout of time"
            if process.returncode == 0:
                passed += 1
            else:
                failures.append(f"{lab}/{dtype}")
                self.log("failures.log", f"== lab {lab} {dtype}\n{out[:3000]}\n")
        for lab, dtype in cases:
            command = [self.program(lab), "--device", self.args.device, "--dtype", dtype]
            running.append((lab, dtype, subprocess.Popen(command, env=self.env, text=True, stdout=subprocess.PIPE,
                                                         stderr=subprocess.STDOUT)))
            if len(running) >= self.args.workers:
                collect(running.pop(0))
        for entry in running:
            collect(entry)
        self.counted("labs", dict(passed=passed, failed=len(failures), skipped=0, not_run=0, first_failures=failures[:8]),
                     began, [])

    def tests(self, part, binary):
        began = time.monotonic()
        tests = Tests(self.program(binary), self.env, limit=40 if self.args.dry else None)
        tests.run(self.args.workers, self.seconds(part))
        self.counted(part, tests.summary(), began, tests.log)

    def driver(self):
        self.tests("driver", "runtime-cuda-device-test")

    def cases(self):
        self.tests("cases", "cases-test")

    def kernels(self):
        self.tests("kernels", "kernels-test")

    def conformance(self):
        self.tests("conformance", "conformance-test")

    def fuzz(self):
        began = time.monotonic()
        seeds = Seeds(self.program("tessera-fuzz"), self.env, self.args.device)
        seeds.run(self.args.first, self.args.seeds, self.args.workers, self.seconds("fuzz"))
        self.counted("fuzz", seeds.summary(), began, seeds.log)

    def memcheck(self):
        sanitizer = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")
        if self.args.dry:
            prefix = []
        elif sanitizer:
            prefix = [sanitizer, "--tool", "memcheck", "--report-api-errors", "no", "--error-exitcode", "99", "--print-limit", "5"]
        else:
            self.row("memcheck", "skipped: compute-sanitizer is not installed")
            return
        began, failures, runs, skipped = time.monotonic(), [], 0, 0
        deadline = began + self.seconds("memcheck")
        # The small ones: 48 cases, 40 random kernels, rows of a few kernels.
        groups = [[self.program("cases-test"), f"--gtest_filter={suite}.*"] for suite in
                  ("AtomicCases", "CastCases", "DotCases", "IntegerCases", "LoopCases", "MaskCases", "ReductionCases",
                   "ScanCases")]
        for i in range(4):
            groups.append([self.program("tessera-fuzz"), "--device", self.args.device, "--first", str(100000 + 10 * i),
                           "--count", "10", "--tries", "0"])
        for lab, sizes in (("softmax", ["--rows", "3", "--cols", "781"]), ("layer_norm", ["--rows", "3", "--cols", "781"]),
                           ("vector_add", ["--n", "4097"]), ("matmul", ["--m", "65", "--n", "33", "--k", "47"]),
                           ("matmul", ["--m", "200", "--n", "264", "--k", "136", "--dtype", "f16"]),
                           ("attention", ["--dtype", "f16", "--seq", "200", "--causal", "1"])):
            groups.append([self.program(lab), "--device", self.args.device, *sizes])
        running = []
        def collect(entry):
            nonlocal runs, skipped
            command, process = entry
            try:
                out = process.communicate(timeout=max(1, deadline - time.monotonic()))[0]
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                skipped += 1
                return
            runs += 1
            name = " ".join([os.path.basename(command[0]), *command[1:]])
            found = re.findall(r"ERROR SUMMARY: (\d+) error", out)
            if process.returncode == 99 or any(int(count) for count in found):
                failures.append(name)
                self.log("failures.log", f"== memcheck {name}\n{out[:6000]}\n")
            elif prefix and not found:
                failures.append(name + " (no summary)")
                self.log("failures.log", f"== memcheck {name}\n{out[:3000]}\n")
        for command in groups:
            running.append((command, subprocess.Popen([*prefix, *command], env=self.env, text=True, stdout=subprocess.PIPE,
                                                      stderr=subprocess.STDOUT)))
            if len(running) >= min(8, self.args.workers):
                collect(running.pop(0))
        for entry in running:
            collect(entry)
        self.counted("memcheck", dict(passed=runs - len(failures), failed=len(failures), skipped=0, not_run=skipped,
                                      first_failures=failures[:6]), began, [])

    def measure(self, part, sections):
        began = time.monotonic()
        deadline = began + self.seconds(part)
        rows, problems = [], []
        with open(os.path.join(self.args.out, f"{part}.jsonl"), "w") as file:
            for section in sections:
                command = [self.program("tessera-bench-gpu"), f"--device={self.args.device}", section]
                if self.args.dry:
                    command.append("--brief")
                if self.args.row:
                    command.append(f"--row={self.args.row}")
                if self.args.configs:
                    command.append(f"--configs={self.args.configs}")
                for line in stream(command, self.env, deadline, 90):
                    if isinstance(line, Ended):
                        if line.words:
                            problems.append(f"{section} {line.words}")
                        continue
                    file.write(line + "\n")
                    file.flush()
                    if line.startswith("{") and '"bench"' in line:
                        rows.append(json.loads(line))
                    elif not line.startswith("{"):
                        problems.append(line.lstrip("# ")[:160])
                        if LOST in line:
                            break
        self.bench_rows += rows
        words = f"{len(rows)} rows in {time.monotonic() - began:.0f} s"
        self.row(part, words + "".join(f"\n     {p}" for p in problems[:12]), bool(problems) or not rows)

    def bench(self):
        self.measure("bench", ("launch", "elementwise", "rows", "first", "wide"))

    def matmul(self):
        self.measure("matmul", ("matmul", "dequant"))

    def attention(self):
        self.measure("attention", ("attention",))

    def peers(self):
        scripts = os.path.join(self.folder, "peers")
        if not os.path.isdir(scripts):
            self.row("peers", "skipped: they were not packed")
            return
        if self.args.dry:
            self.row("peers", "skipped: they need a GPU")
            return
        began, count = time.monotonic(), 0
        deadline = began + self.seconds("peers")
        env = {**os.environ, "PYTHONUNBUFFERED": "1"}
        path = os.path.join(self.args.out, "peers.jsonl")
        with open(path, "w") as file:
            sections = [section for part in PEERS if part in self.ran for section in PEERS[part]] or PEERS["bench"]
            for line in stream([sys.executable, os.path.join(scripts, "bench_peers.py"), *sections], env, deadline, 120):
                if isinstance(line, str):
                    file.write(line + "\n")
                    count += line.startswith('{"bench"')
        ours = os.path.join(self.args.out, "rows.jsonl")
        with open(ours, "w") as file:
            file.writelines(json.dumps(row) + "\n" for row in self.bench_rows)
        words = f"{count} rows in {time.monotonic() - began:.0f} s"
        if self.bench_rows:
            table = subprocess.run([sys.executable, os.path.join(scripts, "compare.py"), ours, path], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
            self.log("compare.txt", table)
            self.table = table
        self.row("peers", words, count == 0)

    def guard(self):
        """Compares what was measured with recorded ratios; rows of parts that did not run do not matter."""
        try:
            recorded, table = guard.read_recorded(self.args.guard), guard.read_results([self.args.out])
        except guard.BadFile as problem:
            self.row("guard", str(problem), True)
            return
        lines, holds = guard.compare(recorded, table, partial=True)
        self.log("guard.txt", "\n".join(lines) + "\n")
        fell = [line for line in lines if line.startswith("FELL")]
        self.row("guard", lines[-1] + "".join("\n     " + line for line in fell), not holds)


def run(folder, args):
    check = Check(folder, args)
    began = time.monotonic()
    names = args.parts or [part for part in LIMITS if part not in ON_REQUEST]
    for part in names:
        if part not in LIMITS:
            print(f"there is no part {part}; there are {' '.join(LIMITS)}", file=sys.stderr)
            return 2
    for i, part in enumerate(names):
        check.ran, check.coming = names[:i], names[i + 1:]
        try:
            getattr(check, part)()
        except Exception as error:  # the other parts still say something
            check.row(part, f"broke off: {type(error).__name__}: {error}", True)
    if args.guard:
        check.guard()
    text = [f"== {args.device}, {time.monotonic() - began:.0f} s"]
    if "failures.log" in check.logs:
        text.append("== the first failures\n" + "".join(check.logs["failures.log"])[:2500])
    if hasattr(check, "table"):
        text.append("== beside others (above 1 is faster)\n" + check.table)
    elif check.bench_rows:
        text.append("== rows\n" + "\n".join(f"{r['bench']:16} {r['shape']:22} {r['dtype']:9} {r['system']:12} {r['value']:10.2f} {r['unit']:7}"
                                           f" {r.get('config', '')}" for r in check.bench_rows))
    text.append("== parts\n" + "\n".join(f"{'FAIL' if failed else 'ok':5}{part:12} {words}" for part, words, failed in check.rows))
    summary = "\n".join(text)
    with open(os.path.join(args.out, "summary.txt"), "w") as file:
        file.write(summary + "\n")
    print(summary, flush=True)
    return 1 if any(failed for _, _, failed in check.rows) else 0

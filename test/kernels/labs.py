"""Runs the labs as users do and checks what they print and return.

    labs.py --list                 the names of the cases
    labs.py <folder of labs> <case>
"""

import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

LABS = ("vector_add", "relu_add", "softmax", "layer_norm", "layer_norm_backward", "rms_norm", "masked_mean", "cross_entropy",
        "dropout", "matmul", "batched_matmul", "split_matmul", "dequant_matmul", "attention")
DTYPES = ("f32", "f16", "bf16", "f64")
DTYPES_OF = dict(matmul=(*DTYPES, "e4m3", "e5m2", "i8"), dequant_matmul=DTYPES[:3], attention=DTYPES[:3])

CASES = {}


def case(name):
    def keep(function):
        CASES[name] = function
        return function
    return keep


def run(lab, *arguments, status=0, device="interp", **environment):
    """The standard output and error of a lab that must end with this status."""
    options = ["--device", device] if device else []
    result = subprocess.run([os.path.join(FOLDER, lab), *options, *arguments], text=True, capture_output=True,
                            env={**os.environ, **environment})
    if result.returncode != status:
        fail(f"expected status {status}, got {result.returncode}", result.stdout, result.stderr)
    return result.stdout, result.stderr


def fail(*parts):
    print(*parts, sep="\n")
    raise SystemExit(1)


def expect(pattern, text):
    if not re.search(pattern, text):
        fail(f"no match for {pattern!r} in:", text)


for lab in LABS:
    for device in ("interp", "cpu"):
        def passes(lab=lab, device=device):
            out, _ = run(lab, device=device)
            expect(rf"^{lab}  ", out)
            expect(rf"  device +{device} \(", out)
            expect(r"  programs +\d+\n", out)  # no threads: these devices have none
            expect(r"  compiled +config \{.*\}, options defaults, variant \w+", out)
            expect(r"  first call +[\d.]+ ms: trace [\d.]+, compile [\d.]+, assemble [\d.]+, load [\d.]+, run [\d.]+\n", out)
            expect(r"  stages +trace [\d.]+, find [\d.]+, tile [\d.]+, .*load [\d.]+ ms\n", out)
            expect(r"  next calls +[\d.]+ ms, [\d.]+ [GT](B|FLOP)/s\n", out)
            expect(r"  PASS ", out)

        def dtypes(lab=lab, device=device):
            for dtype in DTYPES_OF.get(lab, DTYPES):
                out, _ = run(lab, "--dtype", dtype, "--seed", "7", "--json", device=device)
                report = json.loads(out)
                if not report["passed"] or report["dtype"] != dtype or report["seed"] != 7:
                    fail("unexpected report", out)

        CASES[f"{lab}.passes.{device}"] = passes
        CASES[f"{lab}.dtypes.{device}"] = dtypes

    def tile_text(lab=lab):
        # Needs no device: a broken choice of device must not matter.
        out, _ = run(lab, "--emit=tile", device=None, TESSERA_DEVICE="cuda:99")
        expect(rf"tile\.kernel @{lab}\(", out)
        again, _ = run(lab, "--emit=tile", device=None)
        if out != again:
            fail("two processes print different text", out, again)

    def cpu_text(lab=lab):
        for stage, pattern in ("host", r"scf\.for"), ("llvm", rf"define .*@{lab}\("), ("asm", rf"\n{lab}:"):
            expect(pattern, run(lab, f"--emit={stage}", "--target=cpu", device=None)[0])
        expect("shared-object for cpu:x86-64-v3", run(lab, "--emit=binary", "--target=cpu:x86-64-v3", device=None)[0])

    def tunes(lab=lab):
        out, _ = run(lab, "--tune", device="cpu")
        expect(r"  tuned +\d+ candidates: .*; compiled in \d+ ms, timed in \d+ ms\n", out)
        expect(r"  first call +[\d.]+ ms: tune [\d.]+; of the chosen one: trace ", out)
        expect(r"  PASS ", out)
        report = json.loads(run(lab, "--tune", "--json", device="cpu")[0])
        chosen = [each for each in report["tuning"]["candidates"] if each["chosen"]]
        if len(chosen) != 1 or chosen[0]["config"] != report["config"]:
            fail("the report is not about the candidate that was chosen", report)

    CASES[f"{lab}.tune"] = tunes
    CASES[f"{lab}.emit-tile"] = tile_text
    CASES[f"{lab}.emit-cpu"] = cpu_text


@case("sizes-at-the-edges")
def sizes_at_the_edges():
    for n in ("0", "1", "7"):
        expect("PASS", run("vector_add", "--n", n)[0])
    expect("PASS", run("softmax", "--rows", "0")[0])
    expect("PASS", run("softmax", "--cols", "1")[0])
    expect("PASS", run("softmax", "--cols", "100", "--gap", "31")[0])
    expect("PASS", run("masked_mean", "--cols", "0")[0])
    expect("PASS", run("matmul", "--k", "0")[0])
    expect("PASS", run("matmul", "--m", "0")[0])
    expect("PASS", run("matmul", "--m", "1", "--n", "1", "--k", "1")[0])
    expect("PASS", run("matmul", "--ta", "1", "--tb", "1", "--tf32", "1")[0])
    expect("PASS", run("attention", "--seq", "1", "--heads", "1")[0])
    expect("PASS", run("attention", "--d", "128", "--causal", "1")[0])
    expect("PASS", run("dequant_matmul", "--bits", "4", "--k", "129")[0])


@case("json")
def json_report():
    report = json.loads(run("softmax", "--rows", "3", "--cols", "5", "--json")[0])
    for field, value in {"lab": "softmax", "dtype": "f32", "rows": 3, "cols": 5, "device": "interp", "target": "interp",
                         "grid": [3, 1, 1], "config": "{block=8, most=5, parts=false}", "elements": 15, "wrong": 0, "passed": True}.items():
        if report[field] != value:
            fail(f"{field} is {report[field]}, expected {value}")
    if not {"trace", "tile", "load", "run"} <= set(report["stages_ms"]):
        fail("stages are missing", report["stages_ms"])
    split = report["first_call_split_ms"]
    if list(split) != ["trace", "compile", "assemble", "load", "tune", "run"]:
        fail("the first call is split in another way", split)
    if abs(sum(split.values()) - report["first_call_ms"]) > 0.01:
        fail("the parts of the first call are not the whole", report)


def besides(report):
    """What was measured or said beside the kernel, by name."""
    if not report["passed"]:
        fail("the kernel itself fails", report)
    return {each["name"]: each for each in report["beside"]}


def expect_timed(beside, unit):
    if not (beside["ms"] > 0 and beside["ratio"] > 0 and beside["rate"]["value"] > 0 and beside["rate"]["unit"] == unit):
        fail("no time, rate or ratio", beside)


@case("warps-of-the-device")
def warps_of_the_device():
    for device, warp in ("sim:sm_90a", 32), ("sim:gfx942", 64):
        out, _ = run("vector_add", "--n", "2000", "--block", "1024", device=device)
        expect(rf"  programs +2 of {4 * warp} threads in warps of {warp}\n", out)


@case("beside-copy")
def beside_copy():
    for lab in "vector_add", "softmax":
        copy = besides(json.loads(run(lab, "--beside", "--json", device="cpu")[0]))["copy of the device's memory"]
        expect_timed(copy, "GB/s")
    out, _ = run("vector_add", "--beside", device="cpu")
    expect(r"  beside +copy of the device's memory: [\d.]+ ms, [\d.]+ [GT]B/s; the kernel is [\d.]+ times as fast\n", out)
    if besides(json.loads(run("vector_add", "--n", "0", "--beside", "--json", device="cpu")[0])):
        fail("nothing was to be copied")


@case("beside-vendor")
def beside_vendor():
    try:
        ctypes.CDLL("libopenblas.so.0")
        there = True
    except OSError:
        there = False
    for arguments in [], ["--ta", "1"], ["--tb", "1", "--dtype", "f64"], ["--ta", "1", "--tb", "1", "--m", "33"]:
        found = besides(json.loads(run("matmul", "--beside", "--json", *arguments, device="cpu")[0]))
        if there:
            if list(found) != ["OpenBLAS"]:  # which a wrong result would give a second line
                fail("expected OpenBLAS alone", found)
            expect_timed(found["OpenBLAS"], "GFLOP/s")
        elif "libopenblas.so.0 is not installed" not in found["vendor's library"]["words"]:
            fail("expected the reason why there is none", found)
    for dtype, device, words in (("f16", "cpu", "no f16"), ("f32", "interp", "none is known for device interp")):
        report = json.loads(run("matmul", "--m", "16", "--beside", "--json", "--dtype", dtype, device=device)[0])
        expect(re.escape(words), besides(report)["vendor's library"]["words"])


@case("against-given")
def against_given():
    report = json.loads(run("matmul", "--against-given", "--bm", "16", "--bn", "16", "--json", device="cpu")[0])
    expect_timed(besides(report)["config of the command line"], "GFLOP/s")
    if len(report["tuning"]["candidates"]) < 2:
        fail("nothing was tuned", report)


@case("plain-order")
def plain_order():
    found = besides(json.loads(run("matmul", "--plain-order", "--json", device="cpu")[0]))
    expect_timed(found["plain program order"], "GFLOP/s")


@case("unfused")
def unfused():
    found = besides(json.loads(run("relu_add", "--unfused", "--json", device="cpu")[0]))["vector_add, then a rectifier"]
    expect_timed(found, "GB/s")
    expect("agree to the last bit", found["words"])


@case("poison")
def poison():
    for device in "interp", "cpu":
        out, _ = run("softmax", "--rows", "5", "--cols", "100", "--poison", device=device)
        expect(r"  PASS ", out)
        expect(r"  beside +without the maximum: 100 of 500 elements are wrong; the worst, \[0, \d+\] is -?nan", out)
        expect(r"  beside +of the row below: \d+ of 500 elements are wrong; the worst, ", out)
    expect("  PASS ", run("softmax", "--rows", "0", "--poison")[0])


@case("negative")
def negative():
    for device in "interp", "cpu":
        out, _ = run("softmax", "--rows", "5", "--cols", "100", "--negative", device=device)
        expect(r"  PASS ", out)
        expect(r"  beside +masked lanes read 0: 500 of 500 elements are wrong; the worst, .* instead of 0.01", out)
        # A row that fills its block has no masked lanes.
        out, _ = run("softmax", "--rows", "5", "--cols", "128", "--negative", device=device)
        expect(r"  beside +masked lanes read 0: all 640 elements", out)


@case("search")
def search():
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "search.svg")
        arguments = ["--n", "5000", "--search", picture]
        report = json.loads(run("vector_add", *arguments, "--json", device="cpu")[0])
        rounds = report["search"]
        tried = [each["candidates"] for each in rounds]
        if len(rounds) < 2 or tried != sorted(set(tried)) or tried[-1] != len(report["tuning"]["candidates"]):
            fail("the space was not widened", report)
        # The last round is the first that did not help.
        for before, after in zip(rounds, rounds[1:-1]):
            if after["ms"] >= before["ms"]:
                fail("it went on without a gain", rounds)
        root = xml.etree.ElementTree.parse(picture).getroot()
        if not root.tag.endswith("svg") or not any(each.tag.endswith("polyline") for each in root):
            fail("no picture", open(picture).read())
        out, _ = run("vector_add", *arguments, device="cpu")
        expect(r"  search +\d+ candidates, best [\d.]+ ms: \{block=\d+\}\n  widened +\d+ candidates", out)
        expect(r"  drawn +\S*search\.svg\n", out)
        err = run("vector_add", "--n", "5000", "--search", os.path.join(folder, "nowhere", "x.svg"), device="cpu", status=1)[1]
        expect("error: the picture cannot be written to .*nowhere/x.svg", err)


@case("fails-without-tolerance")
def fails_without_tolerance():
    # The result is rounded to f32 and the reference is not, so that no result passes without any tolerance.
    out, _ = run("softmax", "--tolerance", "0", status=1)
    expect(r"  FAIL +\d+ of \d+ elements are wrong\n  worst +\[\d+, \d+\] is .* instead of ", out)
    report = json.loads(run("softmax", "--tolerance", "0", "--json", status=1)[0])
    if report["passed"] or report["wrong"] == 0:
        fail("unexpected report", report)


@case("unknown-dtype")
def unknown_dtype():
    expect(r"--dtype: f31 not in \{f32,f16,bf16,f64\}", run("vector_add", "--dtype", "f31", status=2)[1])


@case("unknown-option")
def unknown_option():
    expect("--elements", run("vector_add", "--elements", "3", status=2)[1])


@case("bad-number")
def bad_number():
    expect("--n", run("vector_add", "--n", "-1", status=2)[1])
    expect("--n", run("vector_add", "--n", "many", status=2)[1])
    expect("--cols", run("softmax", "--cols", "0", status=2)[1])


@case("unknown-target")
def unknown_target():
    expect("sm_1", run("vector_add", "--emit=tile", "--target=cuda:sm_1", status=2)[1])


@case("unknown-device")
def unknown_device():
    expect("usage error: .*toaster.*interp", run("vector_add", device="toaster", status=1)[1])
    report = json.loads(run("vector_add", "--json", device="toaster", status=1)[0])
    if report["passed"] or report["error"]["class"] != "usage error":
        fail("unexpected report", report)


@case("missing-back-end")
def missing_back_end():
    # None of these need a device; a chip that no back end of this build knows is named.
    for target in ("cuda:sm_90a", "hip:gfx942", "cpu"):
        for stage in ("llvm", "asm", "binary"):
            result = subprocess.run([os.path.join(FOLDER, "vector_add"), f"--emit={stage}", f"--target={target}"],
                                    text=True, capture_output=True)
            if result.returncode == 0:
                expect(r"\S", result.stdout)  # this build has the back end
            else:
                expect(f"compile error: .*{re.escape(target)}", result.stderr)


@case("bad-config")
def bad_config():
    # An extent that is no power of two: the message names the kernel's line and the next one (SEMANTICS T2).
    out = run("vector_add", "--block", "1000", status=1)[1]
    expect(r"usage error: .*vector_add\.h:\d+:\d+: .*1024", out)


@case("help")
def help_text():
    out, _ = run("matmul", "--help")
    for word in ("--bm", "--dtype", "--device", "--emit", "--target", "--seed", "--json", "--tune", "--search", "--against-given",
                 "--beside", "--plain-order"):
        expect(re.escape(word), out)
    expect("--unfused", run("relu_add", "--help")[0])
    expect("--poison(.|\n)*--negative", run("softmax", "--help")[0])


if __name__ == "__main__":
    if sys.argv[1] == "--list":
        print(*CASES, sep=";")
    else:
        FOLDER = sys.argv[1]
        CASES[sys.argv[2]]()

"""The guard of ratios, fed with rows as benchmarks print them: what holds, fell, is missing or new, and files that are no
good, by their words and exit statuses."""

import argparse
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tools", "gpu"))
sys.dont_write_bytecode = True

import guard  # noqa: E402
import parts  # noqa: E402

COMMAND = os.path.join(ROOT, "tools", "gpu-check")
RECORDED = os.path.join(ROOT, "bench", "ratios-h200.json")


def row(bench, system, value, unit="GB/s", shape="4096x4096", dtype="fp32"):
    return {"bench": bench, "shape": shape, "dtype": dtype, "system": system, "ms": 1.0, "value": value, "unit": unit}


class Guard(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.recorded = dict(machine="a card", measured="2026-12-01", command="run", tolerance=0.03, rows=[
            {"row": "softmax 4096x4096 fp32", "over": "others", "ratio": 1.0},
            {"row": "softmax 4096x4096 fp32", "over": "copy 4096x4096 fp32", "ratio": 0.95},
            {"row": "launch 4096x4096 fp32", "over": "launch_raw 4096x4096 fp32", "ratio": 0.9, "tolerance": 0.1}])
        self.rows = [row("softmax", "tessera", 4000), row("softmax", "triton", 4000), row("softmax", "torch", 2000),
                     row("copy", "tessera", 4200), row("launch", "tessera", 3.3, "us"),
                     row("launch_raw", "tessera-driver", 3.0, "us")]

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self):
        with open(self.path("recorded.json"), "w") as file:
            file.write(self.recorded if isinstance(self.recorded, str) else json.dumps(self.recorded))
        with open(self.path("bench.jsonl"), "w") as file:
            file.write("# what a program says besides\n{\"device\": \"a card\"}\n")
            for each in self.rows:
                file.write((each if isinstance(each, str) else json.dumps(each)) + "\n")

    def guard(self, status, *arguments, results=None):
        self.write()
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            found = guard.main(["--guard", self.path("recorded.json"), *arguments, results or self.path("bench.jsonl")])
        self.assertEqual(found, status, out.getvalue())
        return out.getvalue()

    def test_holds(self):
        self.assertEqual(self.guard(0), "3 rows compared, 0 fell, 0 not measured\n")
        self.assertEqual(self.guard(0, results=self.folder.name), "3 rows compared, 0 fell, 0 not measured\n")

    def test_fell_beyond_the_tolerance(self):
        self.rows[0]["value"], self.rows[3]["value"] = 3890, 4095
        self.guard(0)  # 0.9725 of 1
        self.rows[0]["value"], self.rows[3]["value"] = 3860, 4063
        self.assertIn("FELL     softmax 4096x4096 fp32 over others: 0.965, recorded 1.000 (-3.5 %, 3.0 % allowed)\n",
                      self.guard(1))

    def test_times_count_the_other_way_round(self):
        self.rows[4]["value"] = 3.7  # 0.81 of 0.9: within a tolerance of its own
        self.guard(0)
        self.rows[4]["value"] = 3.71
        self.assertIn("FELL     launch 4096x4096 fp32 over launch_raw 4096x4096 fp32: 0.809", self.guard(1))

    def test_the_best_of_the_others_counts(self):
        self.rows[2]["value"] = 5000
        self.assertIn("over others: 0.800", self.guard(1))
        self.rows[1:3] = [row("softmax", "tessera-other", 9000), row("softmax", "torch", 4000)]
        self.guard(0)

    def test_missing(self):
        rows, self.rows = self.rows, self.rows[3:]
        self.assertIn("missing  softmax 4096x4096 fp32 over others: was not measured\n", self.guard(1))
        self.assertEqual(self.guard(0, "--partial"), "1 rows compared, 0 fell, 2 not measured\n")
        self.rows = rows[:1] + rows[3:]
        self.assertIn("over others: has no row of another system beside it", self.guard(1))
        self.rows = rows[1:]
        self.assertIn("has no usable row of ours", self.guard(1))
        self.rows = rows[:3] + rows[4:]
        self.assertIn("`copy 4096x4096 fp32`, which it is compared with, was not measured", self.guard(1))
        self.rows = [rows[0] | {"value": float("nan")}, *rows[1:]]
        self.assertIn("has no usable row of ours", self.guard(1))
        self.rows = [rows[0] | {"unit": "TFLOP/s"}, *rows[1:]]
        self.assertIn("is in TFLOP/s, and `others` in GB/s", self.guard(1))
        self.rows = []
        self.assertIn("none of the recorded rows was measured", self.guard(1, "--partial"))

    def test_new_and_better(self):
        self.rows += [row("matmul", "tessera", 500, "TFLOP/s"), row("matmul", "cublas", 400, "TFLOP/s")]
        self.assertIn("new      matmul 4096x4096 fp32 over others: 1.250, not recorded\n", self.guard(0))
        self.rows[0]["value"] = 4200
        self.assertIn("better   softmax 4096x4096 fp32 over others: 1.050, recorded 1.000", self.guard(0))

    def test_records(self):
        self.rows[0]["value"] = 3600
        self.rows[4:] = [row("matmul", "tessera", 500, "TFLOP/s"), row("matmul", "cublas", 400, "TFLOP/s")]
        words = self.guard(0, "--record")
        self.assertIn("kept     launch 4096x4096 fp32", words)
        self.assertIn("new      matmul 4096x4096 fp32", words)
        with open(self.path("recorded.json")) as file:
            self.recorded = json.load(file)
        self.assertEqual([each["ratio"] for each in self.recorded["rows"]], [0.9, 0.857, 0.9, 1.25])
        self.assertEqual(self.recorded["rows"][2]["tolerance"], 0.1)
        self.guard(0, "--partial")

    def test_bad_files(self):
        good = self.recorded
        for change, words in (({"tolerance": 1.5}, "`tolerance` is 1.5; it lies between 0 and 1"),
                              ({"tolerance": True}, "`tolerance` is true, which is no number"),
                              ({"rows": {}}, "`rows` is {}, which is no list"),
                              ({"date": "today"}, "there is no key `date`"),
                              ({"rows": [3]}, "row 1: expected an object, found 3"),
                              ({"rows": [good["rows"][0]] * 2}, "row 2: `softmax 4096x4096 fp32` over `others` is listed twice"),
                              ({"rows": [{"row": "a", "over": "b", "ratio": -1}]}, "row 1: `ratio` is -1; ratios are above 0"),
                              ({"rows": [{"row": "a", "over": "b"}]}, "row 1: `ratio` is missing"),
                              ({"rows": [good["rows"][0] | {"tolerance": 2}]}, "row 1: `tolerance` is 2")):
            self.recorded = good | change
            self.assertIn(words, self.guard(2))
        self.recorded = "not JSON"
        self.assertIn("recorded.json: is not JSON", self.guard(2))
        self.recorded = good
        self.assertIn("nowhere: No such file", self.guard(2, results=self.path("nowhere")))
        os.mkdir(self.path("empty"))
        self.assertIn("holds no .jsonl file", self.guard(2, results=self.path("empty")))
        self.rows.append("{torn")
        self.assertIn("bench.jsonl:9: is not JSON", self.guard(2))
        self.rows[-1] = {"bench": "copy"}
        self.assertIn("bench.jsonl:9: a row without 'shape'", self.guard(2))

    def test_ends_a_run(self):
        self.rows = self.rows[3:]
        self.write()
        out = self.path("out")
        os.mkdir(out)
        os.rename(self.path("bench.jsonl"), os.path.join(out, "bench.jsonl"))
        args = argparse.Namespace(guard=self.path("recorded.json"), out=out, device="cpu", first=0, scale=1)
        check = parts.Check(out, args)
        check.guard()
        args.guard = self.path("nowhere")
        check.guard()
        self.assertEqual([failed for _, _, failed in check.rows], [False, True])
        with open(os.path.join(out, "guard.txt")) as file:
            self.assertEqual(file.read(), "1 rows compared, 0 fell, 2 not measured\n")

    def test_the_recorded_file_is_good(self):
        self.write()
        result = subprocess.run([COMMAND, "--guard", RECORDED, self.path("bench.jsonl")], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(result.returncode, 1, result.stdout)  # it is whole, and nothing of it was measured here
        self.assertIn("none of the recorded rows was measured", result.stdout)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What was measured is kept: merged by name, taken from files beside, made of reports."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from place import BENCH

from book import kept, machine, measure


def row(name, median, commit="abc"):
    return {"name": name, "unit": "ms", "median": median, "commit": commit}


class Kept(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_new_rows_replace_those_of_their_name_alone(self):
        found = kept.merged([row("a", 1), row("b", 2)], [row("b", 3, "def")])
        self.assertEqual([(one["median"], one["commit"]) for one in found.values()], [(1, "abc"), (3, "def")])

    def test_commands_have_no_path_of_this_machine(self):
        self.assertEqual(kept.typed(["--output", "/home/me/a/t.md", "--keep", "bench/results", "8"]),
                         "--output t.md --keep bench/results 8")

    def test_takes_rows_of_the_machine_and_of_no_other(self):
        kept.write(self.folder / "mine-train.json", {"rows": [row("a", 1)]})
        kept.write(self.folder / "mine.json", {"rows": [row("b", 1)]})
        kept.write(self.folder / "other-train.json", {"rows": [row("c", 1)]})
        self.assertEqual([one["name"] for one in kept.rows_beside(self.folder, "mine")], ["a"])

    def test_refuses_files_that_are_not_rows(self):
        for text, problem in [("{", "expected JSON"), ('{"cells": []}', "expected {\"rows\""),
                              ('{"rows": [{"name": "a", "median": 1}]}', "found less in a")]:
            with self.subTest(text), self.assertRaisesRegex(ValueError, problem):
                (self.folder / "mine-x.json").write_text(text, encoding="utf-8")
                kept.rows_beside(self.folder, "mine")

    def test_makes_rows_of_a_report(self):
        report = {"au": 0.9975, "stopped_by": "steps", "found": True, "padding": None, "first_step_seconds": 1.5,
                  "gpus": [{"utilization_mean": 0.5}, {"utilization_mean": 0.1}], "trials": [{"a": 1}],
                  "plan": {"steps": 150}}
        rows = {one["name"]: (one["median"], one["unit"]) for one in kept.rows_of_report("train/small", report)}
        self.assertEqual(rows, {"train/small/au": (99.75, "%"), "train/small/first_step_seconds": (1.5, "s"),
                                "train/small/gpus/utilization_mean": (50, "%")})

    def test_counts_clips_as_runs(self):
        report = {"speech": {"word_error": 0.25, "clips": {"1": {"text": "a"}, "2": {"text": "b"}}}, "mel_distance_db": 3}
        rows = {one["name"]: one["runs"] for one in kept.rows_of_report("speech", report)}
        self.assertEqual(rows, {"speech/speech/word_error": 2, "speech/mel_distance_db": 1})

    def keep(self, prefix, text):
        report = self.folder / "report.json"
        report.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, BENCH / "keep.py", self.folder, prefix, report, "--seda", "seda", "--command", "seda tune"],
                              capture_output=True, text=True, check=False)

    def test_keep_adds_to_the_file_of_its_first_word(self):
        self.assertEqual(self.keep("synth/cpu", '{"times_real_time": 21}').returncode, 0)
        self.assertEqual(self.keep("synth/gpu", '{"times_real_time": 1200}').returncode, 0)
        rows = kept.rows_beside(self.folder, machine.name_of(machine.lines()))
        self.assertEqual([(one["name"], one["median"], one["command"]) for one in rows],
                         [("synth/cpu/times_real_time", 21, "seda tune"), ("synth/gpu/times_real_time", 1200, "seda tune")])
        self.assertTrue(all(one["commit"] and one["date"] for one in rows))

    def test_keep_refuses_what_has_no_numbers(self):
        for text in ("{}", "[1]", "not JSON"):
            done = self.keep("tune", text)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("expected", done.stderr)


class Machine(unittest.TestCase):
    def test_names_files_after_cpu_cores_and_gpu(self):
        about = ["CPU: Intel(R) Xeon(R) CPU Platinum 8480, 16 cores", "GPU: NVIDIA H200, 580.1", "System: Linux"]
        self.assertEqual(machine.name_of(about), "intel-xeon-platinum-8480-16-cores-nvidia-h200")
        self.assertEqual((machine.gpus_of(about), machine.cores_of(about)), (1, 16))
        self.assertEqual(machine.gpus_of(["CPU: X, 2 cores", "no GPU"]), 0)


class Google(unittest.TestCase):
    def test_takes_medians_and_leaves_out_what_failed(self):
        runs = [{"run_type": "iteration", "run_name": "a", "time_unit": "ns", "real_time": time, "cpu_time": 2 * time, "frames_fed": 3.5}
                for time in (1, 9, 2)]
        runs += [{"run_type": "aggregate", "run_name": "a", "time_unit": "ns", "real_time": 100, "cpu_time": 100},
                 {"run_type": "iteration", "run_name": "b", "time_unit": "ns", "error_occurred": True}]
        self.assertEqual(list(measure.rows_of_google(json.loads(json.dumps({"benchmarks": runs})))),
                         [{"name": "a", "unit": "ns", "median": 2, "cpu": 4, "p90": 9, "runs": 3, "frames_fed": 3.5}])


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""report.py with programs that measure nothing: what they print is kept, what fails is named, what is not run stays."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from place import BENCH

from book import machine


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.name = machine.name_of(machine.lines())

    def program(self, name, rows, status=0):
        path = self.folder / name
        path.write_text(f"#!{sys.executable}\nimport sys\nprint({json.dumps(json.dumps({'rows': rows}))})\nsys.exit({status})\n")
        path.chmod(0o755)
        return path

    def run_report(self, *arguments):
        return subprocess.run([sys.executable, BENCH / "report.py", self.folder / "results", *arguments], capture_output=True, text=True, check=False)

    def found(self):
        return json.loads((self.folder / "results" / f"{self.name}.json").read_text(encoding="utf-8"))

    def row(self, number):
        return self.found()["rows"][number - 1]

    def letters(self, median):
        return {"name": "text/letters/threads:2", "unit": "s", "median": median, "p90": median, "runs": 7}

    def test_judges_what_a_program_printed(self):
        self.assertEqual(self.run_report(self.program("text", [self.letters(0.2)])).returncode, 0)
        row = self.row(1)
        self.assertEqual((row["verdict"], row["parts"][0]["value"], row["parts"][0]["command"]), ("met", 0.2, "bench/report.py FOLDER text"))
        self.assertTrue(row["parts"][0]["commit"] and row["parts"][0]["date"])
        self.assertIn("text", self.found()["seconds"])
        self.assertIn("| 0.2 s |", (self.folder / "results" / f"{self.name}.md").read_text(encoding="utf-8"))

    def test_keeps_what_is_not_run_again(self):
        self.run_report(self.program("text", [self.letters(0.7)]))
        self.run_report(self.program("start", [{"name": "start/seda_version", "unit": "ms", "median": 9, "p90": 9, "runs": 3}]))
        self.assertEqual(self.row(1)["verdict"], "missed")
        self.assertEqual(len(self.found()["measured"]), 2)

    def test_goes_on_where_a_program_fails_and_says_so(self):
        self.run_report(self.program("text", [self.letters(0.2)]))
        done = self.run_report(self.program("text", [], status=1), self.program("start", [{"name": "a", "unit": "ms", "median": 1, "p90": 1, "runs": 1}]))
        self.assertEqual(done.returncode, 1)
        self.assertIn("text: ", done.stderr)
        self.assertEqual([one["name"] for one in self.found()["measured"]], ["text/letters/threads:2", "a"])

    def test_a_program_with_nothing_to_measure_is_no_failure(self):
        self.assertEqual(self.run_report(self.program("gpu", [], status=3)).returncode, 0)
        self.assertEqual(self.found()["measured"], [])

    def test_takes_in_files_beside_and_writes_another_machine_again(self):
        results = self.folder / "results"
        results.mkdir()
        (results / "far.json").write_text(json.dumps({"machine": ["CPU: Far, 16 cores", "GPU: NVIDIA H200, 1"], "measured": []}))
        rows = [{"name": "train/normal/frames_per_second", "unit": "/s", "median": 479999, "runs": 1, "commit": "abc"}]
        (results / "far-train.json").write_text(json.dumps({"rows": rows}))
        self.assertEqual(self.run_report("--machine", "far").returncode, 0)
        found = json.loads((results / "far.json").read_text(encoding="utf-8"))
        self.assertEqual(found["rows"][13]["verdict"], "missed")
        self.assertEqual(found["rows"][29]["verdict"], "not measured: it takes 2 GPUs, this machine has 1")
        self.assertNotEqual(self.run_report("--machine", "nowhere").returncode, 0)


if __name__ == "__main__":
    unittest.main()

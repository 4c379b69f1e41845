#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/kills.py and scripts/soak.py, for a few seconds each: scripts_test.py SEDA"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SEDA = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else Path()
SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
FIELDS = ("seconds", "rss_mib", "anonymous_mib", "gpu_mib", "descriptors", "threads", "mapped_files", "batches", "epochs",
          "loaders")


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True,
                          env={"OMP_NUM_THREADS": "1", **os.environ})


def has_torch() -> bool:
    version = subprocess.run([SEDA, "--version", "--json"], capture_output=True, text=True, check=True)
    return bool(json.loads(version.stdout)["torch"]["found"])


class Scripts(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory(prefix="seda-scripts-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def corpus(self) -> Path:
        lines = self.folder / "lines.csv"
        lines.write_text("".join(f"c{i}|Line {i}.\n" for i in range(6)))
        subprocess.run([SEDA, "corpus", self.folder / "corpus", "--transcripts", lines, "--quiet"], check=True,
                       capture_output=True)
        return self.folder / "corpus"

    def expect(self, done: subprocess.CompletedProcess[str], code: int, says: str) -> None:
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertIn(says, done.stdout + done.stderr)

    def kill(self, what: str, *flags: object) -> subprocess.CompletedProcess[str]:
        return run(SCRIPTS / "kills.py", SEDA, self.corpus(), "--what", what, "--out", self.folder / "kills", *flags)

    def test_preparing_survives_a_few_kills(self) -> None:
        self.expect(self.kill("prepare", "--kills", 8), 0, "8 kills of prepare")

    def test_training_survives_a_few_kills(self) -> None:
        if not has_torch():
            self.skipTest("no torch")
        results = self.folder / "results"
        self.expect(self.kill("train", "--kills", 3, "--steps", 30, "--keep", results), 0, "3 kills of train")
        kept, = (json.loads(file.read_text()) for file in results.glob("*-resume.json"))
        self.assertEqual([(row["name"], row["median"], row["runs"]) for row in kept["rows"]],
                         [("resume/losses", 0, 3), ("resume/kills", 3, 3), ("resume/lines_that_differ", 0, 3)])

    def test_only_kills_of_training_are_kept(self) -> None:
        self.expect(self.kill("prepare", "--kills", 1, "--keep", self.folder), 2, "--what train alone")

    def judge(self, rss, descriptors=lambda i: 9) -> subprocess.CompletedProcess[str]:
        samples = self.folder / "samples.csv"
        with samples.open("w", newline="") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            for i in range(200):
                writer.writerow({"seconds": 10 * i, "rss_mib": rss(i), "anonymous_mib": 50, "gpu_mib": "",
                                 "descriptors": descriptors(i), "threads": 4, "mapped_files": 70, "batches": 20 * i,
                                 "epochs": i, "loaders": 1 + i // 6})
        return run(SCRIPTS / "soak.py", "--read", samples)

    def test_what_is_flat_is_flat(self) -> None:
        self.expect(self.judge(lambda i: 100 + i % 6), 0, "verdict: flat")

    def test_warming_up_is_no_growth(self) -> None:
        self.expect(self.judge(lambda i: 20 + min(4 * i, 100)), 0, "verdict: flat")

    def test_a_leak_of_memory_is_found(self) -> None:
        self.expect(self.judge(lambda i: 100 + 0.1 * i + i % 6), 1, "verdict: grows: rss_mib")

    def test_a_late_peak_is_found(self) -> None:
        self.expect(self.judge(lambda i: 400 if i == 190 else 100), 1, "verdict: grows: rss_mib")

    def test_a_leak_of_descriptors_is_found(self) -> None:
        self.expect(self.judge(lambda i: 100, lambda i: 9 + i // 20), 1, "verdict: grows: descriptors")

    def test_files_open_for_a_moment_are_no_growth(self) -> None:
        self.expect(self.judge(lambda i: 100, lambda i: 20 if i in (150, 180) else 9), 0, "verdict: flat")

    def test_too_few_samples_are_no_verdict(self) -> None:
        (self.folder / "few.csv").write_text(",".join(FIELDS) + "\n10,1,1,,1,1,1,1,1,1\n")
        self.expect(run(SCRIPTS / "soak.py", "--read", self.folder / "few.csv"), 3, "expected 20 samples")

    def test_a_training_run_is_watched(self) -> None:
        if not has_torch():
            self.skipTest("no torch")
        done = run(SCRIPTS / "soak.py", SEDA, self.corpus(), "--what", "train", "--minutes", 0.3, "--every-seconds", 0.5,
                   "--allow-mib", 2000, "--out", self.folder / "soak", "--", "--model-size", "tiny", "--batch-size", 2)
        self.expect(done, 0, "verdict: flat")

    def test_a_program_that_ends_is_no_verdict(self) -> None:
        done = run(SCRIPTS / "soak.py", SEDA, self.folder / "missing", "--what", "train", "--minutes", 0.2,
                   "--every-seconds", 0.2, "--out", self.folder / "soak")
        self.expect(done, 3, "ended by itself with")


if __name__ == "__main__":
    unittest.main(verbosity=2)

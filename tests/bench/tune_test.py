#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tune_bench.py with a program that measures nothing: it chooses a worker for each core that nobody keeps busy, and
leaves their number to the loader where that is all of them."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from place import BENCH

import tune_bench
from book import kept, machine

CORES = 4
# Those started by whoever started it are the busy ones.
SEDA = f"""#!{sys.executable}
import json, os, sys
from pathlib import Path
parent = os.getppid()
busy = len(Path(f"/proc/{{parent}}/task/{{parent}}/children").read_text().split()) - 1
with open(os.environ["CALLS"], "a") as calls:
    calls.write(json.dumps([busy, sys.argv[1:]]) + "\\n")
if "--version" in sys.argv: sys.exit(1)
if "missing" in sys.argv: sys.exit("error: no corpus there")
workers = {CORES} - busy if busy else "auto"
print(json.dumps({{"best_share": 0.97, "seconds": 2.0 + busy, "chosen": {{"num_workers": workers}}}}))
"""


class TuneBench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.seda = self.folder / "seda"
        self.seda.write_text(SEDA, encoding="utf-8")
        self.seda.chmod(0o755)
        self.log = self.folder / "calls"
        os.environ["CALLS"] = str(self.log)
        self.addCleanup(os.environ.pop, "CALLS")

    def calls(self):
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]

    def measure(self, cores):
        rows = tune_bench.measure(self.seda, "corpus", 3, cores)
        return {row["name"]: (row["median"], row["unit"], row["runs"]) for row in rows}

    def test_has_share_seconds_and_threads_left_to_others(self):
        self.assertEqual(self.measure(CORES), {
            "tune_grid/best_share": (97, "%", 3), "tune/seconds": (2, "s", 3), "tune/workers": (4, "threads", 3),
            "tune/workers_beside_others": (1, "threads", 3), "tune/fewer_threads": (3, "threads", 3)})

    def test_tunes_alone_and_beside_all_cores_but_one_in_turn(self):
        self.measure(CORES)
        self.assertEqual([busy for busy, _ in self.calls()], [0, 0, 0, 0, 3, 0, 3, 0, 3])
        self.assertEqual(["--grid" in words for _, words in self.calls()], 3 * [True] + 6 * [False])

    def test_two_cores_have_no_threads_to_leave(self):
        self.assertNotIn("tune/fewer_threads", self.measure(2))

    def test_ends_what_it_started_also_where_tuning_fails(self):
        with self.assertRaises(SystemExit) as failed, tune_bench.BusyCores(2) as busy:
            tune_bench.tune(self.seda, "missing")
        self.assertIn("no corpus there", str(failed.exception))
        self.assertEqual([process.poll() is not None for process in busy.processes], [True, True])

    def test_keeps_rows_that_the_book_asks_for(self):
        done = subprocess.run([sys.executable, BENCH / "tune_bench.py", self.seda, "corpus", "--runs", "1", "--keep", self.folder, "--",
                               "--batch-size", "32"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(all(words[-2:] == ["--batch-size", "32"] for _, words in self.calls() if "tune" in words))
        rows = kept.rows_beside(self.folder, machine.name_of(machine.lines()))
        self.assertEqual([row["name"] for row in rows], [row["name"] for row in json.loads(done.stdout)["rows"]])
        self.assertEqual(rows[0]["command"], "bench/tune_bench.py SEDA CORPUS --runs 1 -- --batch-size 32")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a measured row is held against, and what is said where there is none."""
import json
import tempfile
import unittest
from pathlib import Path

from place import BENCH, LAPTOP, SERVER

from book import judge


def measured(**rows):
    return {name: {"name": name, "unit": "ms", "median": value, "p90": 2 * value, "runs": 9, "commit": "abc"} if not isinstance(value, dict)
            else {"name": name, "commit": "abc", **value} for name, value in rows.items()}


def judged(part, rows, about=SERVER):
    return judge.judge_part({"what": "it", "of": "own", "unit": "ms", **part}, rows, "own_bench", about)


class Limits(unittest.TestCase):
    def test_most_is_met_at_the_limit_and_missed_above(self):
        self.assertEqual(judged({"most": 5}, measured(own=5))["verdict"], "met")
        self.assertEqual(judged({"most": 5}, measured(own=5.0001))["verdict"], "missed")

    def test_least_is_met_at_the_limit_and_missed_below(self):
        self.assertEqual(judged({"least": 5}, measured(own=5))["verdict"], "met")
        self.assertEqual(judged({"least": 5}, measured(own=4.9999))["verdict"], "missed")

    def test_a_target_of_nothing_is_nothing(self):
        self.assertEqual(judged({"most": 0}, measured(own=0))["verdict"], "met")
        self.assertEqual(judged({"most": 0}, measured(own=0.02458))["verdict"], "missed")

    def test_without_a_target_a_number_is_only_measured(self):
        self.assertEqual(judged({}, measured(own=1))["verdict"], "measured")

    def test_a_stretch_is_judged_apart(self):
        found = judged({"most": 5, "stretch": 1}, measured(own=2))
        self.assertEqual((found["verdict"], found["stretch_met"]), ("met", False))
        self.assertIsNone(judged({"most": 5, "stretch": "as fast as memory"}, measured(own=2))["stretch_met"])

    def test_carries_value_p90_commit_and_source(self):
        rows = measured(own={"unit": "ms", "median": 3, "p90": 4, "runs": 9, "source": "old.md"})
        found = judged({"most": 5}, rows)
        self.assertEqual([found[key] for key in ("value", "p90", "commit", "source")], [3, 4, "abc", "old.md"])

    def test_one_run_has_no_p90(self):
        self.assertIsNone(judged({"most": 5}, measured(own={"unit": "ms", "median": 3, "p90": 3, "runs": 1}))["p90"])


class Peers(unittest.TestCase):
    def test_value_over_peer(self):
        part = {"peer": "peer", "compare": "value/peer", "on": "comparison", "most": 1}
        self.assertEqual(judged(part, measured(own=4, peer=5))["ratio"], 0.8)
        self.assertEqual(judged(part, measured(own=4, peer=5))["verdict"], "met")
        self.assertEqual(judged(part, measured(own=6, peer=5))["verdict"], "missed")

    def test_peer_over_value(self):
        part = {"peer": "peer", "compare": "peer/value", "on": "comparison", "least": 10}
        self.assertEqual(judged(part, measured(own=1, peer=10))["verdict"], "met")
        self.assertEqual(judged(part, measured(own=10, peer=1))["verdict"], "missed")

    def test_value_less_peer(self):
        part = {"peer": "peer", "compare": "value-peer", "on": "comparison", "most": 3}
        self.assertEqual(judged(part, measured(own=17, peer=14))["verdict"], "met")
        self.assertEqual(judged(part, measured(own=18, peer=14))["verdict"], "missed")

    def test_threads_share_a_comparison(self):
        part = {"peer": "peer", "compare": "peer/value", "on": "comparison", "least": 0.9, "threads": 8}
        self.assertEqual(judged(part, measured(own=1, peer=7.2))["ratio"], 0.9)
        self.assertEqual(judged(part, measured(own=1, peer=7))["verdict"], "missed")

    def test_without_its_peer_a_comparison_is_not_measured_but_the_value_stays(self):
        found = judged({"peer": "peer", "compare": "value/peer", "on": "comparison", "most": 1}, measured(own=4))
        self.assertEqual(found["verdict"], "not measured: nothing kept of the peer peer")
        self.assertEqual(found["value"], 4)

    def test_a_peer_beside_a_limit_need_not_be_there(self):
        self.assertEqual(judged({"peer": "peer", "compare": "value/peer", "most": 5}, measured(own=4))["verdict"], "met")

    def test_says_where_the_peer_is_of_another_commit(self):
        rows = measured(own=4, peer=5)
        self.assertNotIn("peer_commit", judged({"peer": "peer", "compare": "value/peer"}, rows))
        rows["peer"]["commit"] = "def"
        self.assertEqual(judged({"peer": "peer", "compare": "value/peer"}, rows)["peer_commit"], "def")


class Absence(unittest.TestCase):
    def verdict(self, part, rows=None, about=SERVER):
        return judged(part, rows or {}, about)["verdict"]

    def test_names_what_the_machine_lacks(self):
        self.assertEqual(self.verdict({"most": 1, "gpus": 1}, about=LAPTOP), "not measured: it takes 1 GPU, this machine has none")
        self.assertEqual(self.verdict({"most": 1, "gpus": 2}), "not measured: it takes 2 GPUs, this machine has 1")
        self.assertEqual(self.verdict({"most": 1, "cores": 16}, about=LAPTOP), "not measured: it takes 16 cores, this machine has 2")

    def test_what_was_measured_without_it_is_not_judged(self):
        self.assertEqual(self.verdict({"most": 1, "gpus": 1}, measured(own=0.5), LAPTOP),
                         "not measured: it takes 1 GPU, this machine has none")
        self.assertEqual(self.verdict({"most": 1, "gpus": 1}, measured(own=0.5)), "met")

    def test_names_the_program_where_nothing_was_kept(self):
        self.assertEqual(self.verdict({"most": 1}), "not measured: nothing kept of own_bench on this machine")
        self.assertIn("nothing kept of other_bench", self.verdict({"most": 1, "program": "other_bench"}))

    def test_gives_the_reason_of_the_book(self):
        self.assertEqual(self.verdict({"most": 1, "reason": "nobody can"}), "not measured: nobody can")

    def test_a_field_that_was_not_kept_is_not_measured(self):
        self.assertEqual(self.verdict({"most": 1, "field": "p99"}, measured(own=0.5)), "not measured: own_bench kept no p99 of own")

    def test_too_few_runs_are_not_a_measurement(self):
        self.assertEqual(self.verdict({"most": 1, "runs": 20}, measured(own=0)), "not measured: 9 runs, 20 are asked for")
        self.assertEqual(self.verdict({"most": 1, "runs": 9}, measured(own=0)), "met")


class Rows(unittest.TestCase):
    def of(self, *verdicts):
        return judge.verdict_of([{"verdict": verdict} for verdict in verdicts])

    def test_one_missed_part_misses_the_row(self):
        self.assertEqual(self.of("met", "missed", "not measured: x"), "missed")

    def test_is_met_where_all_parts_are(self):
        self.assertEqual(self.of("met", "met"), "met")
        self.assertEqual(self.of("met", "measured"), "met")
        self.assertEqual(self.of("measured"), "measured")

    def test_is_not_met_where_a_part_is_not_measured(self):
        self.assertEqual(self.of("met", "not measured: x"), "not measured: 1 of 2 parts, x")
        self.assertEqual(self.of("not measured: x", "not measured: x", "not measured: y"), "not measured: x; y")


class Book(unittest.TestCase):
    def read(self, part):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.json"
            path.write_text(json.dumps({"rows": [], "others": [{"what": "", "of": "own", **part}]}), encoding="utf-8")
            return judge.read_book(path)

    def test_refuses_parts_that_ask_for_nothing_that_is_known(self):
        for part, problem in [({"limit": 5}, "found \\['limit'\\]"), ({"peer": "peer"}, "expected compare"),
                              ({"on": "comparison"}, "beside a peer"), ({"most": 1, "least": 2}, "one of them"),
                              ({"stretch": 2}, "one of them")]:
            with self.subTest(part), self.assertRaisesRegex(ValueError, problem):
                self.read(part)

    def test_has_thirty_rows_in_order_each_with_what_makes_it(self):
        rows = judge.read_book(BENCH / "rows.json")["rows"]
        self.assertEqual([row["number"] for row in rows], list(range(1, 31)))
        for row in rows:
            for key in ("measures", "program", "command", "takes"):
                self.assertTrue(row[key], f"row {row['number']} has no {key}")
            self.assertTrue(row["parts"])

    def test_names_programs_that_are_there(self):
        for row in judge.read_book(BENCH / "rows.json")["rows"]:
            for word in [word.strip() for word in row["program"].split(",")]:
                if not word.startswith("seda "):
                    places = [BENCH.parent / word, BENCH / word, BENCH / f"{word}.cpp"]
                    self.assertTrue(any(place.exists() for place in places), f"row {row['number']}: {word}")

    def test_keeps_rows_under_the_names_that_it_asks_for(self):
        for row in judge.read_book(BENCH / "rows.json")["rows"]:
            prefixes = row.get("kept_as", "").split("`")[1::2]
            for part in row["parts"] if prefixes else []:
                self.assertTrue(any(part["of"].startswith(prefix + "/") for prefix in prefixes), part["of"])


if __name__ == "__main__":
    unittest.main()

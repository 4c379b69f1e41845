#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The results that are kept are what the book makes of them now, and say where each comes from."""
import json
import re
import unittest

from place import BENCH, RESULTS

from book import judge, kept, machine, pages

MACHINES = sorted(path.stem for path in RESULTS.glob("*.json") if "rows" in (found := kept.read(path)) and "measured" in found)


class Results(unittest.TestCase):
    def each(self):
        book = judge.read_book(BENCH / "rows.json")
        self.assertGreaterEqual(len(MACHINES), 2)
        files = {name: kept.read(RESULTS / f"{name}.json") for name in MACHINES}
        return [(book, name, found, kept.merged(found["measured"], [])) for name, found in files.items()]

    def test_rows_are_judged_by_the_book_as_it_is(self):
        for book, name, found, measured in self.each():
            rows = json.loads(json.dumps(judge.judge(book, measured, found["machine"])))
            self.assertEqual(found["rows"], rows, f"write it again: bench/report.py bench/results --machine {name}")

    def test_the_page_is_written_from_the_json(self):
        for book, name, found, measured in self.each():
            details = judge.judge_details(book, measured, found["machine"])
            text = pages.results(found["machine"], found["rows"], measured, details, found["seconds"])
            self.assertEqual((RESULTS / f"{name}.md").read_text(encoding="utf-8"), text)

    def test_files_are_named_after_their_machine(self):
        for _, name, found, _ in self.each():
            self.assertEqual(machine.name_of(found["machine"]), name)

    def test_every_number_says_its_commit_its_command_and_its_day(self):
        for _, _, found, _ in self.each():
            for row in found["measured"]:
                self.assertTrue(row["commit"] and row["command"], row["name"])
                self.assertRegex(row.get("date") or row["kept"], r"^\d{4}-\d\d-\d\d$")

    def test_numbers_carried_over_stand_in_their_source(self):
        for _, _, found, _ in self.each():
            for row in found["measured"]:
                if "source" in row and not re.match("diagnosis/|resume/", row["name"]):
                    text = (RESULTS / row["source"]).read_text(encoding="utf-8").replace(",", "")
                    numbers = {float(word) for word in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]\d+)?", text)}
                    self.assertIn(row["median"], numbers, f"{row['name']} of {row['source']}")


if __name__ == "__main__":
    unittest.main()

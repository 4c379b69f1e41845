#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a reader sees of what was judged."""
import re
import unittest

from place import BENCH, LAPTOP, ROOT

from book import judge, pages

BOOK = {"rows": [
    {"number": 1, "measures": "text", "program": "text_bench", "parts": [
        {"what": "letters", "of": "letters", "unit": "s", "most": 0.5, "stretch": 0.1},
        {"what": "phonemes", "of": "phonemes", "unit": "s", "most": 1.5}]},
    {"number": 2, "measures": "a GPU's work", "program": "gpu_bench", "parts": [
        {"what": "few", "of": "few", "unit": "ms", "most": 1, "gpus": 1}, {"what": "many", "of": "many", "unit": "ms", "most": 1, "gpus": 1}]},
], "others": [{"what": "", "of": "start", "unit": "ms", "most": 20}]}
MEASURED = {
    "letters": {"name": "letters", "unit": "s", "median": 0.08, "p90": 0.1, "runs": 7, "commit": "abc", "command": "text_bench"},
    "phonemes": {"name": "phonemes", "unit": "s", "median": 2.134, "p90": 2.2, "runs": 7, "commit": "def", "source": "old.md", "note": "Before."},
    "start": {"name": "start", "unit": "ms", "median": 25, "runs": 1, "commit": "abc"},
    "a|b": {"name": "a|b", "unit": "us/clip", "median": 10, "items_per_second": 250000, "commit": "abc"},
}


def source_of(program):
    """Where a row's program is written; None of a verb."""
    if "/" in program:
        return ROOT / program
    if program.startswith("seda "):
        return None
    return BENCH / (program if program.endswith(".py") else f"{program}.cpp")


def page():
    rows = judge.judge(BOOK, MEASURED, LAPTOP)
    return pages.results(LAPTOP, rows, MEASURED, judge.judge_details(BOOK, MEASURED, LAPTOP), {"text_bench": 31.4})


class Page(unittest.TestCase):
    def test_shows_value_target_stretch_verdict_and_commit(self):
        self.assertIn("| 1 | text: letters | 0.08 s | 0.1 |  |  | ≤ 0.5 s | ≤ 0.1 s: met | met | abc |", page())

    def test_shows_a_miss_its_note_and_its_source(self):
        self.assertIn("|  | phonemes | 2.134 s | 2.2 |  |  | ≤ 1.5 s |  | **missed**. Before. | def ([kept](old.md)) |", page())

    def test_gives_one_reason_once(self):
        self.assertIn("| 2 | a GPU's work: few, many |  |  |  |  | ≤ 1 ms |  | not measured: it takes 1 GPU, this machine has none |", page())

    def test_counts_rows(self):
        self.assertIn("- 1 missed, at least in part: 1\n- 1 not measured, at least in part: 2\n", page())

    def test_rows_stand_before_details(self):
        text = page()
        self.assertLess(text.index("## The rows"), text.index("## Everything measured"))
        self.assertIn("| start | 25 |  |  | ms | 1 |  | ≤ 20 ms | **missed** | abc |", text)
        self.assertIn("| a\\|b | 10 |  |  | us/clip |  | 0.25 M/s |  |  | abc |", text)
        self.assertIn("| text_bench | 31 |", text)

    def test_every_line_of_a_table_has_as_many_cells_as_its_head(self):
        cells = 0
        for line in page().splitlines():
            found = line.replace("\\|", "").count("|")
            if found and cells:
                self.assertEqual(found, cells, line)
            cells = found


class Words(unittest.TestCase):
    def test_of_limits(self):
        for part, words in [({"most": 0, "unit": "MB"}, "0 MB"), ({"least": 30000, "unit": "clips/s"}, "≥ 30,000 clips/s"),
                            ({"most": 0.8, "on": "comparison", "compare": "value/peer"}, "≤ 0.8 × the peer"),
                            ({"least": 10, "on": "comparison", "compare": "peer/value"}, "≥ 10 × as fast"),
                            ({"least": 0.9, "on": "comparison", "compare": "peer/value", "threads": 8}, "≥ 0.9 of a thread alone"),
                            ({"least": -0.3, "on": "comparison", "compare": "value-peer"}, "≥ the peer's − 0.3"),
                            ({"most": 3, "unit": "%", "on": "comparison", "compare": "value-peer"}, "≤ the peer's + 3 %"), ({}, "")]:
            with self.subTest(part):
                self.assertEqual(judge.words_of(part, judge.target_of(part)), words)

    def test_the_first_page_has_every_row_as_the_book_has_it(self):
        text = (BENCH / "README.md").read_text(encoding="utf-8")
        for line in pages.contents(judge.read_book(BENCH / "rows.json")).splitlines():
            self.assertIn(line, text, "write the table of bench/README.md again: bench/report.py --contents")

    def test_every_program_says_first_which_rows_are_its_own(self):
        rows = {}
        for row in judge.read_book(BENCH / "rows.json")["rows"]:
            for program in row["program"].split(", "):
                if path := source_of(program):
                    rows.setdefault(path, []).append(row["number"])
        for path, numbers in rows.items():
            with self.subTest(path):
                head = path.read_text(encoding="utf-8")[:600]
                said = re.search(r"Rows? ([\d, and]+) of bench/README\.md", head)
                self.assertEqual([int(number) for number in re.findall(r"\d+", said.group(1) if said else "")], numbers)


if __name__ == "__main__":
    unittest.main()

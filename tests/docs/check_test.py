#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""That docs_test finds what is wrong with a document: tests/docs/check_test.py SEDA"""
import sys
import tempfile
import unittest
from pathlib import Path

import docs_test
import document
import transcript

SEDA = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else Path("seda")


class Documents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.checker = docs_test.Checker(SEDA, self.folder)

    def problems(self, text: str, name: str = "page.md") -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        self.checker.check(document.read(path), name, None)
        return "\n".join(self.checker.problems)

    def test_takes_a_document_that_is_right(self):
        text = "```console\n$ seda config show data.batch_size --quiet\ndata.batch_size  8  default\n```\n`seda prepare DIR`\n"
        self.assertEqual(self.problems(text), "")
        self.assertEqual(self.checker.counts["ran"], 1)
        self.assertEqual(self.checker.counts["inline calls parsed"], 1)

    def test_finds_output_that_differs(self):
        text = "```console\n$ seda config show data.batch_size --quiet\ndata.batch_size  8  seda.yaml\n```\n"
        self.assertIn("the document shows", self.problems(text))

    def test_finds_a_line_that_is_not_shown(self):
        self.assertIn("the document shows", self.problems("```console\n$ printf 'a\\nb\\n'\na\n```\n"))

    def test_finds_a_command_that_fails(self):
        self.assertIn("expected exit code 0, found 2", self.problems("```sh\nseda config show --batch-size 0\n```\n"))

    def test_holds_exit_codes_exactly(self):
        self.assertEqual(self.problems("```console\n$ false\n$ echo $?\n1\n```\n"), "")
        self.assertIn("the document shows", self.problems("```console\n$ false\n$ echo $?\n2\n```\n", "other.md"))

    def test_finds_flags_verbs_and_values_of_commands_that_are_not_run(self):
        for command, problem in [
            ("seda train practice --bach-size 3", "has no flag --bach-size"),
            ("torchrun --nproc-per-node 8 seda trian practice", "no verb 'trian'"),
            ("seda cache look practice", "has no verb 'look'"),
            ("seda train practice --batch-size 0", "expected an integer from 1 to 4096"),
            ("seda train practice --model-size huge", "expected one of"),
            ("seda watch -- seda train --max-step 3", "has no flag --max-step"),
        ]:
            with self.subTest(command):
                self.checker.problems.clear()
                text = f"<!-- not run: long -->\n```sh\n{command}\n```\n"
                self.assertIn(problem, self.problems(text, f"{abs(hash(command))}.md"))

    def test_finds_wrong_calls_in_prose(self):
        self.assertIn("has no flag --colour", self.problems("Use `seda mel clip.wav --colour`.\n"))

    def test_knows_a_closed_list_of_reasons(self):
        self.assertIn("expected one of", self.problems("<!-- not run: tired -->\n```sh\ntrue\n```\n"))

    def test_wants_every_fence_to_say_what_it_holds(self):
        self.assertIn("a fence says what it holds", self.problems("```\nseda demo\n```\n"))
        self.assertIn("commands in a block of text", self.problems("```text\nseda demo\n```\n", "other.md"))

    def test_loads_settings(self):
        self.assertIn("expected settings that are taken", self.problems("```yaml\ndata:\n  batch_sise: 3\n```\n"))

    def test_wants_an_answer_to_older_commands(self):
        text = "<!-- older commands -->\n```text\ntrain_main.py --batch-size 16\ntrain_main.py --speed 3\nno_such_tool.py\n```\n"
        found = self.problems(text)
        self.assertIn("has no flag --speed", found)
        self.assertIn("no_such_tool.py: expected the verb", found)
        self.assertEqual(self.checker.counts["older commands answered"], 2)

    def test_finds_messages_that_no_source_has(self):
        text = "| message | cause |\n|---|---|\n| `BUILDING CACHE: …` | |\n| `the moon is …` | |\n"
        found = self.problems(text, "troubleshooting.md")
        self.assertIn("'the moon is'", found)
        self.assertNotIn("BUILDING", found)

    def test_finds_links_to_nothing(self):
        docs_test.ROOT, before = self.folder, docs_test.ROOT
        self.addCleanup(setattr, docs_test, "ROOT", before)
        path = self.folder / "page.md"
        path.write_text("# One thing\n\n[a](#one-thing) [b](#another) [c](gone.md) [d](page.md#one-thing)\n", encoding="utf-8")
        self.checker.check_links({path: document.read(path)})
        self.assertEqual(len(self.checker.problems), 2, self.checker.problems)


class Transcripts(unittest.TestCase):
    def test_leaves_numbers_times_sizes_and_paths_loose(self):
        self.assertTrue(transcript.matches(["read 1,200 clips in 1.2 s, 3 MiB"], "read 7 clips in 800 ms, 12.5 KiB\n"))
        self.assertTrue(transcript.matches(["free in /home/a/b"], "free in /tmp/x\n"))
        self.assertFalse(transcript.matches(["read 3 clips"], "wrote 3 clips\n"))

    def test_lines_of_a_slow_machine_are_passed_over(self):
        self.assertTrue(transcript.matches(["a", "b"], "a\nprepare:  45 %  9/20 clips\nstep 3/8\nb\n"))
        self.assertFalse(transcript.matches(["a", "b"], "a\nstep 3/8, loss 1\nb\n"))

    def test_dots_stand_for_lines_and_for_parts_of_one(self):
        self.assertTrue(transcript.matches(["a", "…", "d"], "a\nb\nc\nd\n"))
        self.assertTrue(transcript.matches(["a … d"], "a b c d\n"))
        self.assertFalse(transcript.matches(["a", "…", "d"], "a\nb\nc\n"))


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of every document, and holds what cannot be run against the program's own verbs and flags.

    tests/docs/docs_test.py SEDA [DOCUMENT...]

Each document has a folder of its own with what it says is given. How blocks are marked: CONTRIBUTING.md.
Nothing is left out in silence: the last lines count what ran, what was only parsed and why.
"""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import document
import transcript
from program import Program

ROOT = Path(__file__).resolve().parents[2]
SECONDS_A_COMMAND = 240
READERS = {"json": json.loads, "python": lambda text: compile(text, "a document", "exec")}
TRAINER = re.compile(r"\bseda (?:train|synth|demo|profile step|profile dual)\b")
PATHS_OF_OURS = re.compile(r"^(?:scripts|bench|examples|python|tests)/\S+")


def documents() -> list[Path]:
    pages = [ROOT / name for name in ("README.md", "README.fa.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md")]
    return [page for page in pages if page.exists()] + sorted((ROOT / "docs").rglob("*.md"))


class Checker:
    def __init__(self, seda: Path, scratch: Path):
        self.program = Program(seda)
        self.trainer = self.program.has_trainer()
        self.scratch = scratch
        self.problems: list[str] = []
        self.counts: collections.Counter[str] = collections.Counter()
        self.lock = threading.Lock()
        self.environment = {**os.environ, "PATH": f"{seda.parent}:{os.environ['PATH']}", "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
                            "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}
        for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT"):
            self.environment.pop(name, None)

    def fail(self, where: str, text: str) -> None:
        with self.lock:
            self.problems.append(f"{where}: {text}")

    def count(self, what: str, number: int = 1) -> None:
        with self.lock:
            self.counts[what] += number

    def make_corpus(self) -> None:
        done = self.shell("seda corpus practice --clips 60 --quiet", self.scratch)
        if done.returncode != 0:
            raise RuntimeError(f"the practice corpus could not be made: {done.stdout}")

    def shell(self, command: str, folder: Path, status: int = 0) -> subprocess.CompletedProcess:
        return subprocess.run(["bash", "-c", f"(exit {status}); {command}"], cwd=folder, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=SECONDS_A_COMMAND, check=False)

    # One document.

    def check(self, page: document.Document, name: str, twin: document.Document | None) -> None:
        began = time.monotonic()
        self.problems += page.problems
        folder = self.scratch / (name.replace("/", "_") + ".run")
        folder.mkdir()
        for given in page.given:
            shutil.copytree(self.scratch / "practice", folder / given)
        same = twin is not None and twin.runnable() == page.runnable()
        for block in page.blocks:
            self.check_block(block, f"{name}:{block.line}", folder, same)
        for line, code in page.inline_code():
            self.check_inline(code, f"{name}:{line}")
        if Path(name).name == "troubleshooting.md":
            self.check_messages(page, name)
        print(f"{name}: {time.monotonic() - began:.1f} s{', same blocks as in English' if same else ''}", flush=True)

    def check_block(self, block: document.Block, where: str, folder: Path, same: bool) -> None:
        if block.language in ("sh", "console"):
            self.check_commands(block, where, folder, same)
        elif block.language == "yaml":
            self.check_settings(block, where, folder)
        elif block.language in READERS:
            self.check_reading(block, where)
        elif "older commands" in block.marks:
            self.check_older(block, where)
        elif re.search(r"^(?:\$ |seda )", block.text, re.M):
            self.fail(where, "commands in a block of text; expected a block sh or console")

    def check_commands(self, block: document.Block, where: str, folder: Path, same: bool) -> None:
        try:
            steps = transcript.steps_of(block.language, block.text, block.line)
        except ValueError as error:
            self.fail(where, str(error))
            return
        why = block.not_run
        if why is None and not self.trainer and TRAINER.search(block.text):
            why = "this build has no trainer"
        place = where.rsplit(":", 1)[0]
        if why is None and same:
            self.count("ran in English", len(steps))
        elif why is None:
            self.run_steps(steps, place, folder)
        else:
            self.count(f"parsed: {why}", len(steps))
        for step in steps:
            for problem in self.program.problems_of(step.command) if why and not step.shows_error else []:
                self.fail(f"{place}:{step.line}", problem)
            if (match := PATHS_OF_OURS.match(step.command)) and not (ROOT / match.group()).exists():
                self.fail(f"{place}:{step.line}", f"{match.group()} is not there")

    def run_steps(self, steps: list[transcript.Step], place: str, folder: Path) -> None:
        status = 0
        for number, step in enumerate(steps):
            where = f"{place}:{step.line}: {step.command}"
            try:
                done = self.shell(step.command, folder, status)
            except subprocess.TimeoutExpired:
                self.fail(where, f"did not end within {SECONDS_A_COMMAND} s")
                return
            self.count("ran")
            status = done.returncode
            told = step.shows_error or (number + 1 < len(steps) and steps[number + 1].command == "echo $?")
            if status != 0 and not told:
                self.fail(where, f"expected exit code 0, found {status}:\n{done.stdout}")
            exact = step.command == "echo $?" and done.stdout.split() != (step.shown or [])
            if step.shown is not None and (exact or not transcript.matches(step.shown, done.stdout)):
                shown = "\n".join("  " + line for line in step.shown)
                printed = "\n".join("  " + line for line in transcript.clean(done.stdout))
                self.fail(where, f"the document shows\n{shown}\nand it printed\n{printed}")

    def check_settings(self, block: document.Block, where: str, folder: Path) -> None:
        if "another program's" in block.marks:
            self.count("settings of other programs")
            return
        match = re.match(r"# ([\w.-]+\.yaml)\n", block.text)
        path = folder / (match.group(1) if match else "block.yaml")
        path.write_text(block.text, encoding="utf-8")
        done = self.shell(f"seda config show --quiet --config {path.name}", folder)
        wrong = "wrong on purpose" in block.marks
        if done.returncode != (2 if wrong else 0):
            self.fail(where, f"expected settings that are {'refused' if wrong else 'taken'}, found:\n{done.stdout}")
        if not match:
            path.unlink()
        self.count("settings loaded")

    def check_reading(self, block: document.Block, where: str) -> None:
        try:
            READERS[block.language](block.text)
        except (SyntaxError, ValueError) as error:
            self.fail(where, f"not {block.language}: {error}")
        self.count(f"{block.language} read")

    def check_older(self, block: document.Block, where: str) -> None:
        """Command lines of the older guides: the program names the verb, and the verb takes every flag and value."""
        for line in block.text.splitlines():
            words = line.split()
            done = self.program.run(*words)
            match = re.search(r"call it as: seda (.*)", done.stderr)
            if done.returncode != 2 or not match:
                self.fail(where, f"{line}: expected the verb that replaced it, found: {done.stderr or done.stdout}")
                continue
            for problem in self.program.problems_of_call(match.group(1).split()):
                self.fail(where, f"{line}: {problem}")
            self.count("older commands answered")

    def check_inline(self, code: str, where: str) -> None:
        match = re.match(r"^(?:python -m )?seda ((?:-|[a-z]).*)$", code)
        if not match:
            return
        call = re.sub(r"[\[\]]", " ", match.group(1)).replace("\\|", "|").replace("|", "\\|")
        for problem in self.program.problems_of("seda " + call, may_be_short=True):
            self.fail(where, f"`{code}`: {problem}")
        self.count("inline calls parsed")

    def check_messages(self, page: document.Document, name: str) -> None:
        """The first column of each table is what the program prints, `…` for what differs."""
        literals = source_literals()
        for line, cell in page.first_cells():
            for message in re.findall(r"`([^`]+)`", cell):
                parts = [part.strip() for part in message.replace("\\|", "|").split("…")]
                for part in parts:
                    if len(part) > 3 and part not in literals:
                        self.fail(f"{name}:{line}", f"no message of the program has the words {part!r}")
                self.count("messages found in the source")

    # Links between documents.

    def check_links(self, pages: dict[Path, document.Document]) -> None:
        for path, page in pages.items():
            for line, link in page.links():
                if re.match(r"^[a-z]+:", link):
                    continue
                target, _, anchor = link.partition("#")
                file = (path.parent / target).resolve() if target else path
                where = f"{path.relative_to(ROOT)}:{line}"
                if not file.exists():
                    self.fail(where, f"link to {link}: no such file")
                elif anchor and file.suffix == ".md":
                    other = pages.get(file) or document.read(file)
                    if anchor not in other.anchors():
                        self.fail(where, f"link to {link}: no such heading; there are {sorted(other.anchors())}")
                self.count("links")


def source_literals() -> str:
    """Every string of the sources, neighbours joined and placeholders cut out, one a line."""
    lines = []
    for path in (ROOT / "src").rglob("*"):
        if path.suffix in (".cpp", ".h", ".cu"):
            text = path.read_text(encoding="utf-8").replace("'\"'", "")  # a character, and no string begins
            text = re.sub(r'"\s*\n\s*"', "", text)
            lines += re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    return "\n".join(re.sub(r"\{[^{}]*\}", "\n", line.replace('\\"', '"')) for line in lines)


def english_twin(path: Path) -> Path | None:
    if path.name == "README.fa.md":
        return ROOT / "README.md"
    twin = ROOT / "docs" / path.name
    return twin if path.parent == ROOT / "docs/fa" and twin.exists() else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seda", type=Path)
    parser.add_argument("documents", nargs="*", type=Path)
    options = parser.parse_args()
    paths = [path.resolve() for path in options.documents] or documents()
    pages = {path: document.read(path) for path in paths}
    with tempfile.TemporaryDirectory(prefix="seda-docs-") as scratch:
        checker = Checker(options.seda.resolve(), Path(scratch))
        checker.make_corpus()
        checker.check_links(pages)
        with ThreadPoolExecutor(2) as pool:
            work = []
            for path, page in pages.items():
                twin = english_twin(path)
                name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name
                work.append(pool.submit(checker.check, page, name, pages.get(twin) if twin else None))
            for one in work:
                one.result()
    for problem in checker.problems:
        print(f"\nerror: {problem}")
    print(f"\n{len(pages)} documents")
    for what, number in sorted(checker.counts.items()):
        print(f"  {what}: {number}")
    print(f"  problems: {len(checker.problems)}")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())

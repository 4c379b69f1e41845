# SPDX-License-Identifier: Apache-2.0
"""A Markdown document as the test sees it: fenced blocks with their marks, inline code, links, anchors, tables."""
import re
from dataclasses import dataclass, field
from pathlib import Path

LANGUAGES = {"sh", "console", "text", "yaml", "json", "python"}
# Why a block of commands is not run but only held against the program's verbs and flags.
NOT_RUN = {
    "build": "clones, installs or builds",
    "gpu": "needs a GPU",
    "long": "takes minutes or hours",
    "ranks": "starts several processes or machines",
    "waits": "runs until someone stops it",
    "yours": "names files of the reader's own",
}
MARKS = {"wrong on purpose", "another program's", "older commands"}
GIVEN = {"practice", "corpora/voice"}

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})\s*(.*?)\s*$")
_COMMENT = re.compile(r"^\s*<!--\s*(.*?)\s*-->\s*$")
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
_HTML_LINK = re.compile(r"<(?:img|a)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"")
_HTML_ANCHOR = re.compile(r"<[a-z]+\b[^>]*?\b(?:id|name)=\"([^\"]+)\"")


@dataclass
class Block:
    """A fenced block."""

    line: int  # of its first line of content
    language: str
    text: str
    marks: list[str] = field(default_factory=list)

    @property
    def not_run(self) -> str | None:
        return next((mark.removeprefix("not run:").strip() for mark in self.marks if mark.startswith("not run:")), None)


@dataclass
class Document:
    path: Path
    blocks: list[Block]
    given: list[str]
    prose: list[tuple[int, str]]  # lines outside of blocks
    problems: list[str]

    def inline_code(self):
        for line, text in self.prose:
            for match in _CODE.finditer(text):
                yield line, match.group(1)

    def links(self):
        for line, text in self.prose:
            bare = _CODE.sub("", text)
            for match in (*_LINK.finditer(bare), *_HTML_LINK.finditer(bare)):
                yield line, match.group(1)

    def anchors(self) -> set[str]:
        found: set[str] = set()
        for _, text in self.prose:
            found.update(_HTML_ANCHOR.findall(text))
            if match := re.match(r"^ {0,3}#{1,6}\s+(.*?)\s*#*$", text):
                found.update(_slugs(match.group(1), found))
        return found

    def first_cells(self):
        """The first column of every table, without its head."""
        rows = [(line, text.strip()) for line, text in self.prose if text.strip().startswith("|")]
        for before, (line, text) in zip([(0, "")] + rows, rows):
            head = any(number == line + 1 and re.match(r"^\|[\s:|-]+\|$", other) for number, other in rows)
            if not head and not re.match(r"^\|[\s:|-]+\|$", text):
                yield line, re.split(r"(?<!\\)\|", text)[1].strip()

    def runnable(self):
        """What running the document depends on: equal in two languages, it need not be run twice."""
        return [(block.language, block.text, block.marks) for block in self.blocks if block.language != "text"], self.given


def _slugs(heading: str, taken: set[str]) -> set[str]:
    """A heading's anchor on GitHub; of zero-width joiners both ways are accepted."""
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda m: m.group(1) or "", heading).lower()
    slugs = set()
    for keep in ("", "\u200c"):
        slug = "".join(c for c in text if c.isalnum() or c in " -_" + keep or "\u064b" <= c <= "\u0652").replace(" ", "-")
        number = 0
        while (name := slug if number == 0 else f"{slug}-{number}") in taken:
            number += 1
        slugs.add(name)
    return slugs


def read(path: Path) -> Document:
    document = Document(path, [], [], [], [])
    marks: list[str] = []
    block: Block | None = None
    fence = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if block is not None:
            if line.strip() == fence:
                document.blocks.append(block)
                block = None
            else:
                block.text += line + "\n"
            continue
        if match := _FENCE.match(line):
            fence = match.group(1)
            block = Block(number + 1, match.group(2), "", marks)
            _check_fence(document, block)
            marks = []
            continue
        if match := _COMMENT.match(line):
            _take_comment(document, number, match.group(1), marks)
            continue
        if line.strip() and not line.strip().startswith(("<div", "</div")):
            if marks:
                document.problems.append(f"{path}:{number}: expected a fenced block after the mark, found prose")
            marks = []
        document.prose.append((number, line))
    if block is not None:
        document.problems.append(f"{path}:{block.line}: the fenced block has no end")
    return document


def _take_comment(document: Document, number: int, text: str, marks: list[str]) -> None:
    where = f"{document.path}:{number}"
    if text.startswith("given:"):
        document.given += text.removeprefix("given:").split()
        for name in set(document.given) - GIVEN:
            document.problems.append(f"{where}: given: expected some of {sorted(GIVEN)}, found {name!r}")
    elif text.startswith("not run:"):
        if text.removeprefix("not run:").strip() not in NOT_RUN:
            document.problems.append(f"{where}: not run: expected one of {sorted(NOT_RUN)}, found {text!r}")
        marks.append(text)
    elif text in MARKS:
        marks.append(text)


def _check_fence(document: Document, block: Block) -> None:
    if block.language not in LANGUAGES:
        document.problems.append(
            f"{document.path}:{block.line - 1}: a fence says what it holds: expected one of {sorted(LANGUAGES)}, "
            f"found {block.language!r}"
        )

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sets the direction marks of Persian Markdown and looks for slips of spelling.

    scripts/persian.py README.fa.md docs/fa/*.md            sets &lrm; and &rlm; where they are needed, removes all others
    scripts/persian.py --check README.fa.md docs/fa/*.md    changes nothing; names every slip; 1 where there is one

A mark is needed where a browser would otherwise move the dashes of `--flag` to its other end, or read two Latin words with a Persian
comma between them from left to right. Marks stand outside of code, so that what is copied is clean.
"""
import argparse
import re
import sys
import unicodedata

LEFT, RIGHT = "&lrm;", "&rlm;"
MARKS = re.compile(f"{LEFT}|{RIGHT}")
ATOM = re.compile(r"(?P<code>`[^`]+`)|(?P<hidden>\]\([^)]*\)|</?[a-z][^>]*>|[*\[\]\\])|(?P<char>.)", re.S)
PREFIX = re.compile(r"\s*(?:[-*>]|\d+\.|#+)\s+")
CODE = re.compile(r"`[^`]*`")
FENCE = "```"
PERSIAN = "\u0600-\u06ff"


def side(char):
    kind = unicodedata.bidirectional(char)
    return {"L": "left", "R": "right", "AL": "right", "EN": "digit", "AN": "digit"}.get(kind, "neutral")


def parts_words(gap, plain):
    """Whether what lies between two left-to-right pieces parts them; within a Latin phrase or a number it does not."""
    if not plain:
        return gap != ""
    return re.search(r"[،؛؟«»…٪]|[.:!()]\s|\s[(]", gap) is not None


def mark_block(text):
    """A paragraph, a heading, an item or a cell."""
    out, end, gap, plain = [], None, "", True  # end: place in out behind the last left-to-right piece that nothing Persian follows
    for atom in ATOM.finditer(MARKS.sub("", text)):
        piece = atom.group(0)
        if atom.lastgroup == "hidden":
            out.append(piece)
            plain = plain and not piece.startswith("](")
            continue
        code = piece.strip("` ") if atom.lastgroup == "code" else ""
        kind = side(piece) if not code else "right" if any(side(c) == "right" for c in code) else "left"
        if kind == "right":
            end = None
        elif kind == "neutral":
            gap += piece
        elif kind == "left" or end is not None:
            plain = plain and not code and piece not in "۰۱۲۳۴۵۶۷۸۹"
            parted = end is not None and parts_words(gap, plain)
            if parted:
                behind = next((i + 1 for i in range(end, len(out)) if out[i] in "،؛؟.:…)»"), end)
                out.insert(behind, RIGHT)
            if parted and kind == "digit":
                end = None
            else:
                out += [LEFT] if code and side(code[0]) != "left" else []
                out.append(piece)
                out += [LEFT] if code and not code[-1].isalnum() else []
                end, gap, plain = len(out), "", not code
                continue
        out.append(piece)
    return re.sub(r"C\+\+(?!\w)", "C++" + LEFT, "".join(out))


def blocks(lines):
    """(lines, kind) in order; kind is one of text, row, other."""
    text, fenced, left = [], False, 0
    for line in lines:
        fence = line.startswith(FENCE)
        left += line.startswith('<div dir="ltr">')
        other = fenced or fence or left or line.startswith("<") or not line.strip()
        if text and (other or line.startswith("|") or PREFIX.match(line)):
            yield text, "text"
            text = []
        if other:
            yield [line], "other"
        elif line.startswith("|"):
            yield [line], "row"
        else:
            text.append(line)
        fenced ^= fence
        left -= bool(left) and line.startswith("</div>")
    if text:
        yield text, "text"


def marked(source):
    out = []
    for lines, kind in blocks(source.split("\n")):
        if kind == "text":
            prefix = PREFIX.match(lines[0])
            begin = prefix.group(0) if prefix else ""
            lines = (begin + mark_block("\n".join(lines)[len(begin):])).split("\n")
        elif kind == "row":
            lines = ["|".join(mark_block(cell) for cell in re.split(r"(?<!\\)\|", lines[0]))]
        out += lines
    return "\n".join(out)


SLIPS = [
    ("an Arabic letter or digit where Persian has its own", re.compile("[يكىة٠-٩]")),
    ("a space before punctuation", re.compile(r"\s[،؛؟»]|\s[.:](?:\s|$)")),
    ("no space behind punctuation", re.compile(r"[،؛؟][^\s»)*|]")),
    ("a space instead of a ZWNJ", re.compile(rf"(?<![{PERSIAN}\u200c])ن?می (?=[{PERSIAN}])|(?<=[{PERSIAN}]) (?:ها|های|هایی|ترین)(?![{PERSIAN}\u200c])")),
    ("two spaces", re.compile(r"\S  +\S")),
    ("Latin punctuation behind Persian", re.compile(rf"(?<=[{PERSIAN}])[,;?%]")),
]


def slips(source):
    number = 0
    for lines, kind in blocks(source.split("\n")):
        for line in lines:
            number += 1
            if kind == "other":
                continue
            plain = CODE.sub("x", MARKS.sub("", line))
            yield from ((number, what) for what, pattern in SLIPS if pattern.search(plain))
        first = re.search(rf"[A-Za-z{PERSIAN}]", PREFIX.sub("", lines[0], count=1)) if kind == "text" else None
        if first and first.group(0).isascii() and not lines[0].startswith(("[English]", "![")):
            yield number, "a paragraph that begins with a Latin letter, which a browser takes for left-to-right"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE.md")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    failed = False
    for path in options.files:
        with open(path, encoding="utf-8") as file:
            source = file.read()
        result = marked(source)
        for number, what in slips(source):
            print(f"{path}:{number}: {what}", file=sys.stderr)
            failed = True
        if result == source:
            continue
        if options.check:
            print(f"{path}: direction marks are missing or left over: run scripts/persian.py {path}", file=sys.stderr)
            failed = True
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(result)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Commands with the output that a document shows, and whether what they print is that, numbers left loose."""
import re
from dataclasses import dataclass

_LOOSE = [
    (re.compile(r"\[[#.<>]{8,}\]"), "[bar]"),
    (re.compile(r"(?<![\w.])/(?:[\w.+-]+/)*[\w.+-]+"), "PATH"),
    (re.compile(r"(?:\b\d[\d,]*(?:\.\d+)?\s?(?:ns|µs|ms|s|min|h)\b\s?)+"), "TIME "),
    (re.compile(r"\b\d[\d,]*(?:\.\d+)?\s?(?:B|KiB|MiB|GiB|TiB)\b"), "SIZE"),
    (re.compile(r"\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?"), "N"),
    (re.compile(r"\((?:good|fair|poor)\)"), "(band)"),
    (re.compile(r"\s+"), " "),
]
_PROGRESS = re.compile(r"^(\S+: +\d+ % +\d+/\d+ |step \d+/\d+$)")


@dataclass
class Step:
    """A command and, where the document shows it, its output."""

    line: int
    command: str
    shown: list[str] | None = None

    @property
    def shows_error(self) -> bool:
        return any(line.startswith("error:") for line in self.shown or [])


def steps_of(language: str, text: str, first_line: int) -> list[Step]:
    return _transcript(text, first_line) if language == "console" else _script(text, first_line)


def _script(text: str, first_line: int) -> list[Step]:
    steps, held, begin = [], "", first_line
    for number, line in enumerate(text.splitlines(), first_line):
        if not held:
            begin = number
        if line.endswith("\\"):
            held += line[:-1]
            continue
        command = held + line
        held = ""
        if command.strip() and not command.lstrip().startswith("#"):
            steps.append(Step(begin, command.strip()))
    return steps


def _transcript(text: str, first_line: int) -> list[Step]:
    steps: list[Step] = []
    for number, line in enumerate(text.splitlines(), first_line):
        if line.startswith("$ "):
            steps.append(Step(number, line[2:], []))
        elif not steps:
            raise ValueError(f"line {number}: expected '$ COMMAND' first, found {line!r}")
        elif line.startswith("> ") and not steps[-1].shown:
            steps[-1].command += "\n" + line[2:]
        else:
            steps[-1].shown.append(line)
    return steps


def loosen(line: str) -> str:
    for pattern, word in _LOOSE:
        line = pattern.sub(word, line)
    return line.strip()


def matches(shown: list[str], printed: str) -> bool:
    """`…` alone on a line stands for any lines, within a line for anything; empty lines are not compared."""
    pattern = ""
    for line in shown:
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        elif line.strip():
            pattern += ".*".join(re.escape(loosen(part)) if part else "" for part in _parts(line)) + r" ?\n"
    printed = "".join(loosen(line) + "\n" for line in clean(printed) if line.strip())
    return re.fullmatch(pattern, printed) is not None


def _parts(line: str) -> list[str]:
    return [part.strip() for part in line.split("…")]


def clean(printed: str) -> list[str]:
    """Lines without those that only tell how far a slow machine has come."""
    return [line for line in printed.splitlines() if not _PROGRESS.match(line)]

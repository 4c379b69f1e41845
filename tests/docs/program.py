# SPDX-License-Identifier: Apache-2.0
"""What the program takes, by its own word: verbs, flags and choices as its completion script has them."""
import re
import shlex
import subprocess
from pathlib import Path

_OPERATORS = {"|", "||", "&&", ";", "&"}
_PLACEHOLDER = re.compile(r"^[A-Z][A-Z_]*$|…|\.\.\.|^<.*>$")


class Program:
    def __init__(self, path: Path):
        self.path = path
        script = self.run("completion", "bash").stdout
        self.words = {verb: words.split() for verb, words in re.findall(r"^    '([\w/]*)'\) words='(.*)' ;;$", script, re.M)}
        self.choices = {
            (verb, flag): shlex.split(words)[0].split() if words else []
            for verb, flag, words in re.findall(
                r"^    '([\w/]*):(-[\w-]+)'\) COMPREPLY=\(\$\(compgen (?:-f|-W ('.*?')) --", script, re.M
            )
        }
        self._values: dict[tuple[str, ...], str] = {}
        if len(self.words) < 10 or not self.choices:
            raise RuntimeError(f"{path} completion bash: expected verbs and flags, found {len(self.words)}")

    def run(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([str(self.path), *arguments], capture_output=True, text=True, check=False)

    def has_trainer(self) -> bool:
        return '"found": true' in self.run("--version", "--json").stdout

    def problems_of(self, command: str, may_be_short: bool = False) -> list[str]:
        """What is wrong with each call of the program in a line of shell; prose may name a flag without its value."""
        try:
            lexer = shlex.shlex(command, posix=True, punctuation_chars="|&;")
            lexer.whitespace_split = True
            words = list(lexer)
        except ValueError as error:
            return [f"not a line of shell ({error}): {command}"]
        found = []
        part: list[str] = []
        for word in [*words, ";"]:
            if word in _OPERATORS:
                found += self._problems_of_part(part, may_be_short)
                part = []
            else:
                part.append(word)
        return found

    def _problems_of_part(self, words: list[str], may_be_short: bool = False) -> list[str]:
        for place, word in enumerate(words):
            if word == "seda" and place + 1 < len(words):
                return self.problems_of_call(words[place + 1 :], may_be_short)
        return []

    def problems_of_call(self, words: list[str], may_be_short: bool = False) -> list[str]:
        """Of the words behind `seda`; a word `a|b` stands for each of them."""
        for place, word in enumerate(words):
            if "|" in word and not word.startswith("-"):
                calls = [[*words[:place], one, *words[place + 1 :]] for one in word.split("|")]
                return [problem for call in calls for problem in self.problems_of_call(call, may_be_short)]
        verb, rest = "", list(words)
        while rest and f"{verb}/{rest[0]}" in self.words:
            verb += f"/{rest.pop(0)}"
        call = "seda" + verb.replace("/", " ")
        has_verbs = any(other.startswith(verb + "/") for other in self.words)
        if has_verbs and rest and not rest[0].startswith("-") and not _PLACEHOLDER.search(rest[0]):
            return self._answer_to_old_name(rest) if verb == "" else [f"'{call}' has no verb {rest[0]!r}"]
        return self._problems_of_flags(verb, call, rest, may_be_short)

    def _answer_to_old_name(self, words: list[str]) -> list[str]:
        answer = self.run(*words).stderr
        match = re.search(r"call it as: seda (.*)", answer)
        return self.problems_of_call(shlex.split(match.group(1))) if match else [f"no verb {words[0]!r}"]

    def _problems_of_flags(self, verb: str, call: str, words: list[str], may_be_short: bool) -> list[str]:
        found, settings = [], []
        while words:
            word = words.pop(0)
            if word == "--":
                return found + self._problems_of_part(words, may_be_short)
            if not re.match(r"^--?[a-zA-Z]", word) or (verb == "/watch" and not word.startswith("-")):
                continue
            flag, equals, value = word.partition("=")
            if flag not in self.words[verb]:
                found.append(f"'{call}' has no flag {flag}")
                continue
            if (verb, flag) not in self.choices:
                settings.append([flag])
                continue
            if not equals:
                if not words:
                    found += [] if may_be_short else [f"'{call}': {flag} wants a value"]
                    continue
                value = words.pop(0)
            if _PLACEHOLDER.search(value):
                continue
            choices = self.choices[verb, flag]
            if choices and value not in choices and not any(_PLACEHOLDER.search(choice) for choice in choices):
                found.append(f"'{call}': {flag}: expected one of {choices}, found {value!r}")
            settings.append([flag, value])
        return found + self._problems_of_values(settings)

    def _problems_of_values(self, settings: list[list[str]]) -> list[str]:
        """Flags of the configuration have types and ranges: `config show` knows them all."""
        known = [one for one in settings if one[0] in self.words["/config/show"] and one[0] not in ("--config", "--json")]
        arguments = tuple(word for one in known for word in one)
        if arguments not in self._values:
            self._values[arguments] = ""
            if arguments:
                done = subprocess.run([str(self.path), "config", "show", *arguments], capture_output=True, text=True,
                                      check=False, cwd="/")
                if done.returncode != 0:
                    self._values[arguments] = done.stderr.strip()
        return [self._values[arguments]] if self._values[arguments] else []

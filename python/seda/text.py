# SPDX-License-Identifier: Apache-2.0
"""The text frontend: written lines to normalised text, phonemes and token ids."""
from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from typing import Any, overload

from . import settings
from .errors import UsageError
from .native import _seda

STAGES = ("normalize", "phonemes", "tokens")


class Frontend:
    """The frontend of one configuration. Remembers lines; thread-safe.

    stage: how far it goes: 'normalize', 'phonemes' or 'tokens'.
    language: of every line, such as 'en' or 'fa' [detected].
    config: a YAML file, or a dictionary of keys (data.text.*).
    """

    def __init__(self, stage: str = "tokens", *, language: str | None = None,
                 config: settings.Configuration = None) -> None:
        self.stage = settings.text("stage", stage)
        self._native = _seda.Frontend(settings.read(config, settings.arguments(language=language)), stage)

    def lines(self, texts: Iterable[str]) -> list[dict[str, Any]]:
        """For each line what `seda text --json` prints: input, language, normalized, phonemes, tokens, unknown."""
        if isinstance(texts, (str, bytes)) or not isinstance(texts, Iterable):
            raise UsageError(f"texts: expected lines of text, found {texts!r}; line() takes one")
        checked = [settings.text("texts", text) for text in texts]
        return json.loads(self._native.apply(checked)) if checked else []

    def line(self, text: str) -> dict[str, Any]:
        return self.lines([text])[0]


@functools.lru_cache(maxsize=16)
def _frontend(stage: str, language: str | None) -> Frontend:
    return Frontend(stage, language=language)


def _apply(text: Any, field: str, stage: str, language: str | None, config: settings.Configuration) -> Any:
    if config is None and isinstance(language, (str, type(None))):
        frontend = _frontend(stage, language)
    else:
        frontend = Frontend(stage, language=language, config=config)
    if isinstance(text, str):
        return frontend.line(text)[field]
    return [line[field] for line in frontend.lines(text)]


@overload
def normalize(text: str, language: str | None = None,  # type: ignore[overload-overlap]
              config: settings.Configuration = None) -> str: ...
@overload
def normalize(text: Iterable[str], language: str | None = None, config: settings.Configuration = None) -> list[str]: ...
def normalize(text: Any, language: str | None = None, config: settings.Configuration = None) -> Any:
    """A line, or each of several, with numbers, dates, money and abbreviations in words.

    >>> seda.text.normalize("Dr. Smith paid $3.50.")
    'Doctor Smith paid three dollars and fifty cents.'
    """
    return _apply(text, "normalized", "normalize", language, config)


@overload
def phonemes(text: str, language: str | None = None,  # type: ignore[overload-overlap]
             config: settings.Configuration = None) -> str: ...
@overload
def phonemes(text: Iterable[str], language: str | None = None, config: settings.Configuration = None) -> list[str]: ...
def phonemes(text: Any, language: str | None = None, config: settings.Configuration = None) -> Any:
    """A line, or each of several, as phonemes. Needs espeak-ng on the machine."""
    return _apply(text, "phonemes", "phonemes", language, config)


@overload
def tokens(text: str, language: str | None = None,  # type: ignore[overload-overlap]
           config: settings.Configuration = None) -> list[int]: ...
@overload
def tokens(text: Iterable[str], language: str | None = None,
           config: settings.Configuration = None) -> list[list[int]]: ...
def tokens(text: Any, language: str | None = None, config: settings.Configuration = None) -> Any:
    """A line, or each of several, as token ids: those that batches have."""
    return _apply(text, "tokens", "tokens", language, config)

# SPDX-License-Identifier: Apache-2.0
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from corpus import make_corpus, make_loader  # noqa: E402


@pytest.fixture(scope="session")
def corpus(tmp_path_factory) -> Path:
    return make_corpus(tmp_path_factory.mktemp("corpus") / "voice")


@pytest.fixture
def load(corpus):
    """Makes loaders of the corpus, closed after the test."""
    made = []

    def make(**arguments):
        made.append(make_loader(corpus, **arguments))
        return made[-1]

    yield make
    for loader in made:
        loader.close()

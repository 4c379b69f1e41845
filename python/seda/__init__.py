# SPDX-License-Identifier: Apache-2.0
"""seda prepares and feeds text-to-speech corpora: batches on the device before they are asked for.

>>> import seda
>>> for batch in seda.Loader("corpora/voice", batch_size=32, output="torch"):
...     train_on(batch.tokens, batch.mel)

docs/python.md has the rest. No other library is needed; torch, NumPy and JAX take batches without a copy.
"""
from . import text
from .batch import Batch
from .cache import Cache
from .diagnosis import diagnose
from .errors import (CheckFailed, ConfigError, Error, InternalError, OutOfMemory, StorageError, Unavailable,
                     UsageError)
from .loader import Loader
from .spectrogram import Mel, mel
from .native._seda import Tensor, set_log_level
from .native._seda import version as __version__
from .preparation import prepare

__all__ = [
    "Batch", "Cache", "CheckFailed", "ConfigError", "Error", "InternalError", "Loader", "Mel", "OutOfMemory",
    "StorageError", "Tensor", "Unavailable", "UsageError", "__version__", "diagnose", "mel", "prepare",
    "set_log_level", "text",
]

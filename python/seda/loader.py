# SPDX-License-Identifier: Apache-2.0
"""The loader: batches of a corpus, ready on a device before they are asked for."""
from __future__ import annotations

import atexit
import functools
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from . import settings
from .batch import Batch, converter
from .errors import ConfigError, UsageError
from .native import _seda

atexit.register(_seda.end)  # threads end before the interpreter does


def _of_environment(name: str) -> int:
    try:
        return int(os.environ[name])
    except ValueError:
        raise UsageError(f"{name}: expected an integer in the environment, found {os.environ[name]!r}") from None


def _launched() -> tuple[int, int]:
    """The ranks of torchrun, else those of torch.distributed, else of a process alone."""
    if "RANK" in os.environ and "WORLD_SIZE" in os.environ:
        return _of_environment("RANK"), _of_environment("WORLD_SIZE")
    distributed = getattr(sys.modules.get("torch"), "distributed", None)
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        return distributed.get_rank(), distributed.get_world_size()
    return 0, 1


def _ranks(rank: int | None, world_size: int | None) -> tuple[int, int, int]:
    """This process among those that train together, how many they are, and how many on this machine."""
    if (rank is None) != (world_size is None):
        raise UsageError(f"expected rank and world_size together, found rank={rank}, world_size={world_size}")
    if rank is None:
        rank, world_size = _launched()
    world_size = settings.integer("world_size", world_size, 1)
    rank = settings.integer("rank", rank, 0, world_size - 1)
    local = _of_environment("LOCAL_WORLD_SIZE") if world_size > 1 and "LOCAL_WORLD_SIZE" in os.environ else 1
    return rank, world_size, max(1, min(local, world_size))


class _Epoch:
    """The batches of one epoch that have not been given out. Several may share them, in any threads."""

    def __init__(self, native: _seda.Loader, convert: Callable[[Any], Any]) -> None:
        self._native = native
        self._convert = convert
        self._epoch, _ = native.position()

    def __iter__(self) -> Iterator[Batch]:
        return self

    def __next__(self) -> Batch:
        held = self._native.next(self._epoch)
        if held is None:
            raise StopIteration
        return Batch(held, self._convert)


class Loader:
    """The batches of a corpus, epoch after epoch, in an order that is a function of seed and epoch.

    >>> loader = seda.Loader("corpora/voice", batch_size=32, device="cuda:0", output="torch")
    >>> for epoch in range(10):
    ...     for batch in loader:
    ...         loss = model(batch.tokens, batch.mel)

    A corpus that is not prepared, or has changed since, is prepared first. Batches are made ahead by threads that need no
    interpreter lock. `for` goes through what is left of an epoch, and the next `for` through the next; one that was left
    with `break` is gone on with. Thread-safe: each batch is given to one caller.

    path: corpus folder, or its metadata file [data.dataset_path].
    batch_size: clips, for each rank [data.batch_size, 16].
    batch_frames: as many clips as fit so many padded frames, for each rank, instead [data.batch_frames, none].
    device: where batches are: 'cpu', 'cuda:0', a torch.device [data.model_gpu, else the first GPU, else the CPU].
    data_device: who makes mels and pads [where batches are].
    seed: of the order [training.seed].
    config: a YAML file, or a dictionary of keys; arguments override it. No other file is read.
    split: 'train' or 'validation'. shuffle: [True for train]. drop_last: leave out clips that fill no batch.
    rank, world_size: this process among those that train together [RANK and WORLD_SIZE of torchrun, else those of
    torch.distributed, else alone].
    num_workers: threads [chosen while it runs]. cache_dir: of the prepared corpus [<corpus>/.seda].
    prepare: False reads raw files, without a cache.
    output: what a batch's arrays are: 'dlpack' (seda.Tensor, for any library), 'torch', 'numpy' (on the CPU) or 'jax'.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, batch_size: int | None = None,
                 batch_frames: int | None = None, device: settings.Device = None, data_device: settings.Device = None,
                 seed: int | None = None, config: settings.Configuration = None, split: str = "train",
                 shuffle: bool | None = None, drop_last: bool = False, rank: int | None = None,
                 world_size: int | None = None, num_workers: int | None = None,
                 cache_dir: str | os.PathLike[str] | None = None, prepare: bool = True,
                 output: str = "dlpack") -> None:
        self._process = os.getpid()
        self._convert = converter(output)
        self._ranks = _ranks(rank, world_size)
        self._config = settings.read(config, settings.arguments(
            batch_size=batch_size, batch_frames=batch_frames, device=device, data_device=data_device, seed=seed,
            num_workers=num_workers, cache_dir=cache_dir))
        if output == "numpy":
            self._stay_on_the_cpu()
        self._split = settings.text("split", split)
        self._shuffle = split == "train" if shuffle is None else settings.flag("shuffle", shuffle)
        self._drop_last = settings.flag("drop_last", drop_last)
        self._native = _seda.Loader(settings.corpus_of(path, self._config), self._config, split, self._ranks,
                                    (self._shuffle, self._drop_last, settings.flag("prepare", prepare)))
        self._most_clips: int = max(bucket["batch_size"] for bucket in self.buckets)

    def _stay_on_the_cpu(self) -> None:
        asked = self._config.get("data.model_gpu")
        if asked is None:
            self._config.set_device("data.model_gpu", "cpu", "output")
        elif asked != "cpu":
            raise UsageError(f"output='numpy' needs batches on the CPU, found data.model_gpu {asked}; use device='cpu'")

    def __iter__(self) -> Iterator[Batch]:
        """What is left of the epoch that comes next."""
        return _Epoch(self._native, self._convert)

    def __len__(self) -> int:
        """Batches of an epoch, the same for all."""
        return self._native.batches_per_epoch

    def __bool__(self) -> bool:
        return True

    # Where it is

    @property
    def epoch(self) -> int:
        """Of the batch that comes next: after the last batch of an epoch, the epoch after it."""
        return self._native.position()[0]

    def set_epoch(self, epoch: int) -> None:
        """Goes to the start of an epoch; where the loader is there already, nothing happens."""
        epoch = settings.integer("epoch", epoch, 0)
        if self._native.position() != (epoch, 0):
            self._native.seek((epoch, 0))

    def state_dict(self) -> dict[str, Any]:
        """Where the loader is, and what must be the same for another to go on from there. Plain numbers and names."""
        epoch, batch = self._native.position()
        return {"version": 2, "epoch": epoch, "batch": batch, **self._order()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on from a state: what follows is what followed there, on any number of workers and any device."""
        if not isinstance(state, Mapping):
            raise ConfigError(f"state: expected what state_dict() gave, found {state!r}")
        if state.get("version") != 2:
            raise ConfigError(f"state: expected version 2, found {state.get('version')!r}")
        own = self._order()
        differences = [f"{name}: {state.get(name)!r} there, {value!r} here"
                       for name, value in own.items() if state.get(name) != value and name != "order"]
        if not differences and state.get("order") != own["order"]:
            differences = ["other clips there, or the same in other buckets (data.num_buckets, data.max_mel_frames)"]
        if differences:
            raise ConfigError("the state is of another order of batches: " + "; ".join(differences))
        epoch, batch = state["epoch"], state["batch"]
        if not (isinstance(epoch, int) and isinstance(batch, int) and epoch >= 0 and 0 <= batch <= len(self)):
            raise ConfigError(f"state: expected an epoch and a batch of it, at most {len(self)}, found {epoch!r}, {batch!r}")
        if batch == len(self):
            epoch, batch = epoch + 1, 0
        if self._native.position() != (epoch, batch):
            self._native.seek((epoch, batch))

    def _order(self) -> dict[str, Any]:
        return {
            "seed": self._config.get("training.seed"),
            **self._batches(),
            "batches": len(self),
            "clips": self._native.clips,
            "split": self._split,
            "shuffle": self._shuffle,
            "drop_last": self._drop_last,
            "order": self._digest,
        }

    @functools.cached_property
    def _digest(self) -> str:
        """Of the clips and their buckets."""
        return self._native.order()

    def _batches(self) -> dict[str, Any]:
        """What says how many clips of a shape the batches of all ranks have."""
        if self.batch_frames is None:
            return {"batch_size": self.batch_size * self._ranks[1]}
        return {"batch_frames": self.batch_frames, "ranks": self._ranks[1]}

    # What it feeds

    @property
    def device(self) -> str:
        """Where batches are."""
        return self._native.device

    @property
    def data_device(self) -> str:
        """Where they are made."""
        return self._native.data_device

    @property
    def batch_size(self) -> int:
        """Clips, for each rank; with `batch_frames`, of the largest batch."""
        if self.batch_frames is not None:
            return self._most_clips
        size: int = self._config.get("data.batch_size")
        return size

    @property
    def batch_frames(self) -> int | None:
        """Padded frames that a batch may have, for each rank; None where it has a fixed number of clips."""
        frames: int | None = self._config.get("data.batch_frames")
        return frames

    @property
    def rank(self) -> int:
        return self._ranks[0]

    @property
    def world_size(self) -> int:
        return self._ranks[1]

    @property
    def speakers(self) -> list[str]:
        """Names; a batch has their places here."""
        return self._native.speakers

    @property
    def languages(self) -> list[str]:
        return self._native.languages

    @property
    def buckets(self) -> list[dict[str, int]]:
        """The shapes that batches have."""
        buckets: list[dict[str, int]] = json.loads(self._native.buckets())
        return buckets

    @property
    def mel(self) -> dict[str, Any]:
        """The definition of the mels."""
        mel: dict[str, Any] = json.loads(self._native.mel)
        return mel

    @property
    def slots(self) -> int:
        """Batches that there is memory for."""
        return self._native.slots

    # What it did

    def statistics(self) -> dict[str, Any]:
        """Since the start: batches, clips, frames, time waited for batches, and each stage."""
        counted: dict[str, Any] = json.loads(self._native.statistics())
        return counted

    def faults(self) -> list[dict[str, str]]:
        """Bad clips, those set aside at the start and those met so far, each once: id, code, evidence."""
        faults: list[dict[str, str]] = json.loads(self._native.faults())
        return faults

    # Its life

    def set_workers(self, workers: int) -> None:
        """Changes the number of threads that read: 1 to 256."""
        self._native.set_workers(settings.integer("workers", workers, 1, 256))

    def close(self) -> None:
        """Ends the threads, and waits in others for a batch. Batches and arrays that are still there stay good."""
        self._native.close()

    def __enter__(self) -> Loader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a seda.Loader is not copied to another process: make it there, or leave out worker processes, "
                        "which it does not need")

    def __repr__(self) -> str:
        if self._process != os.getpid():
            return f"seda.Loader(of process {self._process})"
        try:
            return (f"seda.Loader({self._native.clips} clips, {len(self)} batches an epoch, {self.device}, "
                    f"rank {self.rank} of {self.world_size})")
        except UsageError:
            return "seda.Loader(closed)"

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""In place of the dataset, collate function and DataLoader of a text-to-speech project.

    examples/python/dataset_replacement.py CORPUS [--device cuda:0] [--epochs 2] [--characters]

`MatchaBatches` gives the dictionaries of Matcha-TTS' TextMelBatchCollate, for its train_dataloader(); `CoquiBatches`
those of the collate function of Coqui's TTSDataset, for its get_data_loader(). The model's vocabulary and mels must be
the loader's. What a corpus has no arrays for is None: durations, and for Coqui pitch, energy, waveforms, linear
spectrograms, vectors of speakers. Arrays of another type, order or scale than the loader's are copies; the others are
its memory.
"""
import argparse

import torch

import seda


class MatchaBatches:
    """What Matcha-TTS calls x are token ids, and y normalised mels."""

    def __init__(self, loader, mel_mean=0.0, mel_std=1.0):
        self.loader = loader
        self.mel_mean, self.mel_std = mel_mean, mel_std

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        for batch in self.loader:
            yield {
                "x": batch.tokens,
                "x_lengths": batch.token_lengths,
                "y": (batch.mel - self.mel_mean) / self.mel_std,
                "y_lengths": batch.mel_lengths,
                "spks": batch.speakers if len(self.loader.speakers) > 1 else None,
                "filepaths": batch.ids,
                "x_texts": None,
                "durations": None,
            }


class CoquiBatches:
    """Coqui has long texts first, frames before bands, and a mark from the last frame on."""

    def __init__(self, loader):
        self.loader = loader

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        for batch in self.loader:
            order = batch.token_lengths.argsort(descending=True)
            as_fed = batch.ids
            ids = [as_fed[row] for row in order.tolist()]
            lengths, speakers = batch.mel_lengths[order].long(), batch.speakers[order].long()
            frames = torch.arange(batch.mel.shape[2], device=lengths.device)
            yield {
                "token_id": batch.tokens[order].long(),
                "token_id_lengths": batch.token_lengths[order].long(),
                "mel": batch.mel[order].transpose(1, 2),
                "mel_lengths": lengths,
                "stop_targets": (frames >= lengths[:, None] - 1).float(),
                "speaker_ids": speakers,
                "speaker_names": [self.loader.speakers[speaker] for speaker in speakers.tolist()],
                "language_ids": batch.languages[order].long(),
                "item_idxs": ids,
                "audio_unique_names": ids,
                **dict.fromkeys(("attns", "d_vectors", "energy", "linear", "pitch", "raw_text", "waveform")),
            }


def mel_statistics(batches):
    """Mean and standard deviation of all real frames: one pass over the corpus."""
    count, total, squares = 0, 0.0, 0.0
    for batch in batches:
        real = batch.mel.transpose(1, 2)[batch.mel_mask].double()
        count += real.numel()
        total += real.sum().item()
        squares += real.square().sum().item()
    mean = total / count
    return mean, (squares / count - mean**2) ** 0.5


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus")
    parser.add_argument("--device", default="cuda:0" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--characters", action="store_true", help="letters instead of phonemes: needs no espeak-ng")
    arguments = parser.parse_args()

    config = {"data.text": {"phonemes": False, "tokenizer": "characters"}} if arguments.characters else None
    loader = seda.Loader(arguments.corpus, batch_size=8, device=arguments.device, seed=1, config=config, output="torch")
    mean, deviation = mel_statistics(loader)
    print(f"mel_mean {mean:.3f}, mel_std {deviation:.3f}")
    loader.set_epoch(0)

    # A stand-in for the project's own model: one mel for each speaker.
    voices = torch.zeros(max(1, len(loader.speakers)), loader.mel["n_mels"], device=arguments.device, requires_grad=True)
    optimizer = torch.optim.Adam([voices], lr=0.1)
    for epoch in range(arguments.epochs):
        losses = []
        for batch in MatchaBatches(loader, mean, deviation):
            guess = voices[batch["spks"] if batch["spks"] is not None else torch.zeros_like(batch["x_lengths"])]
            frames = torch.arange(batch["y"].shape[2], device=arguments.device) < batch["y_lengths"][:, None]
            loss = ((batch["y"] - guess[..., None]).abs().mean(1) * frames).sum() / frames.sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.detach())
        print(f"epoch {epoch}: loss {torch.stack(losses).mean().item():.4f}")
    for batch in CoquiBatches(loader):
        print("Coqui's names:", ", ".join(f"{name} {list(value.shape)}" for name, value in batch.items()
                                          if isinstance(value, torch.Tensor)))
        break


if __name__ == "__main__":
    main()

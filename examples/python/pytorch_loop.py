#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A plain PyTorch loop: batches come from seda, and a run that was stopped goes on where it was.

    examples/python/pytorch_loop.py CORPUS [--device cuda:0] [--epochs 3] [--checkpoint run.pt] [--characters]
"""
import argparse
from pathlib import Path

import torch

import seda


class TextToMel(torch.nn.Module):
    """The smallest thing that learns: what a frame is like from which letters are in its line."""

    def __init__(self, n_mels, symbols=512, width=64):
        super().__init__()
        self.letters = torch.nn.Embedding(symbols, width, padding_idx=0)
        self.out = torch.nn.Linear(width, n_mels)

    def forward(self, tokens, token_mask):
        letters = self.letters(tokens) * token_mask[..., None]
        line = letters.sum(1) / token_mask.sum(1, keepdim=True)
        return self.out(line)[..., None]  # [batch, n_mels, 1]


def masked_loss(guess, mel, mask):
    """Mean over real frames: padding counts for nothing."""
    error = (guess - mel).abs().mean(1)
    return (error * mask).sum() / mask.sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus")
    parser.add_argument("--device", default="cuda:0" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--checkpoint", type=Path)
    parser.add_argument("--characters", action="store_true", help="letters instead of phonemes: needs no espeak-ng")
    arguments = parser.parse_args()

    config = {"data.text": {"phonemes": False, "tokenizer": "characters"}} if arguments.characters else None
    loader = seda.Loader(arguments.corpus, batch_size=8, device=arguments.device, seed=1, config=config, output="torch")
    model = TextToMel(loader.mel["n_mels"]).to(arguments.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    if arguments.checkpoint and arguments.checkpoint.exists():
        saved = torch.load(arguments.checkpoint)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        loader.load_state_dict(saved["loader"])

    for epoch in range(loader.epoch, arguments.epochs):
        total = torch.zeros((), device=arguments.device)
        for batch in loader:
            loss = masked_loss(model(batch.tokens, batch.token_mask), batch.mel, batch.mel_mask)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.detach()
        print(f"epoch {epoch}: loss {total.item() / len(loader):.4f}")
        if arguments.checkpoint:
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(),
                        "loader": loader.state_dict()}, arguments.checkpoint)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A JAX loop: one compilation for each shape that batches have, and none after.

    examples/python/jax_loop.py CORPUS [--device cuda:0] [--epochs 2] [--characters]
"""
import argparse

import jax
import jax.numpy as jnp

import seda


def loss_of(frame, mel, mask):
    error = jnp.abs(mel - frame[None, :, None]).mean(1)
    return (error * mask).sum() / mask.sum()


@jax.jit
def step(frame, mel, mask):
    loss, gradient = jax.value_and_grad(loss_of)(frame, mel, mask)
    return frame - 2.0 * gradient, loss


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus")
    parser.add_argument("--device", default="cuda:0" if jax.default_backend() == "gpu" else "cpu")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--characters", action="store_true", help="letters instead of phonemes: needs no espeak-ng")
    arguments = parser.parse_args()

    config = {"data.text": {"phonemes": False, "tokenizer": "characters"}} if arguments.characters else None
    loader = seda.Loader(arguments.corpus, batch_size=8, device=arguments.device, seed=1, config=config, output="jax")
    frame = jnp.zeros(loader.mel["n_mels"])
    for epoch in range(loader.epoch, arguments.epochs):
        losses = []
        for batch in loader:
            frame, loss = step(frame, batch.mel, batch.mel_mask)
            losses.append(loss)
            loss.block_until_ready()  # the batch's memory is the loader's: be done before it is let go
        print(f"epoch {epoch}: loss {float(jnp.stack(losses).mean()):.4f}")


if __name__ == "__main__":
    main()

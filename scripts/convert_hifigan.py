#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns a published HiFi-GAN generator into the file that `seda synth --vocoder` reads.

    scripts/convert_hifigan.py generator_v1.pth config.json hifigan.safetensors

The checkpoint is `{"generator": weights}` or the weights alone; weight norm is multiplied out. What config.json says of the
network and of its mels goes into the metadata of the file, each value as JSON text. Needs torch and nothing else; where the
active Python has none, the one that seda uses will do:

    PYTHONPATH=~/.local/share/seda/torch-2.11.0 scripts/convert_hifigan.py ...
"""
import argparse
import ctypes
import json
import struct
import sys
import warnings
from pathlib import Path

NETWORK = ("resblock", "upsample_rates", "upsample_kernel_sizes", "resblock_kernel_sizes", "resblock_dilation_sizes")
MELS = ("sampling_rate", "n_fft", "hop_size", "win_size", "num_mels", "fmin", "fmax")
FORMS = ((".weight_g", ".weight_v"), (".parametrizations.weight.original0", ".parametrizations.weight.original1"))


def fail(message):
    sys.exit(f"convert_hifigan: {message}")


def import_torch():
    warnings.filterwarnings("ignore", message=".*NumPy.*")
    try:
        import torch
    except ImportError:
        fail("this Python has no torch; see --help for the one that seda uses")
    return torch


def read_weights(torch, path):
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch has many kinds
        fail(f"{path}: no checkpoint that torch reads: {error}")
    weights = content.get("generator", content) if isinstance(content, dict) else content
    if not isinstance(weights, dict) or not all(isinstance(w, torch.Tensor) for w in weights.values()):
        fail(f"{path}: expected {{\"generator\": weights}} or weights by name, found something else")
    return {name.removeprefix("module."): tensor.float() for name, tensor in weights.items()}


def fold_weight_norm(weights):
    folded = dict(weights)
    for name, direction in weights.items():
        for gain_end, direction_end in FORMS:
            if not name.endswith(direction_end):
                continue
            module = name.removesuffix(direction_end)
            if module + gain_end not in weights:
                fail(f"{name} is there and {module + gain_end} is not")
            norm = direction.double().flatten(1).norm(dim=1).reshape(-1, 1, 1)
            gain = weights[module + gain_end].double().reshape(-1, 1, 1)
            folded[module + ".weight"] = (direction.double() * gain / norm).float()
            del folded[name], folded[module + gain_end]
    return folded


def read_metadata(path):
    try:
        config = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        fail(f"{path}: {error}")
    missing = [name for name in NETWORK + MELS if name not in config]
    if missing:
        fail(f"{path}: expected the config.json of a HiFi-GAN generator; it lacks {', '.join(missing)}")
    return {name: json.dumps(config[name]) for name in NETWORK + MELS}


def write_safetensors(path, weights, metadata):
    header, content, end = {"__metadata__": metadata}, [], 0
    for name in sorted(weights):
        tensor = weights[name].contiguous()
        begin, end = end, end + 4 * tensor.numel()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [begin, end]}
        content.append(ctypes.string_at(tensor.data_ptr(), end - begin))
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(content))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", help="the generator as published, .pth")
    parser.add_argument("config", help="the config.json that came with it")
    parser.add_argument("output", help="file to write, .safetensors")
    flags = parser.parse_args()
    metadata = read_metadata(flags.config)
    weights = fold_weight_norm(read_weights(import_torch(), flags.checkpoint))
    if "conv_pre.weight" not in weights:
        fail(f"{flags.checkpoint}: expected a HiFi-GAN generator (conv_pre, ups, resblocks, conv_post), found "
             f"{', '.join(sorted(weights)[:5]) or 'nothing'}")
    write_safetensors(flags.output, weights, metadata)
    print(f"{flags.output}: {len(weights)} tensors, {sum(w.numel() for w in weights.values())} weights")


if __name__ == "__main__":
    main()

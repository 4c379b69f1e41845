#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One training step by PyTorch: what step_bench is held against.

Row 13 of bench/README.md, the peer's side.

    bench/step_peers.py [--widths 256,512,1024] [--modes eager,compile,compile_graphs]

The same pre-norm transformer on the same batch (32 clips of 800 frames of 80 mels, L1 loss), bf16 by autocast with fp32
weights, torch's fused AdamW. `compile` is torch.compile, `compile_graphs` its mode reduce-overhead, which runs CUDA graphs.
A run is ten steps between two events, 25 runs after warming up. `step_peers/best` is the fastest mode. Prints
{"rows": [...]} for report.py; without torch or a GPU there are none, and the exit status is 3.
"""
import argparse
import json
import statistics
import sys
import time

BATCH, FRAMES, MELS, HEAD, WIDER = 32, 800, 80, 64, 4
LAYERS = {256: 6, 512: 12, 1024: 24}
WARM_STEPS, RUNS, STEPS_OF_RUN = 5, 25, 10
MODES = {"eager": None, "compile": "default", "compile_graphs": "reduce-overhead"}


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--widths", default=",".join(map(str, LAYERS)))
    parser.add_argument("--modes", default=",".join(MODES))
    return parser.parse_args()


def make_network(width, layers):
    from torch import nn
    from torch.nn import functional

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention_norm = nn.LayerNorm(width)
            self.to_qkv = nn.Linear(width, 3 * width)
            self.to_output = nn.Linear(width, width)
            self.feed_forward_norm = nn.LayerNorm(width)
            self.widen = nn.Linear(width, WIDER * width)
            self.narrow = nn.Linear(WIDER * width, width)

        def attend(self, x):
            batch, frames, _ = x.shape
            qkv = self.to_qkv(x).view(batch, frames, 3, width // HEAD, HEAD)
            query, key, value = (part.transpose(1, 2) for part in qkv.unbind(2))
            mixed = functional.scaled_dot_product_attention(query, key, value)
            return self.to_output(mixed.transpose(1, 2).reshape(batch, frames, width))

        def forward(self, x):
            x = x + self.attend(self.attention_norm(x))
            return x + self.narrow(functional.gelu(self.widen(self.feed_forward_norm(x)), approximate="tanh"))

    return nn.Sequential(nn.Linear(MELS, width), *[Block() for _ in range(layers)], nn.Linear(width, MELS))


def make_step(width, mode):
    """A call that does one step, and the number of weights."""
    import torch

    torch.manual_seed(0)
    network = make_network(width, LAYERS[width]).cuda()
    weights = sum(weight.numel() for weight in network.parameters())
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-4, fused=True)
    apply = network if MODES[mode] is None else torch.compile(network, mode=MODES[mode])
    mel = torch.randn(BATCH, FRAMES, MELS, device="cuda")

    def step():
        with torch.autocast("cuda", dtype=torch.bfloat16):
            found = apply(mel)
        torch.nn.functional.l1_loss(found.float(), mel).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step, weights


def step_times(step):
    """Milliseconds of a step in each run."""
    import torch

    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for _ in range(WARM_STEPS):
        step()
    times = []
    for _ in range(RUNS):
        torch.cuda.synchronize()
        begin.record()
        for _ in range(STEPS_OF_RUN):
            step()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) / STEPS_OF_RUN)
    return times


def step_flops(width):
    """As step_bench counts them: forward and backward of all products."""
    places, layers = BATCH * FRAMES, LAYERS[width]
    of_blocks = 6 * places * layers * (4 + 2 * WIDER) * width**2
    of_ends = (4 + 6) * places * MELS * width
    of_attention = 12 * places * FRAMES * width * layers
    return of_blocks + of_ends + of_attention


def measure(width, mode):
    import torch

    torch._dynamo.reset()
    begin = time.perf_counter()
    step, weights = make_step(width, mode)
    step()
    torch.cuda.synchronize()
    first = time.perf_counter() - begin
    times = sorted(step_times(step))
    median = statistics.median(times)
    return {"name": f"step_peers/{mode}/width:{width}", "unit": "ms", "median": median,
            "p90": times[int(len(times) * 0.9)], "runs": len(times), "parameters": weights,
            "step_flops": step_flops(width), "flops": step_flops(width) / (median / 1e3), "first_step_s": first}


def rows_of(widths, modes):
    import torch

    torch.set_float32_matmul_precision("high")
    rows = []
    for width in widths:
        found = []
        for mode in modes:
            found.append(measure(width, mode))
            torch.cuda.empty_cache()
            print(found[-1], file=sys.stderr, flush=True)
        best = min(found, key=lambda row: row["median"])
        rows += [*found, {**best, "name": f"step_peers/best/width:{width}"}]
    return rows


def absence():
    """Why nothing can be measured here; empty where it can."""
    try:
        import torch
    except ImportError as error:
        return f"{error}; scripts/setup.sh torch installs it"
    return "" if torch.cuda.is_available() else "no GPU"


def main():
    arguments = read_arguments()
    why = absence()
    rows = [] if why else rows_of([int(width) for width in arguments.widths.split(",")], arguments.modes.split(","))
    print(json.dumps({"rows": rows}))
    if why:
        print(f"step_peers: {why}", file=sys.stderr)
        sys.exit(3)


if __name__ == "__main__":
    main()

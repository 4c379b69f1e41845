#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a file with the `safetensors` package: read_safetensors.py FILE. Exit code 77: there is no such package.

Prints one line per tensor, by name: name, type, shape, content in hexadecimal. Then whether the package writes the
same tensors, with metadata {"format": "pt"}, to the same bytes.
"""
import ctypes
import sys
from pathlib import Path

try:
    import safetensors
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(77)

NAMES = {"BOOL": "bool", "U8": "uint8", "I8": "int8", "I16": "int16", "U16": "uint16", "F16": "float16",
         "BF16": "bfloat16", "I32": "int32", "U32": "uint32", "F32": "float32", "F64": "float64", "I64": "int64",
         "U64": "uint64"}


def write(tensors):
    content = {name: bytes(tensor["data"]) for name, tensor in tensors.items()}
    specs = {}
    for name, tensor in tensors.items():
        fields = {"dtype": NAMES[tensor["dtype"]], "shape": tensor["shape"]}
        if hasattr(safetensors, "TensorSpec"):  # since 0.8
            address = ctypes.cast(ctypes.c_char_p(content[name]), ctypes.c_void_p).value
            specs[name] = safetensors.TensorSpec(**fields, data_ptr=address, data_len=len(content[name]))
        else:
            specs[name] = {**fields, "data": content[name]}
    return safetensors.serialize(specs, {"format": "pt"})


def main():
    sys.stdout.reconfigure(encoding="utf-8")
    data = Path(sys.argv[1]).read_bytes()
    tensors = dict(safetensors.deserialize(data))
    for name, tensor in sorted(tensors.items()):
        shape = ",".join(map(str, tensor["shape"])) or "-"
        print(name, tensor["dtype"], shape, bytes(tensor["data"]).hex() or "-")
    print("same bytes" if write(tensors) == data else "other bytes")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""`python -m seda` and the command `seda`: the program inside the package, in place of this process."""
import os
import sys

from . import program


def main() -> None:
    path = program.path()
    os.execve(path, [str(path), *sys.argv[1:]], program.environment())


if __name__ == "__main__":
    main()

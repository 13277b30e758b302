"""python orjson_loop.py LOG: parse every line with orjson, and nothing else."""

from __future__ import annotations

import sys

import orjson

with open(sys.argv[1], "rb") as log:
    for line in log:
        orjson.loads(line)

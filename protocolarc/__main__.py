"""``python -m protocolarc``."""

from __future__ import annotations

import sys

from protocolarc.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

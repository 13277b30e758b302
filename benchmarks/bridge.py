"""What the bridge adds to a bare executor: ``python benchmarks/bridge.py``.

Both agents echo, after as long a pause as it takes to have the wanted number of tasks active at the wanted rate. They
are called as ASGI applications in this process, without sockets and clients, which would cost more than what is
measured. Three times are taken of every task, all without the time in which the agent itself works: inside
``execute()``; the same without the wait until the store has the task, before which the bridge lets no agent begin; and
from the request to the answer. The agents take turns (ABAB), and a figure is the median over the rounds.

The garbage collector is on, as in a server, and what it does is shown; ``--no-collector`` holds it off during the
rounds. The time is that of the one thread which serves, everything included that happens there meanwhile, be it for
other tasks or for the collector; what other processes of the machine take is left out, unless ``--wall`` is given.

``--race N`` runs N cancellations around the end of a run and ``--leaks N`` so many tasks, with the code of the tests.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from echoes.rounds import Load, compare, report
from echoes.times import CLOCKS

ROOT = Path(__file__).parent.parent
MAX_ADDED_MS = 2.0
MAX_OWN_MS = 10.0


def main() -> int:
    """Run what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--tasks", type=int, default=600, help="of a round")
    parser.add_argument("--active", type=int, default=100, help="tasks at once")
    parser.add_argument("--rate", type=float, default=20, help="starts a second")
    parser.add_argument("--load", type=int, default=5, help="so many times as much of all of these, reported alone")
    parser.add_argument("--no-collector", action="store_true", help="hold the garbage collector off")
    parser.add_argument("--wall", action="store_true", help="take the time on the wall")
    parser.add_argument("--race", type=int, default=0)
    parser.add_argument("--leaks", type=int, default=0)
    options = parser.parse_args()
    wanted = {"tests.bridge.race": options.race, "tests.bridge.leaks": options.leaks}
    if any(wanted.values()):
        return max(run(name, count) for name, count in wanted.items() if count)
    asked = Load(options.active, options.rate, options.tasks, options.rounds)
    clock, collector = CLOCKS[options.wall], not options.no_collector
    found = compare(asked, clock, collector=collector)
    report(asked, found)
    if options.load:
        more = asked.times(options.load)
        report(more, compare(more, clock, collector=collector))
    inside = found.figures["inside execute()"]
    added, own = inside.added[1], inside.bridge[1]
    print(f"added p99 {added:.2f} ms (limit {MAX_ADDED_MS:g}), own p99 {own:.2f} ms (limit {MAX_OWN_MS:g})")
    return 0 if added < MAX_ADDED_MS and own < MAX_OWN_MS else 1


def run(module: str, count: int) -> int:
    """Run a script of the tests, and return its exit code."""
    return subprocess.run([sys.executable, "-m", module, str(count)], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

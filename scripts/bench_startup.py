"""What a command costs before it does anything: medians over fresh processes, beside an empty Python.

python scripts/bench_startup.py [RUNS]
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SEARCH = ["-m", "routeagent.cli", "search", "--domains", str(ROOT / "domains"), "发票抬头写错了"]
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import routeagent": ["-c", "import routeagent"],
    "routeagent --help": ["-m", "routeagent.cli", "--help"],
    "routeagent search": SEARCH,
}


def seconds(arguments: list[str], cache: str) -> float:
    """Wall-clock seconds of one process."""
    started = time.perf_counter()
    environment = {**os.environ, "ROUTEAGENT_CACHE": cache}
    subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True)  # noqa: S603
    return time.perf_counter() - started


def main() -> None:
    """Print the first search ever, then medians with warm caches."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as cache:
        print(f"{'the first search ever':24}{seconds(SEARCH, cache):8.2f} s")
        taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
        for _ in range(runs):  # in turn, so that a change of the machine's speed meets all of them
            for name, arguments in COMMANDS.items():
                taken[name].append(seconds(arguments, cache))
    empty = statistics.median(taken["python -c pass"])
    print(f"\nmedians of {runs}, warm caches")
    for name, times in taken.items():
        median = statistics.median(times)
        print(f"{name:24}{median:8.2f} s  ({min(times):.2f} to {max(times):.2f})  {median / empty:5.1f} x empty Python")


if __name__ == "__main__":
    main()

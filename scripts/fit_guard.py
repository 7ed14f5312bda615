"""Fit routeagent/guard/coefficients.json on the answers for fitting, then print the figures of the held-out half.

    python scripts/fit_guard.py [--search] [--out FILE]

Strength and threshold come from cross-validation among the answers for fitting; `--search` prints the grid and
writes nothing. Running it again gives the same bytes.
"""

import argparse
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from routeagent.guard.answers import Answer, fitting
from routeagent.guard.classifier import COEFFICIENTS, FORMAT, DenialClassifier, features
from routeagent.guard.cues import NAMES
from routeagent.guard.figures import report
from routeagent.guard.reading import grams, readable
from routeagent.storage import write_atomic

STRENGTH = 8.0
CUE_SCALE = 0.6
FALSE_ALARMS = 0.01
CAUGHT = 0.95
SEEDS = range(5)
DIGITS = 4
Column = NDArray[np.float64]


def inverse_frequencies(texts: Sequence[str]) -> dict[str, float]:
    """Smooth idf of the n-grams that stand in at least two of the texts."""
    frequency = Counter(gram for text in texts for gram in set(grams(readable(text))))
    size = len(texts)
    return {g: round(math.log((1 + size) / (1 + n)) + 1, DIGITS) for g, n in sorted(frequency.items()) if n > 1}


def fit(answers: Sequence[Answer], strength: float, cue_scale: float, threshold: float = 0.5) -> DenialClassifier:
    """A classifier from labelled answers, its numbers rounded."""
    idf = inverse_frequencies([answer.text for answer in answers])
    names = [*idf, *(f"cue:{name}" for name in NAMES)]
    rows = np.array([_row(features(answer.text, idf, cue_scale), names) for answer in answers])
    model: Any = LogisticRegression(C=strength, solver="lbfgs", tol=1e-10, max_iter=20_000)
    model.fit(rows, [answer.denial for answer in answers])
    weights = {name: round(float(weight), DIGITS) for name, weight in zip(names, model.coef_[0], strict=True)}
    return DenialClassifier(threshold, round(float(model.intercept_[0]), DIGITS), cue_scale, idf, weights)


def _row(shown: Mapping[str, float], names: Sequence[str]) -> list[float]:
    return [shown.get(name, 0.0) for name in names]


def out_of_fold(answers: Sequence[Answer], strength: float, cue_scale: float) -> Column:
    """For each seed and answer the probability given by a classifier that never saw that answer, a row a seed."""
    labels = [answer.denial for answer in answers]
    train: Sequence[int]
    test: Sequence[int]
    found = np.zeros((len(SEEDS), len(answers)))
    for seed in SEEDS:
        folds: Any = StratifiedKFold(10, shuffle=True, random_state=seed)
        for train, test in folds.split(labels, labels):
            model = fit([answers[i] for i in train], strength, cue_scale)
            found[seed, test] = [model.probability(answers[i].text) for i in test]
    return found


def threshold_for(found: Column, denial: NDArray[np.bool_]) -> tuple[float, float]:
    """The threshold, and the share of denials that it catches out of fold.

    Halfway between the lowest one with `FALSE_ALARMS` and the highest one that still catches `CAUGHT`: the cues were
    made with these answers in view, so that unseen ones lie nearer to the middle, from both sides.
    """
    lowest = float(np.quantile(found[:, ~denial], 1 - FALSE_ALARMS))
    highest = float(np.quantile(found[:, denial], 1 - CAUGHT))
    threshold = round((lowest + highest) / 2, 2)
    return threshold, float((found[:, denial] >= threshold).mean())


def search(answers: Sequence[Answer], denial: NDArray[np.bool_]) -> None:
    """Print log loss and caught denials over a grid."""
    for strength in (2.0, 8.0, 30.0):
        for cue_scale in (0.15, 0.3, 0.6):
            found = out_of_fold(answers, strength, cue_scale)
            loss = -np.log(np.clip(np.where(denial, found, 1 - found), 1e-6, 1)).mean()
            threshold, caught = threshold_for(found, denial)
            print(f"C {strength:5} cues {cue_scale:4}: log loss {loss:.4f}, {threshold:.2f} catches {caught:.1%}")


def content(model: DenialClassifier) -> bytes:
    """The classifier as JSON; cues that no answer shows are left out."""
    cues = {name: model.weights[f"cue:{name}"] for name in NAMES}
    found = {
        "format": FORMAT,
        "threshold": model.threshold,
        "intercept": model.intercept,
        "cue_scale": model.cue_scale,
        "cues": {name: weight for name, weight in cues.items() if weight},
        "grams": {gram: [value, model.weights[gram]] for gram, value in model.idf.items()},
    }
    return (json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def main() -> None:
    """Fit, write, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--out", type=Path, default=COEFFICIENTS)
    options = parser.parse_args()
    answers = fitting()
    denial = np.array([answer.denial for answer in answers])
    if options.search:
        search(answers, denial)
        return
    threshold, caught = threshold_for(out_of_fold(answers, STRENGTH, CUE_SCALE), denial)
    print(f"cross-validation among {len(answers)} answers: {caught:.1%} caught\n")
    write_atomic(options.out, content(fit(answers, STRENGTH, CUE_SCALE, threshold)))
    print(report(DenialClassifier.load(options.out)))


if __name__ == "__main__":
    main()

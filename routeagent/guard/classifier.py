"""A logistic regression over n-grams and cues. Its coefficients ship as JSON; serving needs numpy alone."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from routeagent.errors import DataError
from routeagent.guard.cues import cues
from routeagent.guard.reading import grams, readable

COEFFICIENTS = Path(__file__).with_name("coefficients.json")
FORMAT = 1


@dataclass(frozen=True)
class DenialClassifier:
    """How likely an answer denies a capability: claims to lack a tool, an ability, access or a permission of its own.

    Honest refusals, policies, empty searches, questions back and quotations of other people's troubles are not denials.

    Attributes:
        threshold: the probability from which `denies` says yes; chosen by cross-validation, few false alarms first.
        idf: inverse document frequency of each known n-gram.
        weights: of n-grams and, under `cue:NAME`, of cues.
    """

    threshold: float
    intercept: float
    cue_scale: float
    idf: Mapping[str, float]
    weights: Mapping[str, float]

    @classmethod
    def load(cls, path: Path = COEFFICIENTS) -> DenialClassifier:
        """The classifier that ships with the package, or one fitted by `scripts/fit_guard.py` elsewhere.

        Raises:
            DataError: the file is absent, damaged or of another format.
        """
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            if content["format"] != FORMAT:
                raise ValueError(f"format {content['format']!r}, not {FORMAT}")
            grams_by_name: dict[str, tuple[float, float]] = content["grams"]
            weights = {f"cue:{name}": float(weight) for name, weight in content["cues"].items()}
            weights |= {gram: float(weight) for gram, (_, weight) in grams_by_name.items()}
            idf = {gram: float(value) for gram, (value, _) in grams_by_name.items()}
            scales = (float(content[name]) for name in ("threshold", "intercept", "cue_scale"))
            return cls(*scales, idf=idf, weights=weights)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(f"{path} holds no denial classifier ({error}); run scripts/fit_guard.py again") from error

    def probability(self, text: str) -> float:
        """From 0 to 1; any text will do. Long answers are judged by their first and last 2,000 characters."""
        shown = features(text, self.idf, self.cue_scale)
        values = np.fromiter(shown.values(), dtype=np.float64, count=len(shown))
        weights = np.fromiter((self.weights.get(name, 0.0) for name in shown), dtype=np.float64, count=len(shown))
        return float(1 / (1 + np.exp(-(values @ weights + self.intercept))))

    def denies(self, text: str) -> bool:
        """Whether the probability reaches the threshold."""
        return self.probability(text) >= self.threshold


def features(text: str, idf: Mapping[str, float], cue_scale: float) -> dict[str, float]:
    """The unit TF-IDF vector of an answer's known n-grams, and `cue_scale` for each cue that it shows."""
    seen = readable(text)
    counts = Counter(gram for gram in grams(seen) if gram in idf)
    raw = {gram: (1 + math.log(number)) * idf[gram] for gram, number in counts.items()}
    length = math.sqrt(sum(value * value for value in raw.values())) or 1.0
    vector = {gram: value / length for gram, value in raw.items()}
    return vector | {f"cue:{name}": cue_scale for name in sorted(cues(seen))}

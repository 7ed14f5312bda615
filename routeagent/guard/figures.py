"""What the classifier does on the held-out answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from routeagent.guard.answers import Answer, held_out
from routeagent.guard.classifier import DenialClassifier


@dataclass(frozen=True)
class Figures:
    """Counts over labelled answers: denials flagged of all denials, others flagged of all others."""

    caught: int
    denials: int
    false_alarms: int
    others: int


def measure(classifier: DenialClassifier, answers: Sequence[Answer]) -> Figures:
    """The classifier's counts at its own threshold."""
    flags = [(answer.denial, classifier.denies(answer.text)) for answer in answers]
    denials = sum(denial for denial, _ in flags)
    caught = flags.count((True, True))
    return Figures(caught, denials, flags.count((False, True)), len(flags) - denials)


def report(classifier: DenialClassifier) -> str:
    """The figures of the held-out half as text: totals, flagged by kind and language, and each mistake."""
    answers = held_out()
    total = measure(classifier, answers)
    return "\n".join(
        [
            f"held out: {len(answers)} answers, threshold {classifier.threshold}",
            f"denials caught  {total.caught:3} of {total.denials}  {total.caught / total.denials:6.1%}",
            f"false alarms    {total.false_alarms:3} of {total.others}  {total.false_alarms / total.others:6.1%}",
            "",
            f"{'flagged':16}{'zh':>10}{'en':>10}",
            *_by_kind(classifier, answers),
            *_mistakes(classifier, answers),
        ]
    )


def _by_kind(classifier: DenialClassifier, answers: Sequence[Answer]) -> list[str]:
    flags: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for answer in answers:
        flags[answer.kind][answer.lang].append(classifier.denies(answer.text))
    return [kind.ljust(16) + "".join(_share(by[lang]) for lang in ("zh", "en")) for kind, by in flags.items()]


def _share(flags: Sequence[bool]) -> str:
    return f"{sum(flags)} of {len(flags)}".rjust(10)


def _mistakes(classifier: DenialClassifier, answers: Sequence[Answer]) -> list[str]:
    wrong = [answer for answer in answers if classifier.denies(answer.text) != answer.denial]
    return [
        f"{'missed' if answer.denial else 'false alarm'} ({classifier.probability(answer.text):.2f}): {answer.text}"
        for answer in wrong
    ]

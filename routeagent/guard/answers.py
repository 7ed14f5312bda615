"""The labelled answers that the classifier is fitted on and measured with.

`answers.jsonl` holds 200, half of them denials, half Chinese; within each language and kind they are put in the order
of the SHA-256 of their text, and the first half is for fitting, the other held out. `answers_extra.jsonl` is for
fitting alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ANSWERS = Path(__file__).with_name("answers.jsonl")
EXTRA = Path(__file__).with_name("answers_extra.jsonl")


@dataclass(frozen=True)
class Answer:
    """A final answer and whether it denies a capability.

    `kind` is `no_tool`, `no_ability`, `no_access`, `no_permission` or `partial` (something done, something denied) for
    denials; else `refusal`, `policy`, `not_found`, `clarification`, `success` or `tricky` (the words of a denial
    without one).
    """

    text: str
    lang: Literal["zh", "en"]
    denial: bool
    kind: str
    split: Literal["fit", "held_out"]


def read_answers(path: Path) -> list[Answer]:
    """The answers of a file, in its order."""
    return [Answer(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def fitting() -> list[Answer]:
    """What may be learnt from."""
    return [answer for answer in read_answers(ANSWERS) + read_answers(EXTRA) if answer.split == "fit"]


def held_out() -> list[Answer]:
    """What may only be measured."""
    return [answer for answer in read_answers(ANSWERS) if answer.split == "held_out"]

"""Why a task was not done: one cause a run, the earliest thing that went wrong."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, get_args

from routeagent.evaluation.outcomes import Called
from routeagent.evaluation.tasks import Task

Cause = Literal["not_retrieved", "not_chosen", "bad_arguments", "tool_error", "wrong_answer"]
CAUSES: tuple[Cause, ...] = get_args(Cause)


def servable(task: Task) -> bool:
    """Whether the caller has the tools that the task needs."""
    return task.kind not in ("forbidden", "unservable")


def not_retrieved(task: Task, shown: Collection[str], calls: Sequence[Called]) -> tuple[str, ...]:
    """Needed tools that the model was never shown and did not call unseen; none where the task cannot be served."""
    seen = {*shown, *(call.tool for call in calls)}
    return tuple(name for name in task.needs if name not in seen) if servable(task) else ()


def cause_of(
    task: Task, shown: Collection[str], calls: Sequence[Called], *, effects_hold: bool, answer_holds: bool
) -> Cause | None:
    """Why a run failed; None where it did not. The first of these that is true:

    1. `not_retrieved`: a needed tool was never shown.
    2. `not_chosen`: a needed tool was shown and never called.
    3. `tool_error`: a needed tool failed, and no call of it went through.
    4. `bad_arguments`: a needed tool refused what it was given and no call of it went through; or all went through
       and the database is not what it should be, so something was called with the wrong arguments.
    5. `wrong_answer`: what was done is right and what was said is not; also whatever goes wrong in a task that the
       caller has no tools for, where saying so is all there is to do.
    """
    if effects_hold and answer_holds:
        return None
    if not servable(task):
        return "wrong_answer"
    if not_retrieved(task, shown, calls):
        return "not_retrieved"
    outcomes = [{call.outcome for call in calls if call.tool == name} for name in task.needs]
    if not all(outcomes):
        return "not_chosen"
    failed = [found for found in outcomes if not found & {"ok", "denied"}]
    if any("error" in found for found in failed):
        return "tool_error"
    return "bad_arguments" if failed or not effects_hold else "wrong_answer"

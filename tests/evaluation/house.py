"""A house whose lights and heating stand in a database, and a model that says what a test tells it to."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pydantic_ai
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from routeagent.catalog import Catalog, Tool
from routeagent.evaluation.arms import Arm, parse_arm
from routeagent.evaluation.experiment import Run, run_experiment
from routeagent.evaluation.tasks import Effect, Expected, Task

Step = str | list[tuple[str, dict[str, Any]]]
QUICK = "router=flat,retriever=bm25"
ALL = parse_arm(f"exposure=all,{QUICK}")
NARROW = parse_arm(f"exposure=append,top_k=1,group_load=false,re_retrieve=never,{QUICK}")
"""Shows core and the one tool that matches best, and looks no further."""


@dataclass(frozen=True)
class Deps:
    database: Path


def make_deps(database: Path) -> Deps:
    if not database.exists():
        with closing(sqlite3.connect(database)) as connection:
            connection.executescript("CREATE TABLE switched (room TEXT, lit INTEGER)")
    return Deps(database)


def light_switch(ctx: RunContext[Deps], room: str, lit: bool) -> str:
    """Switch the light of a room."""
    if room == "moon":
        raise ModelRetry("there is no moon in this house")
    with closing(sqlite3.connect(ctx.deps.database)) as connection, connection:
        connection.execute("INSERT INTO switched VALUES (?, ?)", (room, lit))
    return f"{room} switched"


def light_list(ctx: RunContext[Deps]) -> str:
    """List lamps that shine."""
    return "none"


def heat_boiler(ctx: RunContext[Deps]) -> str:
    """Fire up the boiler."""
    raise RuntimeError("no gas")


def house_rooms(ctx: RunContext[Deps]) -> str:
    """The rooms."""
    return "kitchen, hall"


def house(make: Callable[..., Any] | None = make_deps) -> Catalog:
    functions: dict[str, Callable[..., str]] = {
        found.__name__: found for found in (light_switch, light_list, heat_boiler, house_rooms)
    }
    tools = [
        Tool(
            name,
            name.split("_")[0],
            function.__doc__ or "",
            pydantic_ai.Tool(function).function_schema.json_schema,
            core=name == "house_rooms",
            writes=name == "light_switch",
        )
        for name, function in functions.items()
    ]
    return Catalog(tools, executor=functions.__getitem__, make_deps=make)


LIT = Task(
    "lit",
    "switch the light of the kitchen on",
    "en",
    "write",
    ("light_switch",),
    effects=(Effect("SELECT room, lit FROM switched", (("kitchen", 1),)),),
    answer=Expected((("kitchen",),)),
)
ON: Step = [("light_switch", {"room": "kitchen", "lit": True})]


def scripted(*steps: Step) -> Callable[[Task, Arm], FunctionModel]:
    """A model that takes these steps in every run, whatever it is told."""

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        step = steps[sum(isinstance(message, ModelResponse) for message in messages)]
        if isinstance(step, str):
            return ModelResponse(parts=[TextPart(step)])
        return ModelResponse(parts=[ToolCallPart(name, arguments) for name, arguments in step])

    return lambda task, arm: FunctionModel(answer)


def one_run(task: Task, *steps: Step, arm: Arm = ALL) -> Run:
    (run,) = runs_of(task, *steps, arms=[arm])
    return run


def runs_of(task: Task, *steps: Step, arms: Sequence[Arm] = (ALL, NARROW), repeat: int = 1) -> list[Run]:
    return run_experiment(house(), [task], arms, repeat=repeat, model=scripted(*steps))

"""The command line: one command a task. Wiring and printing only; what a command does is a call into the library.

Nothing heavy is imported before a command needs it, so that `--help` stays quick.
"""

from __future__ import annotations

from typing import Annotated

import typer

from routeagent import __version__
from routeagent.cli.ab import ab_command
from routeagent.cli.evaluate import eval_command
from routeagent.cli.explain import explain_command
from routeagent.cli.failures import guarded
from routeagent.cli.init import init_command
from routeagent.cli.options import spliced
from routeagent.cli.route import route_command
from routeagent.cli.run import run_command
from routeagent.cli.search import search_command
from routeagent.cli.tokens import tokens_command

__all__ = ["app", "main"]

app = typer.Typer(
    name="routeagent",
    help="An agent works with hundreds of tools while the model sees only the few it needs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run")(spliced(run_command))
app.command("route")(spliced(route_command))
app.command("search")(spliced(search_command))
app.command("tokens")(spliced(tokens_command))
app.command("eval")(spliced(eval_command))
app.command("ab")(spliced(ab_command))
app.command("explain")(spliced(explain_command))
app.command("init")(spliced(init_command))


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"routeagent {__version__}")
        raise typer.Exit


@app.callback()
def _root(  # pyright: ignore[reportUnusedFunction] - typer calls it
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None: ...


def main(args: list[str] | None = None) -> int:
    """Run a command and return its exit code: 0 done, 1 failed, 2 the user's mistake, 130 interrupted.

    Args:
        args: the words after the program's name; None takes them from the process.
    """
    command = typer.main.get_command(app)
    return guarded(lambda: command(args=args, prog_name="routeagent", standalone_mode=False))

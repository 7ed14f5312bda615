"""What goes wrong on the command line becomes one sentence on stderr and an exit code, never a traceback."""

from __future__ import annotations

import io
import os
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import typer

from routeagent.cli.output import complain, warn
from routeagent.errors import ModelError, RouteAgentError

DEBUG_VARIABLE = "ROUTEAGENT_DEBUG"

DONE, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130


def guarded(work: Callable[[], Any]) -> int:
    """Run a command. Its value, if it is a number, is the exit code.

    With `ROUTEAGENT_DEBUG` set, what nobody expected is shown with its traceback.
    """
    _accept_any_text()
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            code = work()
            sys.stdout.flush()
        except (KeyboardInterrupt, typer.Abort):
            complain("interrupted")
            return INTERRUPTED
        except BrokenPipeError:
            return _nobody_reads()
        except RouteAgentError as error:
            complain(str(error))
            return FAILED if isinstance(error, ModelError) else MISUSED
        except Exception as error:
            return _unexpected(error)
    return code if isinstance(code, int) else DONE


def _unexpected(error: Exception) -> int:
    explain = getattr(error, "format_message", None)
    if explain is not None:  # typer's own: an option that does not exist, an argument that is missing
        if message := str(explain()).strip():  # a bare `routeagent` has shown its help by now and says nothing
            complain(f"{message} (routeagent --help lists commands, routeagent COMMAND --help its options)")
        return MISUSED
    if os.environ.get(DEBUG_VARIABLE):
        traceback.print_exc()
    else:
        complain(f"unexpected {type(error).__name__}: {error} ({DEBUG_VARIABLE}=1 shows where)")
    return FAILED


def _nobody_reads() -> int:
    """The reader of our output went away, as `head` does; what Python flushes on exit must not complain either."""
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, sys.stdout.fileno())
    return FAILED


def _accept_any_text() -> None:
    """What a user wrote may hold characters that the terminal's encoding lacks; they are shown escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    if category is UserWarning or os.environ.get(DEBUG_VARIABLE):
        warn(str(message))

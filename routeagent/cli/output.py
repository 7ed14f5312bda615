"""Where a command writes: tables for people, JSON for programs, remarks to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from routeagent.errors import UsageError
from routeagent.storage import write_atomic

if TYPE_CHECKING:
    from rich.console import Console

_PIPED_WIDTH = 120


class Output:
    """One command's output.

    Args:
        target: where JSON goes: a file, `-` for stdout, None for nowhere.
        stdout: the stream that JSON on `-` has for itself.
    """

    def __init__(self, target: str | None, stdout: TextIO) -> None:
        self._target = target
        self._stdout = stdout
        self.console = _console(sys.stdout)

    def json(self, payload: Any) -> None:
        """Write a command's result, where `--json` asked for it."""
        if self._target == "-":
            _write(self._stdout, to_json(payload))
        elif self._target is not None:
            write_file(Path(self._target), to_json(payload))

    def line(self, text: str = "", style: str = "") -> None:
        """A line for people; what looks like markup in it is text."""
        piped = not self.console.is_terminal  # programs that read lines get each of them whole
        self.console.print(text, style=style, markup=False, highlight=False, soft_wrap=piped)

    def table(
        self, columns: Sequence[str], rows: Iterable[Sequence[object]], *, right: Collection[str] = (), title: str = ""
    ) -> None:
        """A table for people, in the house style. Cells are text, never markup."""
        from rich import box
        from rich.table import Table
        from rich.text import Text

        made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        if title:
            self.line(title, style="bold")
        for column in columns:
            made.add_column(column, justify="right" if column in right else "left", overflow="fold")
        for row in rows:
            made.add_row(*(Text(str(cell)) for cell in row))
        self.console.print(made)
        self.line()


@contextmanager
def output(target: str | None) -> Generator[Output]:
    """The output of a command. With JSON on stdout, all else that would be printed there goes to stderr.

    Raises:
        UsageError: the JSON file cannot be one.
    """
    if target is not None and target != "-" and Path(target).is_dir():
        raise UsageError(f"--json {target}: this is a folder; name a file, or - for stdout")
    stdout = sys.stdout
    with redirect_stdout(sys.stderr) if target == "-" else nullcontext():
        yield Output(target, stdout)


@contextmanager
def progress(what: str, total: int) -> Generator[Callable[[], None]]:
    """A progress bar on stderr while it is a terminal; yields what is called after each piece of work."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import Progress

    with Progress(console=_console(sys.stderr), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


@contextmanager
def waiting(what: str) -> Generator[None]:
    """A spinner on stderr while it is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    with _console(sys.stderr).status(what):
        yield


def warn(text: str) -> None:
    """A remark on stderr, in a line."""
    _remark("warning", text)


def complain(text: str) -> None:
    """What went wrong, on stderr, in a line."""
    _remark("error", text)


def to_json(payload: Any) -> str:
    """JSON for people and programs; escaped where a text holds what UTF-8 cannot (lone surrogates)."""
    text = json.dumps(payload, ensure_ascii=False, indent=2, default=str)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(payload, ensure_ascii=True, indent=2, default=str)
    return text + "\n"


def write_file(path: Path, text: str) -> None:
    """Write a file whole.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        write_atomic(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from error


def is_chinese(text: str) -> bool:
    """Whether a request has Chinese in it, and so gets its sentences in Chinese."""
    return any("\u4e00" <= sign <= "\u9fff" for sign in text)


def nothing_fits(request: str) -> str:
    """The sentence for a request that meets no tool."""
    if is_chinese(request):
        return "没有合适的工具。换个说法,写出要做的事。"
    return "No tool fits. Say in words what is to be done."


def _remark(kind: str, text: str) -> None:
    line = " ".join(text.split())
    print(f"{kind}: {line}", file=sys.stderr)  # noqa: T201 - stderr is a command's voice


def _console(stream: TextIO) -> Console:
    from rich.console import Console

    return Console(file=stream, width=None if stream.isatty() else _PIPED_WIDTH)


def _write(stream: TextIO, text: str) -> None:
    """UTF-8 whatever the terminal's encoding: programs read this."""
    stream.flush()
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(text)
    else:
        buffer.write(text.encode())
        buffer.flush()

"""The folders of domains that routeagent brings along, and how one becomes a folder of the user's own."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from routeagent.errors import UsageError


@dataclass(frozen=True, slots=True)
class Template:
    """What a template is, and a request to try it with."""

    about: str
    ask: str


TEMPLATES = {
    "cloudledger": Template(
        "ten namespaces and sixty tools of a billing product, on SQLite",
        "user007@example.com 说 10 月被扣了两次款,帮我核实一下",
    ),
    "oncall": Template(
        "seven namespaces and eighteen easily confused tools of an on-call engineer, on SQLite",
        "which deploy broke checkout this afternoon?",
    ),
    "minimal": Template("one namespace with one tool", "跟「Ada」打个招呼"),
}
"""A template is a folder under `templates/` and a row here."""
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", ".data", ".*")


def template_path(name: str) -> Path:
    """Where a template lies: inside the installed package, or beside it in a checkout.

    Raises:
        UsageError: there is no such template.
    """
    if name not in TEMPLATES:
        raise UsageError(f"there is no template {name!r}; there are {', '.join(TEMPLATES)}")
    package = Path(__file__).resolve().parent.parent
    installed = package / "templates" / name
    if installed.is_dir():
        return installed
    beside = package.parent / "domains"  # the wheel carries this folder as the template; a checkout has it here
    if name == "cloudledger" and beside.is_dir():
        return beside
    raise UsageError(f"the template {name!r} is missing from this installation; install routeagent again")


def copy_template(name: str, target: Path) -> None:
    """Copy a template into a new folder: all of it or nothing.

    Raises:
        UsageError: the folder has something in it, is a file, or cannot be made. Nothing has changed then.
    """
    source = template_path(name)
    target = target.absolute()
    _refuse_occupied(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as beside:
            made = Path(beside) / target.name
            shutil.copytree(source, made, ignore=_LEFT_OUT)
            if target.is_dir():
                target.rmdir()  # it is empty, and only some systems rename over an empty folder
            made.rename(target)
    except OSError as error:
        raise UsageError(f"{target} cannot be made: {error.strerror or error}") from error


def _refuse_occupied(target: Path) -> None:
    if target.is_dir():
        if any(target.iterdir()):
            raise UsageError(f"{target} is not empty and was left as it is; name a folder that is new")
        if target.resolve() == Path.cwd():
            raise UsageError("the current folder cannot be replaced from within; name a new one, such as domains")
    elif target.exists() or target.is_symlink():
        raise UsageError(f"{target} is a file; name a folder that is new")

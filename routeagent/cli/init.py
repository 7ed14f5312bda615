"""`routeagent init`: a folder of domains to begin with."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from routeagent.cli.options import Json
from routeagent.cli.output import output
from routeagent.cli.templates import TEMPLATES, copy_template


def init_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that does not exist yet, or is empty.")],
    template: Annotated[
        str, typer.Option("--template", help="; ".join(f"{name}: {one.about}" for name, one in TEMPLATES.items()))
    ] = "cloudledger",
    json_target: Json = None,
) -> None:
    """Make a folder of domains to begin with."""
    with output(json_target) as out:
        copy_template(template, folder)
        files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
        ask = TEMPLATES[template].ask
        where = shlex.quote(str(folder))
        commands = [
            f'routeagent search "{ask}" --domains {where}',
            f'routeagent run "{ask}" --domains {where}',
            f"routeagent tokens --domains {where}",
        ]
        out.line(f"{folder}: {len(files)} files from the template {template}. Next:")
        for command in commands:
            out.line(f"  {command}", style="bold")
        out.json({"template": template, "folder": str(folder), "files": files, "next": commands})

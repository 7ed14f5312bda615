"""What one conversation can see of a catalogue: routed for each user turn, widened by `search_tools`, never narrowed.

It knows nothing of any agent framework: the pydantic-ai capability and `ToolSelector` both stand on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from routeagent.catalog import Tool
from routeagent.meta import compact, describe_arguments, refusal, search_tool
from routeagent.permissions import permitted
from routeagent.scored import ScoredNamespace, ScoredTool
from routeagent.search import Search, ToolIndex
from routeagent.selection import Admission, Limits, admit, core_tools
from routeagent.tokens import definition_tokens
from routeagent.trace import Trace

_RANKED = 50
"""How far down the ranking orders the members of a group."""
_QUERIES = 8
"""How many queries of one `search_tools` call are looked up; more are a model gone astray."""


_SPACES = 2
"""Namespaces whose members stand in for a ranking that failed."""
_ABOUT = 80
"""Characters of a namespace's description in the directory that stands in for a search that failed."""


class Discovery:
    """The visible tools of one conversation, in the order in which they were found.

    Args:
        index: ranks the catalogue.
        limits: the cap and how groups fill it.
        principal: who asks; decides which tools exist for this conversation.
        trace: where events go.
    """

    def __init__(self, index: ToolIndex, limits: Limits, principal: Any = None, trace: Trace | None = None) -> None:
        self.index = index
        self.catalog = index.catalog
        self.limits = limits
        self.trace = trace or Trace()
        self.step = 0
        self._principal = principal
        self.visible: list[str] = list(core_tools(self.catalog, self.allowed))
        self._core = len(self.visible)
        self.search_tool = search_tool(self.catalog, self.allowed)

    def allowed(self, tool: Tool) -> bool:
        """Whether this conversation's principal may use a tool."""
        return permitted(tool, self._principal)

    def may_call(self, name: str) -> bool:
        """Whether a name is a tool that exists for this conversation, visible or not."""
        return name in self.catalog and self.allowed(self.catalog[name])

    def permitted(self) -> list[Tool]:
        """All tools that exist for this conversation, in the catalogue's order."""
        return [tool for tool in self.catalog if self.allowed(tool)]

    def core(self) -> list[Tool]:
        """The tools that were visible from the start."""
        return [self.catalog[name] for name in self.visible[: self._core]]

    def found(self) -> list[str]:
        """Names that became visible since, in the order in which they were found."""
        return self.visible[self._core :]

    def tools(self) -> list[Tool]:
        """The visible tools as they go to the model: core, `search_tools`, then the found ones in order."""
        return [*self.core(), self.search_tool, *(self.catalog[name] for name in self.found())]

    def route(self, text: str) -> Admission:
        """Make visible what a user's turn needs."""
        found = self._find(text, "route")
        return self._reveal(found, first=True)

    def widen(self, text: str) -> Admission:
        """Make visible what a later step seems to need; groups leave room for searches as in a search."""
        return self._reveal(self._find(text, "route"), first=False)

    def replace_index(self, index: ToolIndex) -> None:
        """Go on with a catalogue that has changed; what is gone from it is no longer visible."""
        self.index, self.catalog = index, index.catalog
        gone = [name for name in self.visible if name not in self.catalog]
        self._core -= sum(name in self.visible[: self._core] for name in gone)
        self.visible = [name for name in self.visible if name not in gone]

    def nearest(self, name: str, count: int = 3) -> list[str]:
        """Permitted tools whose names are closest to one that a model made up."""
        return get_close_matches(name, [tool.name for tool in self.permitted()], count, 0.5)

    def search(self, queries: Sequence[str], *, whole: bool = False) -> dict[str, Any]:
        """Answer a call of `search_tools`: what fits, and what became visible by it.

        Args:
            queries: things to be done.
            whole: give JSON Schemas of arguments instead of a line each, for a list of tools that does not grow.
        """
        asked = [query for query in dict.fromkeys(queries) if query.strip()][:_QUERIES]
        if not asked:
            return {"tools": [], "loaded": [], "note": refusal("empty", self.catalog)}
        hits: dict[str, Tool] = {}
        loaded: list[str] = []
        refused: list[str] = []
        broken = False
        for query in asked:
            found = self._named(query) or self._find(query, "search")
            broken = broken or bool(found.failed)
            admission = self._reveal(found, first=False)
            loaded += admission.added
            refused += admission.refused
            for scored in found.tools[: self.limits.top_k]:
                hits[scored.name] = self.catalog[scored.name]
        reply: dict[str, Any] = {"tools": [_row(tool, whole) for tool in hits.values()], "loaded": loaded}
        if refused:
            reply["not_loaded"] = refused
            reply["note"] = refusal("full", self.catalog, loaded=self.visible)
        elif broken:
            reply["namespaces"] = self._directory()
            reply["note"] = refusal("broken", self.catalog)
        elif not hits:
            reply["note"] = refusal("nothing", self.catalog)
        return reply

    def reveal(self, names: Iterable[str], why: str) -> list[str]:
        """Make named tools visible without a search: called before they were loaded, or known from earlier turns.

        The cap holds here too; what finds it full stays callable and out of sight.
        """
        room = self.limits.max_tools - 1 - len(self.visible)
        wanted = [name for name in dict.fromkeys(names) if self.may_call(name) and name not in self.visible]
        added = wanted[: max(room, 0)]
        self.visible += added
        if added:
            self.trace.write("reveal", step=self.step, added=added, why=why, visible=len(self.visible))
        return added

    def _directory(self) -> dict[str, str]:
        """The namespaces that exist for this conversation, with what each is about."""
        names = {tool.namespace for tool in self.permitted()}
        about = {space.name: space.description.partition("\n")[0][:_ABOUT] for space in self.catalog.namespaces}
        return {name: about[name] for name in about if name in names}

    def _named(self, query: str) -> Search | None:
        """A query that is the name of a namespace loads that namespace, whatever state the ranking is in."""
        name = next(
            (space.name for space in self.catalog.namespaces if space.name.lower() == query.strip().lower()), ""
        )
        members = [tool for tool in self.catalog.group(name) if self.allowed(tool)] if name else []
        if not members:
            return None
        self.trace.write("search", step=self.step, query=query, namespaces={name: 1.0}, ms={})
        scored = tuple(ScoredTool(tool.name, name, 1.0) for tool in members)
        return Search(query, (ScoredNamespace(name, 1.0),), scored, (), {})

    def _find(self, text: str, event: str) -> Search:
        found = self.index.search(text, max(_RANKED, self.limits.top_k), allowed=self.allowed)
        namespaces = {scored.name: round(scored.score, 4) for scored in found.namespaces[:10]}
        self.trace.write(event, step=self.step, query=found.query, namespaces=namespaces, ms=dict(found.ms))
        ranked = {scored.name: round(scored.score, 4) for scored in found.tools[: 2 * self.limits.top_k]}
        self.trace.write("retrieve", step=self.step, ranked=ranked, hits=min(self.limits.top_k, len(found.tools)))
        for note in found.degraded:
            self.trace.write("degrade", step=self.step, why=note)
        return found

    def _groups_instead(self, found: Search) -> list[str]:
        """Where no tool can be ranked, the members of the namespaces that the router likes best."""
        if "retrieve" not in found.failed or "route" in found.failed:
            return []
        spaces = [scored.name for scored in found.namespaces[:_SPACES]]
        return [tool.name for name in spaces for tool in self.catalog.group(name) if self.allowed(tool)]

    def _reveal(self, found: Search, *, first: bool) -> Admission:
        ranked = [scored.name for scored in found.tools] or self._groups_instead(found)
        admission = admit(self.catalog, self.visible, ranked, self.limits, first=first, allowed=self.allowed)
        self.visible += admission.added
        self.trace.write(
            "reveal",
            step=self.step,
            added=list(admission.added),
            refused=list(admission.refused),
            visible=len(self.visible),
            definition_tokens=definition_tokens(self.tools()),
        )
        return admission


def _row(tool: Tool, whole: bool) -> dict[str, Any]:
    arguments = {"parameters": compact(tool.parameters)} if whole else {"arguments": describe_arguments(tool)}
    return {"name": tool.name, "description": tool.description, **arguments}

"""What routeagent raises, and for whom.

    RouteAgentError                 something a developer or operator has to put right
    ├── CatalogError                a catalogue cannot be read or is contradictory
    │   └── DuplicateToolError      two tools ask for one wire name; both places are named
    ├── DataError                   an examples, cases or queries file is malformed
    ├── StrategyError               a router, retriever or embedder is unknown or got bad arguments
    ├── NotFittedError              a strategy was asked before `fit`
    ├── EmbedderError               an embedder could not be loaded or did not answer
    ├── ModelError                  a model provider refused, failed or answered nonsense
    └── UsageError                  the command line was used in a way that has no meaning

What the *model* has to put right (an unknown customer, a month that is not one) is raised by tools as
`pydantic_ai.ModelRetry` and never reaches the developer as an exception.
"""


class RouteAgentError(Exception):
    """Base of everything routeagent raises on purpose. Its text is one plain sentence fit for a terminal."""


class CatalogError(RouteAgentError):
    """A catalogue cannot be read or contradicts itself."""


class DuplicateToolError(CatalogError):
    """Two tools ask for the same wire name."""


class DataError(RouteAgentError):
    """A JSONL file of examples, cases or queries is malformed. The text names the file and the line."""


class StrategyError(RouteAgentError):
    """A router, retriever, embedder or exposure is unknown or was given arguments it does not take."""


class NotFittedError(RouteAgentError):
    """A strategy was used before `fit(catalog, examples)`."""


class EmbedderError(RouteAgentError):
    """An embedder could not be loaded or did not answer."""


class ModelError(RouteAgentError):
    """A model provider refused, failed, timed out or answered something that is not a completion."""


class UsageError(RouteAgentError):
    """A command was given arguments that have no meaning together."""

"""An agent works with hundreds of tools while the model sees only the few it needs."""

from routeagent.catalog.tool import tool

__all__ = ["tool"]

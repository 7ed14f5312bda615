"""Does a final answer claim to lack a tool, an ability or a permission? Judged offline, in Chinese and English."""

from routeagent.guard.classifier import DenialClassifier

__all__ = ["DenialClassifier"]

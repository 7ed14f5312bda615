"""Does a final answer claim that a tool, an ability or a permission is lacking? Judged offline, in Chinese and English."""

from routeagent.guard.classifier import DenialClassifier

__all__ = ["DenialClassifier"]

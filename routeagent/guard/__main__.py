"""`python -m routeagent.guard`: print the figures of the shipped classifier on the held-out answers."""

import sys

from routeagent.guard.classifier import DenialClassifier
from routeagent.guard.figures import report

if __name__ == "__main__":
    sys.stdout.write(report(DenialClassifier.load()) + "\n")

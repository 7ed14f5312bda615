"""`python -m routeagent.cli`."""

import sys

from routeagent.cli import main

sys.exit(main())

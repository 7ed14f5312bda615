PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
ASK ?= user007@example.com 说 10 月被扣了两次款,帮我核实一下

.PHONY: install run test lint lock clean

install: $(READY)

# The lock has name==version lines alone; the build backend is in it, so nothing is fetched behind its back.
$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "routeagent needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)

run: $(READY)
	@$(BIN)/routeagent run --domains domains "$(ASK)"

test: $(READY)
	$(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pyright

# Everything that is installed, as name==version, from a fresh environment with the newest that pyproject.toml allows.
lock:
	rm -rf .lock-venv && $(PYTHON) -m venv .lock-venv
	.lock-venv/bin/python -m pip install --quiet --disable-pip-version-check hatchling
	.lock-venv/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation ".[dev]"
	.lock-venv/bin/python scripts/write_lock.py > requirements.lock.new && mv requirements.lock.new requirements.lock
	rm -rf .lock-venv

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache

# make demo, make test: all the set-up and the main job, the tests. Everything else is for developers.

PYTHON ?= $(shell command -v python3.11 || command -v python3 || command -v python)
VENV ?= .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := $(VENV)/.ready
JUDGES := tests/judges/node_modules/.ready
# Plain torch on Linux pulls gigabytes of CUDA. A torch that is there is kept; set TORCH_INDEX to
# PyTorch's index of CPU builds where pip does not find one by itself (CONTRIBUTING.md).
TORCH ?= torch==2.13.*
TORCH_INDEX ?=
EXTRAS ?= offline,dev
PACKAGES := obsidian_digest tests
SHARED ?= ../shared
export HF_HUB_OFFLINE ?= 1

.PHONY: help demo test check lint types house judges format example bench smoke static distilled clean

help:  ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(READY): pyproject.toml
	@test -x $(BIN)/python || if $(PYTHON) -c "import torch" 2>/dev/null; \
	  then $(PYTHON) -m venv --system-site-packages $(VENV); else $(PYTHON) -m venv $(VENV); fi
	@$(BIN)/python -c "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)" \
	  || $(BIN)/python -m pip install -q $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) "$(TORCH)"
	$(BIN)/python -m pip install -q -e ".[$(EXTRAS)]"
	@touch $@

demo: $(READY)  ## one real day into a copy of the example vault, without network or key
	@$(BIN)/python -m tests.demo

test: $(READY)  ## the fast tests
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not slow"

check: $(READY) lint types house judges  ## everything CI runs
	$(BIN)/python -m pytest -q -n auto --dist worksteal

lint: $(READY)
	$(BIN)/ruff format --check $(PACKAGES)
	$(BIN)/ruff check $(PACKAGES)

types: $(READY)
	$(BIN)/mypy

house: $(READY)
	$(BIN)/lint-imports

judges: $(JUDGES)  ## install Obsidian's own parsers, which judge our notes (needs Node.js)

$(JUDGES): tests/judges/package.json tests/judges/package-lock.json
	@if command -v node >/dev/null && command -v npm >/dev/null; \
	  then npm ci --prefix tests/judges --no-audit --no-fund && touch $@; \
	  else echo "No Node.js here: the tests that ask Obsidian's own parsers will be skipped."; fi

format: $(READY)  ## format and fix what can be fixed
	$(BIN)/ruff format $(PACKAGES)
	$(BIN)/ruff check --fix $(PACKAGES)

example: $(READY)  ## rebuild examples/vault from the recorded mailings
	$(BIN)/python -m tests.example_vault

bench: $(READY)  ## quality of ranking and themes on the data beside the checkout (--shared)
	$(BIN)/python -m tests.bench.ranking
	$(BIN)/python -m tests.bench.ranking --shared $(SHARED)
	$(BIN)/python -m tests.bench.themes --shared $(SHARED)
	$(BIN)/python -m tests.bench.theme_life --shared $(SHARED)
	$(BIN)/python -m tests.bench.links --shared $(SHARED)
	$(BIN)/python -m tests.bench.startup

smoke: $(READY)  ## build the wheel, use it in a clean environment
	$(BIN)/python -m tests.smoke

static:  ## distil the static encoder again, in an environment of its own (minutes)
	@$(MAKE) distilled VENV=.venv-distill EXTRAS=offline,distill

distilled: $(READY)
	$(BIN)/python -m obsidian_digest.edge.distill obsidian_digest/encoders/static

clean:  ## remove the environment and the demo vault
	rm -rf $(VENV) tests/judges/node_modules .venv-distill demo-vault build dist

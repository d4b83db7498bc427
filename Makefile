# What a newcomer types, what continuous integration runs: the same targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BENCH_READY := $(VENV)/.ready-bench
MICROPYTHON_READY := firmware/node_modules/.ready
# Two at a time suits the smallest machine that we build on.
PROCESSES := 2
# Without a prebuilt wheel a package would need a compiler, which a table lacks.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input
INSTALL_LOCKED := $(INSTALL) --require-hashes --only-binary :all:

# The tests start hundreds of interpreters: each would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup micropython demo test check docs prove bench lock
.DELETE_ON_ERROR:

help: ## explain the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

setup: $(READY) ## make the virtual environment in .venv, with every package checked by its hash

micropython: $(MICROPYTHON_READY) ## fetch the MicroPython in which tests run the panel's firmware; needs node and npm

demo: setup ## play rounds on a simulated table and rebuild one of them from the journal
	$(BIN)/tablectl demo

test: check ## run the whole test suite: check, then every test but the long proofs
	$(BIN)/python -m pytest --dist worksteal --numprocesses $(PROCESSES)

check: setup ## run the fast half: format, lint, types, import rules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: setup ## write the documents anew that are made from the code
	$(BIN)/python -m tools.documents

prove: setup ## run the long proofs, for minutes to hours
	$(BIN)/python -m pytest -m prove --hypothesis-profile prove --dist worksteal --numprocesses $(PROCESSES)

bench: setup $(BENCH_READY) ## measure speed and memory against floors taken in the same run
	$(BIN)/python -m bench

.PHONY: deb wheels package
deb: wheels package ## build the package of a table for this Debian, into build/

# What the package is made of: everything locked, checked by its hash, for the Python that
# Debian has; and the project itself.
DEB_PYTHON := /usr/bin/python3
WHEELS := build/wheels
DEB_VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)

wheels: setup
	rm -rf $(WHEELS)
	$(BIN)/python -m pip --python $(DEB_PYTHON) --quiet --disable-pip-version-check download \
	  --require-hashes --only-binary :all: --no-deps --dest $(WHEELS) -r requirements.lock
	$(BIN)/python -m pip --quiet --disable-pip-version-check wheel \
	  --no-deps --no-build-isolation --wheel-dir $(WHEELS) .

# The version is pyproject's and what changed is in CHANGELOG.md; Debian's tools want both
# in a file of their own.
package:
	@command -v dh >/dev/null || { \
	  echo 'make deb needs debhelper and python3-venv: apt install debhelper python3-venv'; exit 2; }
	printf 'blackjack-table (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' \
	  '$(DEB_VERSION)' "$$(sed -n 's/^Maintainer: //p' debian/control)" \
	  "$$(git log -1 --format=%aD 2>/dev/null || date -R)" > debian/changelog
	dpkg-checkbuilddeps -I
	debian/rules clean binary

# Says what this machine lacks for a virtual environment; nothing if it lacks nothing.
define missing
$(shell \
if ! command -v $(PYTHON) >/dev/null; then \
  echo 'Python 3.11 or newer, and there is no $(PYTHON); on Debian: apt install python3 python3-venv'; \
elif ! $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then \
  echo "Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) -V); name another with PYTHON="; \
elif ! $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then \
  echo 'the venv and ensurepip of $(PYTHON); on Debian: apt install python3-venv'; \
fi)
endef

# The project itself has no hash; --no-deps keeps it from bringing in what is not locked.
$(READY): requirements.lock pyproject.toml
	$(if $(missing),$(error make setup needs $(strip $(missing))))
	$(PYTHON) -m venv --clear $(VENV)
	$(INSTALL_LOCKED) -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

# A new virtual environment has lost what was added to the old one.
$(BENCH_READY): requirements-bench.lock $(READY)
	$(INSTALL_LOCKED) -r requirements-bench.lock
	@touch $@

$(MICROPYTHON_READY): firmware/package-lock.json
	npm ci --prefix firmware --ignore-scripts --no-audit --no-fund --loglevel error
	@touch $@

# The tool that writes the lock stays out of it: nothing but `make lock` needs it.
LOCK_TOOL := uv==0.13.9
LOCK_VENV := build/lock
UV := $(LOCK_VENV)/bin/uv --no-config
COMPILE := $(UV) pip compile pyproject.toml --quiet $(UPGRADE) --universal \
  --python-version 3.11 --generate-hashes --only-binary :all: \
  --custom-compile-command 'make lock'
LOCK_PYTHONS := 3.11 3.12 3.13
# The oldest system that a table runs on is Debian 12, which has glibc 2.36.
LOCK_PLATFORMS := x86_64-manylinux_2_36 aarch64-manylinux_2_36

lock: ## write the lock files anew from pyproject.toml (UPGRADE=--upgrade takes newer releases)
	$(PYTHON) -m venv --clear $(LOCK_VENV)
	$(LOCK_VENV)/bin/python -m pip install --quiet --disable-pip-version-check $(LOCK_TOOL)
	$(COMPILE) --extra dev --output-file requirements.lock
	$(COMPILE) --extra bench --constraint requirements.lock --output-file requirements-bench.lock
	$(COMPILE) --extra pi --constraint requirements.lock --output-file requirements-pi.lock
	@set -e; for python in $(LOCK_PYTHONS); do for platform in $(LOCK_PLATFORMS); do \
	  echo "trying the locks for Python $$python on $$platform"; \
	  $(UV) pip install --quiet --dry-run --target $(LOCK_VENV)/target --python-version $$python \
	    --python-platform $$platform --only-binary :all: --require-hashes \
	    -r requirements.lock -r requirements-bench.lock -r requirements-pi.lock; \
	done; done

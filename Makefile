# make run                       the main job on samples/
# make run LOGS="file dir ..."   the main job on your logs
# make test                      everything that continuous integration checks
# make help                      the other targets

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

LOGS ?= samples
OUT ?= out
PYTHON ?= python3
# Where the real servers of the tests are unpacked and run.
SERVERS ?= .servers
# Megabytes of each log that the benchmarks read.
BENCH_MEGABYTES ?= 100
# How long `make soak` begins replays, or the seeds, with commas, of those that it makes.
SECONDS ?= 600
SEEDS ?=
# How often `make kill` kills the streams of each server.
KILLS ?= 30

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help run test test-code test-systems lint types compile check-compiled unit soak kill bench clean

help: ## This list.
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

run: .venv/.run ## Tables, schemas and first rows of the logs; Parquet under out/. LOGS=..., OUT=...
	$(BIN)/python -m pyspark_adapter export $(LOGS) --out $(OUT)

test: lint check-compiled ## Lint, types, the compiled schema, and all tests.
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target test-code test-systems

lint: .venv/.test ## ruff and mypy.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

unit: .venv/.test node_modules/.done ## The tests alone. ARGS="-k name" picks some.
	BINLOG_SERVERS=$(SERVERS) $(BIN)/python -m pytest $(ARGS)

# All tests in two halves that take about as long, side by side: much of the second is waiting.
SYSTEMS := tests/live tests/exactly_once tests/replay tests/spark

test-code: .venv/.test node_modules/.done
	BINLOG_SERVERS=$(SERVERS) $(BIN)/python -m pytest $(SYSTEMS:%=--ignore=%)

test-systems: .venv/.test node_modules/.done
	BINLOG_SERVERS=$(SERVERS) $(BIN)/python -m pytest $(SYSTEMS)

soak: .venv/.test ## Random workloads on real servers, replayed from their logs. SECONDS=..., SEEDS=...
	$(BIN)/python -m tests.replay --servers $(SERVERS) --seconds $(SECONDS) --seeds "$(SEEDS)"

kill: .venv/.test ## Streams of servers under load, killed at random, proven to be exact. KILLS=..., SEEDS=...
	$(BIN)/python -m tests.exactly_once --servers $(SERVERS) --kills $(KILLS) --seeds "$(SEEDS)"

compile: node_modules/.done ## mysql_binlog.ksy to compiled/.
	node tools/compile_schema.mjs

check-compiled: node_modules/.done ## compiled/ is what the pinned compiler makes of the schema.
	node tools/compile_schema.mjs --out .compiled-now
	diff -ru compiled .compiled-now --exclude __pycache__ \
		|| { echo 'compiled/ is not up to date: make compile'; exit 1; }

bench: .venv/.bench ## Our speed beside that of the peers, on logs made by a real server.
	$(BIN)/python -m bench --servers-dir $(SERVERS) --megabytes $(BENCH_MEGABYTES)

clean: ## Remove all that make has made.
	rm -rf .venv node_modules .compiled-now out dist bench/logs

# Set-up. Each stamp is renewed when its list of requirements changes.

.venv/.run: pyproject.toml constraints.txt tools/need.sh
	tools/need.sh $(PYTHON) venv java
	$(PYTHON) -m venv .venv
	$(PIP) install --upgrade 'pip>=25.1'
	$(PIP) install --constraint constraints.txt --editable '.[spark]'
	touch $@

.venv/.test: .venv/.run
	$(PIP) install --constraint constraints.txt --group lint --group test
	$(PIP) install --constraint constraints.txt --no-deps --upgrade --target .venv/pipelines --group pipelines
	touch $@

.venv/.bench: .venv/.run
	$(PIP) install --constraint constraints.txt --group bench
	touch $@

node_modules/.done: package.json package-lock.json tools/need.sh
	tools/need.sh node
	npm ci --silent --no-audit --no-fund
	touch $@

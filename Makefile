# make run                       the main job on samples/
# make run LOGS="file dir ..."   the main job on your logs
# make test                      everything that continuous integration checks
# make help                      the other targets

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Images of containers often set it. Each process of the tests would then compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

LOGS ?= samples
OUT ?= out
PYTHON ?= python3
# Where the real servers of the tests are unpacked and run.
SERVERS ?= .servers
# Megabytes of each log that the benchmarks read.
BENCH_MEGABYTES ?= 100
# How many seconds `make soak` starts replays for, and `make fuzz` runs; or the seeds of the replays to
# run, with commas.
SECONDS ?= 600
SEEDS ?=
# Processes that `make fuzz` runs, and the seed of its inputs; another one each time if empty.
FUZZ_WORKERS ?= 2
SEED ?=
# How many times `make kill` kills the streams of each server.
KILLS ?= 30
# Folder with checkouts of Kaitai's runtimes, for `make languages`.
RUNTIMES ?=
# Folder of a built Web IDE, for `make pictures`.
WEBIDE ?=
# Interpreters of `make matrix`: names on the path, or paths.
PYTHONS ?= python3.12 python3.13

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# PySpark comes as sources. In the wheel that pip makes of them, its jars are not compressed again,
# which takes ten seconds.
PYSPARK := --config-settings=--build-option=--compression=stored pyspark

.PHONY: help run check test nightly unit pytest matrix lint types docs compile check-compiled soak fuzz kill bench
.PHONY: diagram digests gallery languages mutants pictures clean
.PHONY: kernels check-unit-a-q check-unit-r-z
.PHONY: test-releases test-live-d-r test-live test-replicate test-replay test-spark-a-l test-spark-m-z test-formats
.PHONY: test-unit-a-q test-unit-r-z

help: ## This list.
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

run: .venv/.run ## Tables of the logs, and Parquet of each under out/. LOGS=..., OUT=...
	$(BIN)/python -m pyspark_adapter export $(LOGS) --output $(OUT)

check: .venv/.test kernels ## Lint, types and the fast unit tests.
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint types $(CHECK_UNITS)

test: ## Everything that continuous integration checks.
	$(MAKE) --no-print-directory --jobs=2 .venv/.test node_modules/.done
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target kernels lint types
	rm -rf .test-reports && mkdir .test-reports
	status=0; \
	$(MAKE) --no-print-directory --keep-going --jobs=$(TEST_JOBS) --output-sync=target $(TEST_PARTS) || status=$$?; \
	tail -n 1 .test-reports/*; \
	exit $$status

lint: .venv/.test ## ruff.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.test ## mypy.
	$(BIN)/mypy

unit: .venv/.test ## The unit tests. ARGS="-k name" picks some.
	$(PYTEST) tests/unit $(ARGS)

pytest: .venv/.test node_modules/.done ## Any tests. ARGS="tests/golden -k decimal" picks them.
	$(PYTEST) $(ARGS)

PYTEST := BINLOG_SERVERS=$(SERVERS) $(BIN)/python -m pytest

# Two halves of about the same length, one for each processor.
CHECK_UNITS := check-unit-a-q check-unit-r-z
check-unit-a-q: PART = tests/unit/[a-q]*/
check-unit-r-z: PART = tests/unit/[r-z]*/ tests/unit/test_*.py
$(CHECK_UNITS): .venv/.test
	$(PYTEST) -q -m "not slow" $(PART)

# Machine code of the kernels, made again if their sources have changed.
kernels: .venv/.test
	$(BIN)/python hatch_build.py

# The releases of Spark before the newest, each in an environment of its own that is kept. Its file
# has what it needs in place of a release in constraints.txt.
RELEASES := 3.5 4.0 4.1 4.2
RELEASE_PARTS := $(RELEASES:%=test-spark-%)
# `make test` runs the oldest, the newest, and with 4.0 what 3.5 lacks.
STREAMS_PART := test-streams-4.0
test-releases: $(RELEASE_PARTS) ## The tests of releases of Spark. RELEASES="3.5 4.0 4.1 4.2"
$(RELEASE_PARTS): test-spark-%: .venvs/spark-%/.done
	@mkdir -p .test-reports
	$(RELEASE_TESTS) | tee .test-reports/$@
$(STREAMS_PART): test-streams-%: .venvs/spark-%/.done
	@mkdir -p .test-reports
	$(RELEASE_TESTS) -k "stream or connect or pushed or several_logs" | tee .test-reports/$@
RELEASE_TESTS = BINLOG_SERVERS=$(SERVERS) .venvs/spark-$*/bin/python -m pytest $(OLD_WARNINGS)
RELEASE_TESTS += tests/spark/test_releases.py
# What older releases of PySpark and pandas warn about in themselves.
OLD_WARNINGS := -W ignore::DeprecationWarning -W ignore::FutureWarning -W ignore::ResourceWarning
OLD_WARNINGS += -W ignore::pytest.PytestUnraisableExceptionWarning

.venvs/spark-%/.done: tests/spark/releases/%.txt pyproject.toml constraints.txt
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip --quiet install --upgrade 'pip>=25.1'
	sed 's/==.*/==/' $< | grep -v -F -f - constraints.txt > $(@D)/constraints.txt
	$(@D)/bin/python -m pip --quiet install --constraint $(@D)/constraints.txt --constraint $< $(PYSPARK)
	$(@D)/bin/python -m pip --quiet install --constraint $(@D)/constraints.txt --requirement $< \
	  --editable '.[spark]' --group releases
	touch $@

# The parts of `make test`, the longest first, so that they end together. Four at a time keep two
# processors busy; five were no faster. With eight, workers of Spark started too late for their tests.
# A new file is in a part by its folder, or by its first letter.
TEST_JOBS := 4
PYTEST_PARTS := test-spark-a-l test-replay test-formats test-live test-replicate test-spark-m-z
PYTEST_PARTS += test-unit-r-z test-unit-a-q test-live-d-r
TEST_PARTS := $(wordlist 1,6,$(PYTEST_PARTS)) test-spark-3.5 $(STREAMS_PART)
TEST_PARTS += $(wordlist 7,9,$(PYTEST_PARTS)) docs check-compiled
LIVE_TESTS := tests/live
REPLICATE_TESTS := tests/live/replicate
REPLAY_TESTS := tests/replay tests/exactly_once
UNIT_TESTS := tests/unit tests/property tests/fuzz
SPARK_TESTS := tests/spark
# What is in none of the others, so that a new folder is not forgotten.
FORMAT_TESTS := $(patsubst %,--ignore=%,$(LIVE_TESTS) $(REPLAY_TESTS) $(UNIT_TESTS) $(SPARK_TESTS))

$(PYTEST_PARTS): .venv/.test node_modules/.done
	@mkdir -p .test-reports
	$(PYTEST) -m "not nightly" --durations=12 $(PART) | tee .test-reports/$@
test-live-d-r: PART = $(LIVE_TESTS)/test_[d-r]*.py
test-live: PART = $(LIVE_TESTS) --ignore-glob='$(LIVE_TESTS)/test_[d-r]*.py' --ignore=$(REPLICATE_TESTS)
test-replicate: PART = $(REPLICATE_TESTS)
test-replay: PART = $(REPLAY_TESTS)
test-formats: PART = $(FORMAT_TESTS)
test-unit-a-q: PART = tests/unit/[a-q]*/
test-unit-r-z: PART = tests/unit/[r-z]*/ tests/unit/test_*.py tests/property tests/fuzz
test-spark-a-l: PART = tests/spark/test_[a-l]*.py
test-spark-m-z: PART = tests/spark/test_[m-z]*.py

nightly: .venv/.test node_modules/.done $(filter-out test-spark-3.5,$(RELEASE_PARTS)) ## The tests that `make test` leaves out; see tests/nightly.txt.
	$(PYTEST) -m nightly --durations=20 tests

soak: .venv/.test ## Random workloads on real servers, replayed from their logs. SECONDS=..., SEEDS=...
	$(BIN)/python -m tests.replay --servers $(SERVERS) --seconds $(SECONDS) --seeds "$(SEEDS)"

fuzz: .venv/.test kernels ## Damaged logs, archives, statements, servers. SECONDS=..., FUZZ_WORKERS=2, SEED=...
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --workers $(FUZZ_WORKERS) $(if $(SEED),--seed $(SEED))

mutants: .venv/.test kernels ## Whether the tests catch faults made by hand: tests/mutants.toml.
	BINLOG_SERVERS=$(SERVERS) $(BIN)/python tools/mutants.py

matrix: ## The fast unit tests with other Pythons. PYTHONS="python3.12 python3.13"
	for python in $(PYTHONS); do \
	  $$python -m venv .venvs/$$python; \
	  .venvs/$$python/bin/python -m pip --quiet install --upgrade 'pip>=25.1'; \
	  .venvs/$$python/bin/python -m pip --quiet install --constraint constraints.txt \
	    --editable '.[spark]' --group test; \
	  .venvs/$$python/bin/python -m pip --quiet install --constraint constraints.txt --no-deps \
	    --upgrade --target .venvs/$$python/pipelines --group pipelines; \
	  .venvs/$$python/bin/python -m pytest -q -m "not slow" tests/unit; \
	done

kill: .venv/.test ## Streams of servers under load, killed at random, proven to be exact. KILLS=..., SEEDS=...
	$(BIN)/python -m tests.exactly_once --servers $(SERVERS) --kills $(KILLS) --seeds "$(SEEDS)"
	$(BIN)/python -m tests.exactly_once.replica_run --servers $(SERVERS) --kills $(KILLS) --seeds "$(SEEDS)"
	$(BIN)/python -m tests.exactly_once.replica_run --format iceberg --servers $(SERVERS) --kills $(KILLS) --seeds "$(SEEDS)"
	$(BIN)/python -m tests.exactly_once.replica_run --format iceberg --s3 --servers $(SERVERS) --kills $(KILLS) --seeds "$(SEEDS)"
	$(BIN)/python -m tests.exactly_once.failover_run --servers $(SERVERS) --kills $(KILLS) --seeds "$(SEEDS)"
	$(BIN)/python -m tests.exactly_once.replica_failover --servers $(SERVERS) --kills $(KILLS) --seeds "$(SEEDS)"
	$(BIN)/python -m tests.exactly_once.alter_run --servers $(SERVERS) --kills $(KILLS) --seeds "$(SEEDS)"

docs: .venv/.test ## The documentation as a site, in docs/_build/html.
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs docs/_build/html

compile: node_modules/.done .venv/.test ## mysql_binlog.ksy to compiled/ and to its core.
	node tools/compile_schema.mjs
	$(BIN)/python -m tests.languages core

check-compiled: node_modules/.done ## compiled/ is what the pinned compiler makes of the schema.
	node tools/compile_schema.mjs --out .compiled-now
	diff -ru compiled .compiled-now --exclude __pycache__ \
		|| { echo 'compiled/ is not up to date: make compile'; exit 1; }

digests: .venv/.test ## samples/expected/digests.tsv, from what the compiled Python reads.
	$(BIN)/python -m tests.languages digests

languages: .venv/.test node_modules/.done ## Build and run the schema in each language; RUNTIMES=folder of their runtimes.
	RUNTIMES=$(RUNTIMES) $(BIN)/python -m tests.languages table

diagram: .venv/.run node_modules/.done ## docs/architecture.svg, from the imports of the package.
	$(BIN)/python tools/draw_architecture.py
	node tools/render_diagram.mjs docs/architecture.dot docs/architecture.svg

gallery: .venv/.test ## Compile the schema as Kaitai's gallery of formats does, with its compiler for the JVM.
	$(BIN)/python -m tests.languages gallery

pictures: .venv/.test node_modules/.done ## docs/web-ide*.png. WEBIDE=folder of a built Web IDE
	PYTHONPATH=. $(BIN)/python tools/picture_web_ide.py $(WEBIDE) --servers $(SERVERS)

bench: .venv/.bench ## Our speed and that of other readers, on logs of a real server.
	$(BIN)/python -m bench --servers-dir $(SERVERS) --megabytes $(BENCH_MEGABYTES)

clean: ## Remove all that make has made.
	rm -rf .venv .venvs node_modules .compiled-now .languages .test-reports out dist docs/_build bench/logs

# Set-up. Each stamp is renewed when its list of requirements changes.

.venv/.run: pyproject.toml constraints.txt tools/need.sh
	tools/need.sh $(PYTHON) venv java
	$(PYTHON) -m venv .venv
	$(PIP) install --upgrade 'pip>=25.1'
	$(PIP) install --constraint constraints.txt $(PYSPARK)
	$(PIP) install --constraint constraints.txt --editable '.[spark]'
	touch $@

.venv/.test: .venv/.run
	$(PIP) install --constraint constraints.txt --group lint --group test --group docs
	$(PIP) install --constraint constraints.txt --no-deps --upgrade --target .venv/pipelines --group pipelines
	touch $@

.venv/.bench: .venv/.run
	$(PIP) install --constraint constraints.txt --group bench
	touch $@

node_modules/.done: package.json package-lock.json tools/need.sh
	tools/need.sh node
	npm ci --silent --no-audit --no-fund
	touch $@

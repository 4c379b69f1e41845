# SPDX-License-Identifier: Apache-2.0
# Commands for people; the build itself is CMake's (CMakePresets.json).

# The preset a target builds with; each but `default` has a folder of its own (`make build PRESET=release`).
PRESET ?= default
BUILD  := $(if $(filter default,$(PRESET)),build,build-$(PRESET))
TORCH  ?= $(if $(filter no-torch,$(PRESET)),OFF,ON)
CUDA   ?= $(if $(filter no-cuda,$(PRESET)),OFF,AUTO)
TESTS  ?= 0
ESPEAK ?= 0
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)
FUZZ_SECONDS ?= 60
# The Python package: AUTO builds it where Python's headers and nanobind are, or can be, installed.
PYTHON_PACKAGE ?= AUTO
# The Python a wheel is made with, in a build folder of its own.
PYTHON ?= $(shell scripts/find_python.sh)
SETUP  := scripts/setup.sh build $(if $(filter ON,$(TORCH)),torch) $(if $(filter-out OFF,$(PYTHON_PACKAGE)),python)

.DEFAULT_GOAL := help
.PHONY: help setup configure build everything demo test bench bundle wheel format lint sanitize fuzz install clean

help: ## this list
	@echo 'usage: make TARGET [NAME=value]'
	@echo
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo '  TORCH=OFF builds the data engine without the trainer; CUDA=OFF without the GPU backend.'
	@echo '  PYTHON_PACKAGE=OFF builds without the Python package.'
	@echo '  PRESET=release builds for every current GPU; TESTS=1 puts the tests into the bundle,'
	@echo '  ESPEAK=1 espeak-ng (GPL-3) in a folder of its own.'

setup: ## install what the build needs (system packages, torch); nothing to do when all is there
	@$(SETUP)

configure: setup
	@cmake --preset $(PRESET) -DSEDA_WITH_TORCH=$(TORCH) -DSEDA_WITH_CUDA=$(CUDA) \
	  -DSEDA_WITH_PYTHON=$(PYTHON_PACKAGE) -DSEDA_BUNDLE=$(SEDA_BUNDLE) -Wno-dev >/dev/null

build: configure ## the program, at build/bin/seda
	@cmake --build $(BUILD) --parallel $(JOBS) --target seda_program

everything: configure
	@cmake --build $(BUILD) --parallel $(JOBS)

demo: build ## the main job, end to end: a practice corpus, a voice trained on it, a report, a spoken sample
	@$(BUILD)/bin/seda demo $(BUILD)/demo

test: everything ## set-up, build and every test
	@scripts/setup.sh readers browser
	@scripts/test.sh $(BUILD) $(JOBS)

bench: everything ## every benchmark, held against its target, with machine and commit, into bench/results/
	@scripts/setup.sh peers
	@scripts/bench.sh $(BUILD)

bundle: $(if $(filter 1,$(TESTS)),everything,build) ## a relocatable folder build/bundle and its archive
	@scripts/setup.sh bundle $(if $(filter 1,$(ESPEAK)),espeak)
	@scripts/bundle.sh $(BUILD) $(TESTS) $(ESPEAK)

wheel: setup ## the Python package with the program inside, dist/seda-*.whl; SEDA_BUNDLE=DIR takes the program of a bundle
	@scripts/setup.sh wheel
	@scripts/wheel.sh $(PRESET) $(BUILD)-wheel $(PYTHON) $(TORCH) $(CUDA) $(JOBS)

format: ## rewrite every source file in the project's format
	@scripts/setup.sh lint
	@scripts/lint.sh format

lint: configure ## format, clang-tidy, shellcheck and the Persian pages, without changing anything
	@scripts/setup.sh lint
	@scripts/lint.sh check $(BUILD)

sanitize: ## the torch-free tests under address, undefined-behaviour and thread sanitizers
	@scripts/setup.sh build lint
	@scripts/sanitize.sh $(JOBS)

fuzz: ## every fuzz target for FUZZ_SECONDS seconds
	@scripts/setup.sh build lint
	@scripts/fuzz.sh $(FUZZ_SECONDS) $(JOBS)

install: build ## program, completions, manual page and sample configuration below PREFIX
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean: ## remove every build folder
	@rm -rf build build-*

# SPDX-License-Identifier: MIT

SWIFT ?= swift
# An import of a target that Package.swift does not declare is an error.
CHECKS := --explicit-target-dependency-import-check error
# The Swift runtime linked in: nothing to ship beside, a quicker start, less memory.
RELEASE_FLAGS := -c release --product autorotate --static-swift-stdlib
RELEASE := .build/release/autorotate
SWIFT_TEST := $(SWIFT) test $(CHECKS) --skip-build
# One target after the other: the descriptors that one test opens, another's children would inherit.
SUITES := for suite in AutorotationTests FloorTests SystemBusTests ConfigurationTests SensorSourcesTests \
	DesktopBackendsTests AutorotateTests; do echo "== $$suite"; \
	$(SWIFT_TEST) --filter "^$$suite" || exit; done
ON_BENCH := Tests/Bench/bench run
# Where a piece of the bench is missing, the tests that need it skip themselves; not so in CI.
NO_BENCH := { test $$? -eq 77 && test "$$CI" != true; }
WITHOUT_BENCH := { test $$? -eq 77 && test "$$CI" != true && { $(SUITES); }; }
SOURCES := Sources Tests Package.swift

help:  ## say what can be made
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

run: release  ## build and start autorotate; without a screen or a sensor, play the demo
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] && ls /sys/bus/iio/devices/*/in_accel_x_raw >/dev/null 2>&1; \
	then exec $(RELEASE); fi; \
	echo "No screen with an accelerometer here: this is the demo, on a private X server."; \
	packaging/install-dependencies test && AUTOROTATE=$(RELEASE) exec Tests/Bench/demo

demo: release  ## play the demo on a private X server
	@packaging/install-dependencies test
	@AUTOROTATE=$(RELEASE) Tests/Bench/demo

test: tools  ## check the format, build, and run all tests
	@packaging/install-dependencies build test
	@echo "== format"
	@$(MAKE) --no-print-directory lint
	@echo "== build"
	@$(SWIFT) build $(CHECKS) --build-tests
	@echo "== tests of the parts"
	@$(ON_BENCH) -- sh -c '$(SUITES)' || $(WITHOUT_BENCH)
	@$(ON_BENCH) --accelerometer -- $(SWIFT_TEST) --filter IIOAccelerometerTests || $(NO_BENCH)
	@echo "== tests of the whole"
	@Tests/Bench/run-tests

build: tools  ## build for debugging
	@packaging/install-dependencies build
	@$(SWIFT) build $(CHECKS)

release: tools  ## build for use
	@packaging/install-dependencies build
	@$(SWIFT) build $(CHECKS) $(RELEASE_FLAGS)

format:  ## lay the sources out
	@$(SWIFT) format -i -r $(SOURCES)

lint:  ## check the layout of the sources
	@$(SWIFT) format lint --strict -r $(SOURCES)

bench: release  ## run the benchmarks
	@packaging/install-dependencies test
	@AUTOROTATE=$(RELEASE) Tests/Bench/benchmarks

bench-judge: release  ## score the judge and its peers on recorded motion: make bench-judge TRACES=DIR [CAUTIONS=1,0.5]
	@test -n "$(TRACES)" || { echo "bench-judge: say where the traces are: make bench-judge TRACES=DIR" >&2; exit 2; }
	@AUTOROTATE=$(RELEASE) Benchmarks/judge $(if $(CAUTIONS),--cautions $(CAUTIONS)) $(TRACES)

bench-cost: release  ## measure what a sample costs: time, instructions, allocations
	@AUTOROTATE=$(RELEASE) Benchmarks/judge-cost

clean:  ## remove what was built
	@rm -rf .build

tools:
	@packaging/check-swift

.PHONY: help run demo test build release format lint bench bench-judge bench-cost clean tools

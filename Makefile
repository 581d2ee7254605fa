# SPDX-License-Identifier: MIT

SWIFT ?= swift
# Debian's own Swift (package swiftlang) is not in PATH: append it.
export PATH := $(PATH):/usr/libexec/swift/bin
# An import of a target that Package.swift does not declare is an error.
CHECKS := --explicit-target-dependency-import-check error
# Debian's Swift declares what Testing and Foundation have in common, and lacks its library.
CHECKS += $(if $(wildcard /usr/libexec/swift/bin/swift),-Xswiftc -Xfrontend -Xswiftc -disable-cross-import-overlays)
BUILD = packaging/refresh-plan && $(SWIFT) build $(CHECKS)
# A reproducible program: it contains no path of this directory, no hash of such paths, and no build number.
WHEREVER := -Xswiftc -file-prefix-map -Xswiftc "$(CURDIR)=." -Xcc "-ffile-prefix-map=$(CURDIR)=." \
	-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xlinker --build-id=none
# Without gold, use Swift's own linker: GNU's leaves read-only data writable.
LINKER := $(if $(shell command -v ld.gold),-Xlinker --icf=safe,-Xswiftc -use-ld=lld)
# With the Swift runtime linked in: no runtime package, a faster start, less memory.
RELEASE_FLAGS := -c release --static-swift-stdlib --disable-local-rpath \
	-Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker --no-export-dynamic \
	$(LINKER) $(WHEREVER)
# In place of a module of Foundation; packaging/FoundationEssentials.swift says why.
ESSENTIALS := .build/essentials/FoundationEssentials.o
RELEASE_FLAGS += -Xswiftc -I -Xswiftc "$(CURDIR)/$(dir $(ESSENTIALS))" -Xlinker "$(CURDIR)/$(ESSENTIALS)"
RELEASE := .build/release/autorotate
CLASSIFIER := .build/release/trace-classifier
DEBUG := .build/debug/autorotate
# Installs missing dependencies; a package build has them: NEEDS=:
NEEDS ?= packaging/install-dependencies
# What a build of everything needs, with the settings app.
ALL_PARTS := build settings
# Tests that need a missing piece of the bench are skipped, but not in CI.
NO_BENCH := { test $$? -eq 77 && test "$$CI" != true; }
BUILD_TESTS = $(BUILD) --build-tests
# The end-to-end tests of `make check`: one rotation on each desktop that is installed.
ONE_PER_DESKTOP := test_screen_touch_and_pen_rotate_with_the_device test_four_orientations
SOURCES := Sources Tests Benchmarks Package.swift packaging/FoundationEssentials.swift
# Which Wayland desktops to test on: the light ones (phoc, sway), or all (KWin and Mutter, too).
DESKTOPS ?= light
export DESKTOPS
export PREFIX DESTDIR SYSCONFDIR SYSTEMD_USER_DIR UDEV_RULES_DIR ZSH_DIR

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

run: release  ## build and start autorotate; without a screen or a sensor, play the demo
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] && ls /sys/bus/iio/devices/*/in_accel_x_raw >/dev/null 2>&1; \
	then exec $(RELEASE); fi; \
	echo "No screen with an accelerometer here: this is the demo, on a private X server."; \
	$(NEEDS) demo && AUTOROTATE=$(RELEASE) exec Tests/Bench/demo

demo: release  ## play the demo on a private X server
	@$(NEEDS) demo
	@AUTOROTATE=$(RELEASE) Tests/Bench/demo

check: tools  ## check the format, build, run the Swift tests and one end-to-end test on each desktop: for every step
	@$(NEEDS) $(ALL_PARTS) test
	@$(MAKE) --no-print-directory lint
	@$(BUILD_TESTS)
	@$(MAKE) --no-print-directory --jobs swift-tests one-per-desktop

test: tools  ## check the format, build, and run all tests; DESKTOPS=all: on KWin and Mutter, too, and check the packages
	@$(NEEDS) $(ALL_PARTS) test $(if $(filter all,$(DESKTOPS)),desktops packaging)
	@echo "== format"
	@$(MAKE) --no-print-directory lint
	@echo "== build"
	@$(BUILD_TESTS)
	@echo "== tests"
	@$(MAKE) --no-print-directory --jobs swift-tests end-to-end-tests light-attacks \
		$(if $(filter all,$(DESKTOPS)),check-packaging)

test-parts: tools  ## build, and run the Swift tests
	@$(NEEDS) $(ALL_PARTS) test
	@$(BUILD_TESTS)
	@Tests/run-swift-tests

# Of what is built. The debug program is given by name, since a release build may be newer.
swift-tests:
	@Tests/run-swift-tests

end-to-end-tests:
	@AUTOROTATE=$(DEBUG) Tests/Bench/run-tests $(if $(JOBS),--jobs $(JOBS)) $(WORDS)

one-per-desktop:
	@DESKTOPS=all AUTOROTATE=$(DEBUG) Tests/Bench/run-tests $(ONE_PER_DESKTOP)

light-attacks:
	@AUTOROTATE=$(DEBUG) Tests/Attack/attack --light || $(NO_BENCH)

test-machines: tools  ## try public data of real machines (udev, libwacom, libinput, the kernel), and print how many are right
	@$(NEEDS) $(ALL_PARTS) test
	@$(BUILD_TESTS)
	@AUTOROTATE=$(DEBUG) Tests/Machines/test-machines

test-packaged-swift:  ## make run and the tests of the parts in a fresh Debian with its own Swift: SUITE=sid (as root)
	@packaging/swift/try $(SUITE)

test-wayland-newer: tools  ## run the tests of Wayland desktops on those of a newer Debian (as root; some 2 GiB)
	@$(NEEDS) $(ALL_PARTS) test desktops newer
	@$(BUILD)
	@root=$$(Tests/Bench/newer-root) && WAYLAND_ROOT=$$root Tests/Bench/run-tests wayland wlroots sway labwc kde gnome blanked

test-browsers: tools  ## play a film and show an article in fullscreen in Chromium and Firefox, on X11 and sway (some 700 MB on the disk)
	@$(NEEDS) $(ALL_PARTS) test browsers
	@$(BUILD)
	@BROWSERS=yes Tests/Bench/run-tests browsers chromium_with_its_own_sandbox

# With DEB and AUTOROTATE, the given programs are used instead of a build.
test-kernel: $(if $(DEB),,deb)  ## run the tests on a real kernel, in a virtual machine (as root or with mmdebstrap unshare; some 500 MB to download)
	@$(NEEDS) kernel
	@Tests/Kernel/test-kernel $(WORDS)

build: tools  ## build for debugging
	@$(NEEDS) $(ALL_PARTS)
	@$(BUILD)

# With the settings app, if that was built before: `make install` installs both.
release: tools $(ESSENTIALS) $(if $(wildcard $(RELEASE)-settings),settings)  ## build for use
	@$(NEEDS) build
	@$(BUILD) $(RELEASE_FLAGS) --product autorotate

$(ESSENTIALS): packaging/FoundationEssentials.swift $(shell command -v $(SWIFT)c) | tools
	@mkdir -p $(@D)
	@$(SWIFT)c -O -parse-as-library -static -file-prefix-map "$(CURDIR)=." -module-name FoundationEssentials \
		-emit-module -emit-module-path $(@D)/FoundationEssentials.swiftmodule -emit-object -o $@ $<

settings: tools $(ESSENTIALS)  ## build the settings app, autorotate-settings, for use; `make install` then installs it, too
	@$(NEEDS) $(ALL_PARTS)
	@$(BUILD) $(RELEASE_FLAGS) --product autorotate-settings

format:  ## format the sources
	@$(SWIFT) format -i -r $(SOURCES)

lint:  ## check the layout of the sources, and the words and commands of the documents
	@$(SWIFT) format lint --strict -r $(SOURCES)
	@Tests/Bench/lint-documents

bench: release  ## run the benchmarks
	@$(NEEDS) test
	@AUTOROTATE=$(RELEASE) Tests/Bench/benchmarks

trace-classifier: tools $(ESSENTIALS)
	@$(NEEDS) build
	@$(BUILD) $(RELEASE_FLAGS) --product trace-classifier

bench-classifier: trace-classifier  ## score the classifier and its peers on recordings: make bench-classifier TRACES=DIR [CAUTIONS=1,0.5] [FAULTS=1] [BOOTSTRAP=N]
	@test -n "$(TRACES)" || { echo "bench-classifier: say where the traces are: make bench-classifier TRACES=DIR" >&2; exit 2; }
	@TRACE_CLASSIFIER=$(CLASSIFIER) Benchmarks/classifier $(if $(CAUTIONS),--cautions $(CAUTIONS)) $(if $(FAULTS),--faults) \
		$(if $(BOOTSTRAP),--bootstrap $(BOOTSTRAP)) $(TRACES)

bench-judge: bench-classifier

bench-gyroscope: trace-classifier  ## report when the gyroscope of each recording is distrusted, played to and fro: make bench-gyroscope TRACES=DIR
	@test -n "$(TRACES)" || { echo "bench-gyroscope: say where the traces are: make bench-gyroscope TRACES=DIR" >&2; exit 2; }
	@TRACE_CLASSIFIER=$(CLASSIFIER) Benchmarks/gyroscope-trust $(TRACES)

bench-cost: trace-classifier  ## measure what a sample costs: time, instructions, allocations
	@$(NEEDS) bench
	@TRACE_CLASSIFIER=$(CLASSIFIER) Benchmarks/classifier-cost

# On both desktops, if none is named: 100,000 rotations on X11 and 10,000 on sway, or as many as HOURS (each) allow.
SOAK = AUTOROTATE=$(RELEASE) Tests/Soak/soak $(if $(SEED),--seed $(SEED)) $(if $(HOURS),--hours $(HOURS)) \
	$(if $(ONE_LIFE),--one-life) $(if $(WITHOUT),--without $(WITHOUT))
SOAKED := $(or $(DESKTOP),x11 sway)
ROTATIONS_x11 := $(or $(ROTATIONS),100000)
ROTATIONS_sway := $(or $(ROTATIONS),10000)

soak: release  ## rotate many thousand times, and verify each: make soak [DESKTOP=x11|sway] [ROTATIONS=N] [HOURS=H] [SEED=N]
	@$(NEEDS) test
	@$(foreach desktop,$(SOAKED),$(SOAK) --desktop $(desktop) --rotations $(ROTATIONS_$(desktop)) &&) true

mutants: tools  ## put small faults into one target (default: the core) and count those that the tests find: make mutants [TARGET=System|Configuration|SensorSources|DesktopBackends] [COUNT=N] [SEED=N] [MINUTES=N] [JOBS=N]
	@$(NEEDS) $(ALL_PARTS) test
	@Tests/Mutants/mutants $(if $(TARGET),--target $(TARGET)) $(if $(SEED),--seed $(SEED)) \
		$(if $(COUNT),--count $(COUNT)) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(JOBS),--jobs $(JOBS))

# Whoever has the programs of others names them: they are not built here.
bench-peers: release  ## compare with other programs, alternating in one run: make bench-peers [IIO_SWAY=PROGRAM] [ROT8=PROGRAM] [SCREENROTATOR=PROGRAM] [BEFORE=PROGRAM] [WHAT="rotations start"]
	@$(NEEDS) test
	@AUTOROTATE=$(RELEASE) Tests/Bench/peers $(if $(IIO_SWAY),--iio-sway $(IIO_SWAY)) $(if $(ROT8),--rot8 $(ROT8)) \
		$(if $(SCREENROTATOR),--screenrotator $(SCREENROTATOR)) $(if $(BEFORE),--before $(BEFORE)) $(WHAT)

# Under sudo nothing is built: the Swift of the person is seldom root's, and what root builds, only root can clean.
bench-footprint: release  ## measure size, start and memory, compared with kanshi and a C program
	@$(NEEDS) test packaging bench
	@Tests/Bench/footprint

attack: release  ## attack the program: make attack [KIND=bus] [SEED=1]; see docs/reliability.md
	@$(NEEDS) $(ALL_PARTS) test
	@$(BUILD) --build-tests
	@AUTOROTATE=$${AUTOROTATE:-$(RELEASE)} Tests/Attack/attack $(KIND) --seed $(or $(SEED),1)

sanitize: tools  ## run the Swift tests under AddressSanitizer and ThreadSanitizer
	@$(NEEDS) $(ALL_PARTS) test
	@SWIFT="$(SWIFT)" Tests/Attack/sanitize

install: may-install $(if $(SUDO_USER),,release)  ## install under PREFIX (/usr/local), in DESTDIR; see packaging/install
	@packaging/install

# Before anything is built.
may-install:
	@packaging/install --check

uninstall:  ## remove what was installed
	@packaging/install --remove

deb: release settings  ## make packages for Debian and Ubuntu
	@$(NEEDS) deb
	@packaging/deb/build

dist:  ## make the tarball of the last commit, in .build/dist: it builds without a network, also with dpkg-buildpackage
	@SWIFT="$(SWIFT)" packaging/dist

test-dist: dist  ## check that the tarball is complete and reproducible
	@Tests/Bench/run-tests test_dist.

check-reproducible:  ## build the packages of the last commit in two directories: they must be identical
	@$(NEEDS) $(ALL_PARTS) packaging
	@SWIFT="$(SWIFT)" packaging/deb/check-reproducible

test-source-package:  ## build and check the tarball as a distribution does, in a fresh Debian: SUITE=sid (as root; some 7 GB)
	@SWIFT="$(SWIFT)" packaging/deb/try-source $(SUITE)

release-check:  ## run the checks of a release, and update the table of docs/releases.md: make release-check [NAMES="packages upgrade"]
	@packaging/release-check $(NAMES)

check-packaging: release settings  ## check manuals, units, desktop files and packages
	@$(NEEDS) packaging
	@packaging/check

test-deb: deb  ## install, use and purge the package in a fresh Debian: make test-deb SUITE=trixie (as root)
	@packaging/deb/try $(SUITE)
	@packaging/systemd/try $(SUITE)

test-bare:  ## run README's commands in fresh Debians, in two orders: make test-bare SUITE=trixie (as root; some 8 GB)
	@SWIFT="$(SWIFT)" packaging/bare/try $(SUITE)

# OLD is copied, since the build replaces a package of the same version.
test-upgrade:  ## upgrade from an older package in the middle of a session: make test-upgrade OLD=DEB SUITE=trixie (as root)
	@test -n "$(OLD)" || { echo "test-upgrade: say from which package: make test-upgrade OLD=DEB" >&2; exit 2; }
	@mkdir -p .build && cp "$(OLD)" .build/old.deb
	@$(MAKE) --no-print-directory deb
	@OLD=.build/old.deb packaging/systemd/try $(SUITE)

clean:  ## remove what was built
	@rm -rf .build

tools:
	@SWIFT="$(SWIFT)" packaging/check-swift

.PHONY: help run demo check test test-parts swift-tests end-to-end-tests one-per-desktop light-attacks \
	test-machines test-packaged-swift test-wayland-newer test-browsers test-kernel build release \
	settings format lint bench trace-classifier bench-judge bench-classifier bench-gyroscope bench-cost bench-footprint bench-peers \
	soak mutants attack sanitize install may-install uninstall deb dist test-dist \
	check-reproducible test-source-package release-check check-packaging test-deb test-bare test-upgrade clean tools

# SPDX-License-Identifier: MIT
"""The scripts that prepare a machine, on machines made of stubs; and the demo's trace."""

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

from benchkit import documents, requirements
from benchkit.c_programs import BENCH, PROJECT
from benchkit.child_processes import exit_status, longest_wait, wait_until
from benchkit.testing import BenchTest, program

TOOLS = ("sh", "env", "sed", "tr", "sort", "grep", "cat", "mktemp", "rm", "head", "printf", "echo")
INSTALL = os.path.join(PROJECT, "packaging", "install-dependencies")


class Machine:
    """A PATH with the standard tools and a test's stubs."""

    def __init__(self, directory):
        self.directory = directory
        self.log = os.path.join(directory, "called")
        for name in TOOLS:
            os.symlink(f"/usr/bin/{name}", os.path.join(directory, name))

    def stub(self, name, script):
        path = os.path.join(self.directory, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "{name} $*" >> {self.log}\n{script}\n')
        os.chmod(path, 0o755)
        return self

    def debian(self, *installed, user=0):
        lines = "".join(f"installed\\t{name}\\t\\n" for name in installed)
        self.stub("dpkg-query", f"printf '{lines}'")
        self.stub("apt-get", "echo noise; echo noise >&2")
        return self.stub("id", f"echo {user}")

    def run(self, script, *words, project=PROJECT, **environment):
        return subprocess.run([os.path.join(project, "packaging", script), *words], text=True,
                              env={"PATH": self.directory, **environment}, capture_output=True, check=False)

    def called(self, name):
        with open(self.log, encoding="utf-8") as file:
            return [line.strip() for line in file if line.startswith(name + " ")]


class AfterInstalling(BenchTest):
    """What the packages' own scripts print."""

    LINE = "To start it now, without sudo: systemctl --user start autorotate\n"

    def configured(self, managers, *old_version):
        machine = Machine(self.directory()).stub("systemctl", f"printf '{managers}'").stub("dpkg", "exit 1")
        script = os.path.join(PROJECT, "packaging/deb/debian/autorotate.postinst")
        result = subprocess.run(["/bin/sh", script, "configure", *old_version], env={"PATH": machine.directory},
                                capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_in_a_running_session_deb_says_how_to_start_it_now(self):
        session = "user@1000.service loaded active running\\n"
        self.assertIn("starts at the next login. " + self.LINE, self.configured(session))
        self.assertEqual(self.configured(session, "0.9"), "")
        self.assertEqual(self.configured(""), "")

    def test_arch_and_rpm_say_how_to_start_it(self):
        command = "systemctl --user enable --now autorotate"
        arch = os.path.join(PROJECT, "packaging/aur/autorotate.install")
        result = subprocess.run(["/bin/sh", "-c", f". {arch}; post_install"], capture_output=True, text=True, check=False)
        self.assertIn(command, result.stdout)
        with open(os.path.join(PROJECT, "packaging/rpm/autorotate.spec"), encoding="utf-8") as file:
            post = file.read().split("\n%post\n")[1].split("\n%preun\n")[0]
        self.assertIn(f"if [ $1 -eq 1 ]; then\n  echo \"To start autorotate now and at each login, without sudo: {command}",
                      post)


class Installing(BenchTest):
    def setUp(self):
        for name, package in (("scdoc", "scdoc"), ("msgfmt", "gettext"), ("strip", "binutils")):
            requirements.program(name, package)
        self.home = self.directory()
        self.prefix = os.path.join(self.home, ".local")

    def install(self, *words, starter=(), project=PROJECT, **environment):
        env = {"PATH": os.environ["PATH"], "HOME": self.home, "PREFIX": self.prefix, "AUTOROTATE": program(),
               "AUTOROTATE_SETTINGS": "none", **environment}
        return subprocess.run([*starter, os.path.join(project, "packaging/install"), *words], env=env, text=True,
                              capture_output=True, check=False, timeout=longest_wait())

    def clone(self):
        """A directory with a blank in its name, and the parts of the project that are installed."""
        place = os.path.join(self.directory(), "a directory")
        os.mkdir(place)
        for name in ("packaging", "Config", "docs", "po", "LICENSE"):
            os.symlink(os.path.join(PROJECT, name), os.path.join(place, name))
        return place

    def found(self):
        return sorted(os.path.relpath(os.path.join(place, name), self.home)
                      for place, folders, files in os.walk(self.home) for name in folders + files)

    def test_uninstalling_leaves_no_directory(self):
        for times in (1, 2):
            for _time in range(times):
                result = self.install()
                self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn(f"fpath=({self.prefix}/share/zsh/site-functions $fpath)", result.stdout)
            self.assertGreater(len(self.found()), 100)
            result = self.install("--remove")
            self.assertEqual((result.returncode, result.stdout, result.stderr, self.found()), (0, "", "", []))

    def test_uninstalling_from_another_prefix_fails(self):
        result = self.install("--remove")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn(f"nothing is installed in {self.prefix}. Name the PREFIX of make install", result.stderr)

    def test_the_login_screen_is_reset_before_its_wrapper_is_removed(self):
        self.assertEqual(self.install().returncode, 0)
        programs, log = os.path.join(self.prefix, "bin"), os.path.join(self.home, "called")
        with open(os.path.join(programs, "autorotate"), "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nls "{self.prefix}/libexec/autorotate" >>"{log}"\necho "$*" >>"{log}"\nexit 1\n')
        self.assertEqual(self.install("--remove").returncode, 0)
        with open(log, encoding="utf-8") as file:
            self.assertEqual(file.read(), "greeter\nsddm-display\nsetup --greeter --remove\n")
        self.assertEqual(self.found(), ["called"])

    def test_uninstalling_ends_the_daemon(self):
        self.assertEqual(self.install().returncode, 0)
        session, copy = self.bench(sensor={}), os.path.join(self.prefix, "bin/autorotate")
        process = session.start("copy", [copy, "--wait"])
        wait_until(lambda: session.run(copy, "status").returncode == 0, "the daemon answers")
        self.assertEqual(self.install("--remove").returncode, 0)
        self.assertEqual(exit_status(process), 0)

    def test_existing_and_foreign_files_are_kept(self):
        mine, others = ".local/share/applications", ".local/share/man/man1"
        os.makedirs(os.path.join(self.home, mine))
        self.assertEqual(self.install().returncode, 0)
        with open(os.path.join(self.home, others, "other.1"), "w", encoding="utf-8"):
            pass
        self.assertEqual(self.install("--remove").returncode, 0)
        self.assertEqual(self.found(), [
            ".local", ".local/share", mine, ".local/share/man", others, others + "/other.1"])

    def test_the_directory_of_the_clone_may_contain_a_blank(self):
        result = self.install(project=self.clone())
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn(".local/bin/autorotate", self.found())

    def test_installing_leaves_no_file_in_the_clone(self):
        clone, temporary = self.clone(), self.directory()
        before = os.listdir(clone)
        self.assertEqual(self.install(project=clone, TMPDIR=temporary).returncode, 0)
        self.assertEqual((os.listdir(clone), os.listdir(temporary)), (before, []))

    def test_the_directory_of_a_package_may_be_relative(self):
        elsewhere = ("sh", "-c", 'cd "$0" && exec "$@"', self.home)
        self.assertEqual(self.install("--check", starter=elsewhere, DESTDIR="new/tree", PREFIX="/usr").returncode, 0)

    def test_missing_write_permission_is_reported_before_the_build(self):
        nobody = (requirements.program("setpriv", "util-linux"), "--reuid=65534", "--regid=65534", "--clear-groups")
        if os.getuid() != 0:
            self.skipTest("only root can try as somebody else")
        result = self.install("--check", starter=nobody, PREFIX="/usr/local")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("PREFIX=$HOME/.local", result.stderr)
        self.assertIn("sudo make install", result.stderr)
        self.assertEqual(result.stderr.count("you may not write"), 1)
        self.assertEqual(self.install("--check").returncode, 0)
        steps = self.steps()
        self.assertLess(steps.index("packaging/install --check"), steps.index("--product autorotate"))

    def steps(self, *words):
        """The commands of `make install`, which are not run."""
        env = {name: text for name, text in os.environ.items() if name != "SUDO_USER"}
        return subprocess.run(["make", "-n", "install", *words], cwd=PROJECT, capture_output=True, text=True, check=True,
                              env=env).stdout

    def test_an_installed_settings_app_is_as_new_as_the_program(self):
        """After `git pull`, that of an old `make settings` was installed."""
        release = os.path.join(self.home, "autorotate")
        self.assertNotIn("--product autorotate-settings\n", self.steps(f"RELEASE={release}"))
        with open(f"{release}-settings", "w", encoding="utf-8"):
            pass
        self.assertIn("--product autorotate-settings\n", self.steps(f"RELEASE={release}"))

    def test_links_of_installed_documents_lead_to_existing_places(self):
        self.assertEqual(self.install().returncode, 0)
        folder = os.path.join(self.prefix, "share", "doc", "autorotate")
        pages = [name for name in os.listdir(folder) if name.endswith(".md")]
        self.assertIn("rules.md", pages)
        for name in pages:
            for target, path, anchor in documents.links(os.path.join(folder, name)):
                self.assertTrue(os.path.exists(path), f"{name}: {target}")
                self.assertTrue(not anchor or anchor in documents.anchors(path), f"{name}: {target}")

    def test_another_prefix_has_its_own_rules_and_names_its_unit(self):
        command = "systemctl --user enable --now"
        self.assertIn(f"{command} autorotate\n", self.install().stdout)
        prefix = os.path.join(self.home, "apps")
        self.assertIn(f"{command} {prefix}/share/systemd/user/autorotate.service\n", self.install(PREFIX=prefix).stdout)
        listed = subprocess.run([os.path.join(prefix, "bin", "autorotate"), "rule", "list", "--json"], text=True,
                                env={"HOME": self.home, "XDG_DATA_HOME": "/nowhere", "XDG_DATA_DIRS": "/nowhere"},
                                capture_output=True, check=True).stdout
        self.assertIn(f"{prefix}/share/autorotate/apps/mpv.toml", [each["file"] for each in json.loads(listed)])

    FORMER = [".local/share/applications/org.autorotate.Autorotate.desktop",
              ".local/share/metainfo/org.autorotate.Autorotate.metainfo.xml"]
    """What 1.0.0-rc1 installed: an entry that opened the monitor in a terminal."""

    def offered(self):
        """The installed files that a menu or a software centre reads."""
        return [path for path in self.found() if re.search("/(applications|metainfo)/.", path)]

    def entry(self, path):
        parser = configparser.ConfigParser(interpolation=None)
        parser.optionxform = str
        self.assertEqual(parser.read(os.path.join(self.home, path), encoding="utf-8"), [os.path.join(self.home, path)])
        return parser

    def test_one_menu_entry_opens_the_settings_app(self):
        window = os.path.join(self.directory(), "autorotate-settings")
        os.symlink(program(), window)
        result = self.install(AUTOROTATE_SETTINGS=window)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        entry, metainfo = self.offered()
        self.assertTrue(entry.endswith("/org.autorotate.Settings.desktop"), entry)
        parser = self.entry(entry)
        main = parser["Desktop Entry"]
        self.assertEqual((main["Name"], main["Exec"], main["TryExec"], main.get("Terminal", "false")),
                         ("Autorotate", f"{self.prefix}/bin/autorotate-settings", f"{self.prefix}/bin/autorotate-settings",
                          "false"))
        actions = [f"Desktop Action {name}" for name in main["Actions"].strip(";").split(";")]
        self.assertEqual(sorted(["Desktop Entry", *actions]), sorted(parser.sections()))
        for action in actions:
            self.assertTrue(os.access(parser[action]["Exec"].split()[0], os.X_OK), parser[action]["Exec"])
        self.assertIn(f"{self.prefix}/bin/autorotate toggle", [parser[action]["Exec"] for action in actions])
        root = xml.etree.ElementTree.parse(os.path.join(self.home, metainfo)).getroot()
        self.assertEqual(root.find("launchable").text, os.path.basename(entry))
        self.assertEqual(root.find("id").text + ".desktop", os.path.basename(entry))

    def test_without_the_settings_app_there_is_no_entry(self):
        self.assertEqual(self.install().returncode, 0)
        self.assertEqual(self.offered(), [])

    def test_the_entry_of_the_release_candidate_is_removed(self):
        for words in ([], ["--remove"]):
            for path in self.FORMER:
                path = os.path.join(self.home, path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8"):
                    pass
            self.assertEqual(self.install(*words).returncode, 0)
            self.assertEqual(self.offered(), [])

    def test_autostart_is_skipped_once_the_program_is_gone(self):
        self.assertEqual(self.install().returncode, 0)
        main = self.entry(".config/autostart/org.autorotate.Autorotate.desktop")["Desktop Entry"]
        self.assertEqual(main["TryExec"], f"{self.prefix}/bin/autorotate")
        self.assertTrue(os.access(main["TryExec"], os.X_OK))


# Builds a package that is compressed with another program than xz, as Ubuntu's dpkg-deb does.
BUILD_PACKAGE = """mkdir -p ../root/DEBIAN
for line in 'Package: autorotate' 'Version: 2' 'Architecture: all' 'Maintainer: x <x@example.org>' 'Description: x'; do
  echo "$line"
done >../root/DEBIAN/control
exec dpkg-deb --root-owner-group -Zgzip --build ../root .."""


class DebianPackages(BenchTest):
    def setUp(self):
        for name, package in (("dpkg-deb", "dpkg"), ("ar", "binutils"), ("xz", "xz-utils")):
            requirements.program(name, package)
        self.output = self.directory()

    def build(self, *words, project=PROJECT, **environment):
        machine = Machine(self.directory()).stub("dh", "").stub("dpkg-buildpackage", BUILD_PACKAGE)
        env = {**os.environ, "PATH": f"{machine.directory}:{os.environ['PATH']}", "AUTOROTATE": program(), **environment}
        result = subprocess.run([os.path.join(project, "packaging/deb/build"), *words], env=env, text=True,
                                capture_output=True, check=False)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_they_are_compressed_with_xz_everywhere(self):
        self.build(self.output)
        package = os.path.join(self.output, "autorotate_2_all.deb")
        members = subprocess.run(["ar", "t", package], capture_output=True, text=True, check=True).stdout
        self.assertEqual(members.split(), ["debian-binary", "control.tar.xz", "data.tar.xz"])
        subprocess.run(["dpkg-deb", "--info", package], capture_output=True, check=True)

    def put(self, directory, *names):
        for name in names:
            with open(os.path.join(directory, name), "w", encoding="utf-8"):
                pass

    def test_one_version_of_a_package_stays(self):
        project = self.directory()
        os.symlink(os.path.join(PROJECT, "packaging"), os.path.join(project, "packaging"))
        os.symlink(os.path.join(PROJECT, "Sources"), os.path.join(project, "Sources"))
        output = os.path.join(project, ".build", "deb")
        os.makedirs(output)
        self.put(output, "autorotate_0_all.deb", "autorotate_1_all.deb", "autorotate_1_armhf.deb", "autorotate-settings_1_all.deb")
        self.build(project=project, OLD=os.path.join(output, "autorotate_0_all.deb"))
        self.assertEqual(sorted(os.listdir(output)), [
            "autorotate-settings_1_all.deb", "autorotate_0_all.deb", "autorotate_1_armhf.deb", "autorotate_2_all.deb"])

    def test_an_upgrade_is_from_the_package_that_was_there_before_the_build(self):
        """The build replaced one of the same version."""
        steps = subprocess.run(["make", "-n", "test-upgrade", "OLD=a.deb"], cwd=PROJECT, capture_output=True, text=True,
                               check=True).stdout
        self.assertLess(steps.index('cp "a.deb" .build/old.deb'), steps.index("packaging/deb/build"))
        self.assertIn("OLD=.build/old.deb packaging/systemd/try", steps)

    def test_a_directory_that_is_named_keeps_its_packages(self):
        self.put(self.output, "autorotate_1_all.deb")
        self.build(self.output)
        self.assertEqual(sorted(os.listdir(self.output)), ["autorotate_1_all.deb", "autorotate_2_all.deb"])


class Groups(BenchTest):
    def packages(self, group):
        return set(subprocess.run([INSTALL, "--list", group], capture_output=True, text=True, check=True).stdout.split())

    def test_the_demo_installs_no_notification_service_or_login_screen(self):
        demo = self.packages("demo")
        self.assertFalse(demo & {"openbox", "i3-wm", "xfwm4", "sway", "phoc", "dunst", "xfce4-notifyd", "waybar"})
        self.assertLess(demo, self.packages("test"))

    def test_packing_needs_no_linters(self):
        self.assertLess(self.packages("deb"), self.packages("packaging"))
        self.assertFalse(self.packages("deb") & {"rpm", "rpmlint", "mandoc", "shellcheck", "lintian"})


class InstallDependencies(BenchTest):
    def setUp(self):
        self.machine = Machine(self.directory())

    def packages(self, group):
        return self.machine.run("install-dependencies", "--list", group).stdout.split()

    def test_it_lists_and_installs_only_what_is_missing(self):
        wanted = self.packages("run")
        self.machine.debian(*wanted[2:])
        result = self.machine.run("install-dependencies", "run")
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertEqual(result.stderr, f"install-dependencies: installing {' '.join(wanted[:2])}\n")
        (call,) = self.machine.called("apt-get")
        self.assertTrue(call.endswith("--no-install-recommends " + " ".join(wanted[:2])), call)

    def test_it_prints_nothing_when_nothing_is_missing(self):
        self.machine.debian(*self.packages("build"), *self.packages("test"))
        result = self.machine.run("install-dependencies", "build", "test")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertEqual(self.machine.called("apt-get"), [])

    def test_kscreen_doctor_is_the_one_that_apt_has(self):
        """Debian 13 has another package of it: the group could not be installed there."""
        old, new = {"libkf5screen-bin", "qtwayland5"}, {"libkscreen-bin", "qt6-wayland"}
        self.machine.debian().stub("apt-cache", "exit 100")
        self.assertEqual(set(self.packages("desktops")) & (old | new), old)
        self.machine.stub("apt-cache", '[ "$*" = "show libkscreen-bin" ]')
        self.assertEqual(set(self.packages("desktops")) & (old | new), new)
        self.assertEqual(self.machine.run("install-dependencies", "desktops").returncode, 0)
        (call,) = self.machine.called("apt-get")
        self.assertLess(new, set(call.split()))

    def test_sudo_is_used_only_without_root(self):
        self.machine.debian(user=1000).stub("sudo", 'exec "$@"')
        self.assertEqual(self.machine.run("install-dependencies", "run").returncode, 0)
        self.assertEqual(len(self.machine.called("sudo")), 1)

    def test_without_sudo_it_explains_what_to_do(self):
        result = self.machine.debian(user=1000).run("install-dependencies", "run")
        self.assertEqual(result.returncode, 1)
        self.assertIn("there is no sudo; run this script as root", result.stderr)

    def test_output_of_a_failing_apt_is_shown(self):
        self.machine.debian().stub("apt-get", "echo 'E: no such package'; exit 100")
        result = self.machine.run("install-dependencies", "run")
        self.assertEqual(result.returncode, 1)
        self.assertIn("E: no such package", result.stderr)

    def test_elsewhere_it_continues_if_the_libraries_are_installed(self):
        self.machine.stub("pkg-config", "exit 0")
        result = self.machine.run("install-dependencies", "build")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_elsewhere_it_names_the_missing_libraries(self):
        self.machine.stub("pkg-config", '[ "$2" != libiio ]')
        result = self.machine.run("install-dependencies", "build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("install the development files of libiio (", result.stderr)


class CheckSwift(BenchTest):
    def setUp(self):
        self.machine = Machine(self.directory())
        self.own = self.directory()

    def check(self, **environment):
        return self.machine.run("check-swift", SWIFTLANG=self.own, **environment)

    def put(self, version, directory=None):
        """A swift of this version in PATH, or in the directory."""
        path = os.path.join(directory or self.machine.directory, "swift")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho 'Swift version {version} (swift-{version}-RELEASE)'\n")
        os.chmod(path, 0o755)

    def offer(self, lists=True, swiftlang="(none)", installs="6.2.3"):
        """apt has package lists, or only git, which is installed; it installs Debian's own Swift."""
        self.put(installs, self.directory_of("archive"))
        known = "madison*) echo ' git | 1:2.39.2-1 | archive'; exit ;;" if lists else "madison*) exit ;;"
        policy = f"*git) v=1:2.39.2-1 ;; *swiftlang) v='{swiftlang}' ;;"
        self.machine.debian().stub("apt-cache", f'case "$*" in {known} {policy} esac\necho "  Candidate: $v"')
        return self.machine.stub("apt-get", f"/bin/cp {self.archive}/swift {self.own}/swift")

    def directory_of(self, name):
        setattr(self, name, self.directory())
        return getattr(self, name)

    def assert_refused(self, result, words):
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn(words, result.stderr)

    def test_a_recent_swift_is_accepted(self):
        for version in ("6.2", "6.3.1", "6.10", "7.0"):
            self.put(version)
            result = self.check()
            self.assertEqual((result.returncode, result.stdout + result.stderr), (0, ""), version)

    def test_a_missing_or_old_swift_is_refused(self):
        for version, words in ((None, "there is no swift"), ("5.10.1", "version 5.10.1"), ("6.1", "version 6.1")):
            if version:
                self.put(version)
            result = self.check()
            self.assert_refused(result, words)
            self.assertIn("swift.org/install", result.stderr)

    def test_debians_own_swift_is_found_where_debian_has_it(self):
        self.put("6.2.3", self.own)
        self.assertEqual(self.check().returncode, 0)

    def test_debians_own_swift_is_installed_if_new_enough(self):
        self.offer(swiftlang="6.2.3-1+b1")
        result = self.check()
        self.assertEqual((result.returncode, result.stderr), (0, "install-dependencies: installing swiftlang\n"))

    def test_debians_own_swift_is_not_installed_if_too_old(self):
        self.offer(swiftlang="6.0.3-2")
        self.assert_refused(self.check(), "there is no swift")
        self.assertEqual(self.machine.called("apt-get"), [])

    def test_debians_own_swift_is_not_installed_beside_another(self):
        self.offer(swiftlang="6.2.3-1+b1")
        self.put("6.3.1")
        self.assertEqual(self.check().returncode, 0)
        self.assertFalse(os.path.exists(self.machine.log))

    def test_missing_package_lists_are_requested_first(self):
        """Where git was installed, this failed: an installed package has a candidate without lists."""
        self.offer(lists=False).stub("apt-get", "exit 0")
        self.assert_refused(self.check(), "there is no swift")
        (call,) = self.machine.called("apt-get")
        self.assertTrue(call.endswith(" update"), call)

    def test_a_missing_network_is_reported_and_ends_it(self):
        self.offer(lists=False).stub("apt-get", "echo E: resolving >&2; exit 100")
        self.assert_refused(self.check(), "check the network, then try again")

    def test_a_failing_apt_ends_it(self):
        self.offer(swiftlang="6.2.3-1+b1").stub("apt-get", "echo E: not enough space >&2; exit 100")
        result = self.check()
        self.assert_refused(result, "not enough space")
        self.assertNotIn("check-swift", result.stderr)

    def test_of_two_misordered_swifts_the_other_is_named(self):
        self.put("6.2.3", self.own)
        for first in ("5.10.1", "of OpenStack"):
            self.put(first)
            result = self.check()
            self.assert_refused(result, f"Debian's own is 6.2.3; put it first: export PATH={self.own}:$PATH")
            self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_the_swift_named_by_the_user_is_checked(self):
        self.put("6.3.1")
        self.put("5.9", self.own)
        self.assert_refused(self.check(SWIFT=os.path.join(self.own, "swift")), "version 5.9")

    def copy(self):
        place = self.directory()
        shutil.copytree(os.path.join(PROJECT, "packaging"), os.path.join(place, "packaging"))
        return place

    def test_a_read_only_directory_is_reported(self):
        place = self.copy()
        os.chmod(place, 0o555)
        self.put("6.3.1")
        me = [] if os.getuid() else ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        for path in (self.machine.directory, os.path.dirname(place), self.own):
            os.chmod(path, 0o755)
        result = subprocess.run([*me, os.path.join(place, "packaging", "check-swift")], text=True, capture_output=True,
                                env={"PATH": self.machine.directory}, check=False)
        self.assert_refused(result, f"{place} cannot be written: clone autorotate into a directory of yours")
        self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_a_full_disk_is_reported_before_the_build(self):
        self.put("6.3.1")
        for free, code in ((300000, 1), (9000000, 0)):
            self.machine.stub("df", f"echo Filesystem Blocks; echo '/dev/vda 9999999 1 {free}  97% /'")
            result = self.machine.run("check-swift", project=self.copy(), SWIFTLANG=self.own)
            self.assertEqual(result.returncode, code, result.stderr)
            if code:
                self.assertIn("292 MB of the disk are left, and a build needs 1024", result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_a_directory_name_may_contain_a_blank(self):
        place = os.path.join(self.directory(), "a directory")
        shutil.copytree(os.path.join(PROJECT, "packaging"), os.path.join(place, "packaging"))
        self.offer(swiftlang="6.2.3-1+b1")
        result = self.machine.run("check-swift", project=place, SWIFTLANG=self.own)
        self.assertEqual((result.returncode, result.stderr), (0, "install-dependencies: installing swiftlang\n"))


class Demo(BenchTest):
    TRACE = os.path.join(PROJECT, "Config", "demo", "turns.csv")

    def test_its_trace_is_the_output_of_the_script(self):
        made = subprocess.run([sys.executable, os.path.join(BENCH, "make-demo-trace")],
                              capture_output=True, text=True, check=True).stdout
        with open(self.TRACE, encoding="utf-8") as file:
            self.assertEqual(file.read(), made)

    def test_its_trace_rotates_the_screen_as_announced(self):
        with open(self.TRACE, encoding="utf-8") as file:
            announced = re.findall(r"-> (\w+)$", file.read(), re.MULTILINE)
        output = subprocess.run([program(), "replay", self.TRACE], capture_output=True, text=True,
                                check=True).stdout
        orientations = [line.split()[2] for line in output.splitlines()]
        rotations = [now for before, now in zip([None, *orientations], orientations) if now != before]
        self.assertEqual(rotations, [word for word in announced if word != "stays"])

    def test_it_fails_when_nothing_rotates(self):
        stub = Machine(self.directory()).stub("autorotate", "echo it broke; exit 1")
        env = dict(os.environ, AUTOROTATE=os.path.join(stub.directory, "autorotate"))
        result = subprocess.run([sys.executable, os.path.join(BENCH, "demo")], env=env,
                                capture_output=True, text=True, check=False, timeout=longest_wait())
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "autorotate ended early: it broke|ended with 1|does not print JSON")


class Rules(BenchTest):
    def test_no_rule_makes_a_file_writable_for_everybody(self):
        """The accelerometer's buffer was writable for everybody: another account could block the sensor for all."""
        with open(os.path.join(PROJECT, "packaging/udev/61-autorotate.rules"), encoding="utf-8") as file:
            rules = [line for line in file if not line.startswith("#")]
        self.assertTrue(any("uaccess" in rule for rule in rules))
        for rule in rules:
            self.assertNotRegex(rule, r"chmod[^']*\b(a|o|ugo)?\+|MODE=\"0?66[62]|MODE=\"0?777")

    def test_a_group_gets_access_although_sensors_lack_some_files(self):
        """The first missing file once kept the group from all others."""
        sensor = self.directory()
        files = [os.path.join(sensor, name) for name in ("buffer/enable", "in_accel_hysteresis")]
        os.mkdir(os.path.join(sensor, "buffer"))
        for path in files:
            with open(path, "w", encoding="utf-8"):
                os.chmod(path, 0o644)
        subprocess.run(["sh", "-c", self.letting_in(sensor)], check=True, stderr=subprocess.DEVNULL)
        self.assertEqual([os.stat(path).st_mode & 0o777 for path in files], [0o664, 0o664])

    @staticmethod
    def letting_in(sensor):
        """The command of the rule in the comment, applied to this directory and a group of the test."""
        with open(os.path.join(PROJECT, "packaging/udev/61-autorotate.rules"), encoding="utf-8") as file:
            command = re.search(r"^#  RUN\+=\"/bin/sh -c '(.*)'\"$", file.read(), re.M)[1]
        return (command.replace("/sys%p", sensor).replace("$$", "$")
                .replace("chgrp -f sensors", f"chgrp -f {os.getegid()}"))

    def test_the_unit_removes_only_what_no_hook_needs(self):
        with open(os.path.join(PROJECT, "packaging/systemd/autorotate.service"), encoding="utf-8") as file:
            unit = file.read()
        denied = re.search(r"^SystemCallFilter=~(.*)$", unit, re.M)[1].split()
        for call in ("@clock", "@module", "syslog", "sethostname"):
            self.assertIn(call, denied)
        self.assertIn("\nSystemCallArchitectures=native\n", unit)

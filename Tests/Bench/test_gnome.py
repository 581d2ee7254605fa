# SPDX-License-Identifier: MIT
"""What is GNOME's own: its names of rotations, its power saving, its own rotation, its Shell's extension."""

import json
import os
import re
import signal
import time

from benchkit import accessibility, compositors, requirements, settingswindow
from benchkit.child_processes import wait_until
from benchkit.c_programs import PROJECT
from benchkit.daemon import ACCELERATIONS, Daemon, is_rotating
from benchkit.testing import BenchTest, program

NAME, PATH = "org.gnome.Mutter.DisplayConfig", "/org/gnome/Mutter/DisplayConfig"
EXTENSION = "autorotate@autorotate.org"
TRANSFORMS = {"normal": "normal", "left": "90", "inverted": "180", "right": "270"}
# In GNOME Shell's JavaScript.
ITEMS = "Main.panel.statusArea.quickSettings.menu._grid.get_children()"
TOGGLE = ITEMS + ".find(each => each.title === 'Auto-Rotation')"
MENUS = "Main.panel.statusArea.quickSettings.menu._overlay.get_n_children()"
GNOME_TOGGLE = "Main.panel.statusArea.quickSettings._autoRotate.quickSettingsItems[0]"
TOGGLES = f"[{TOGGLE}.visible, {GNOME_TOGGLE}.visible].join()"
# Mutter without a screen has no built-in panel, so GNOME would not show its own toggle.
MANAGED = f"""
{GNOME_TOGGLE}._systemActions._monitorManager = {{get_panel_orientation_managed: () => true}};
{GNOME_TOGGLE}._systemActions._updateOrientationLock();
"""
BUTTON = "Main.layoutManager.uiGroup.get_children().find(each => each.accessible_name === 'Rotate the Screen')"
TOUCHSCREEN = """
global.touchscreen ??= imports.gi.Clutter.get_default_backend().get_default_seat().create_virtual_device(
    imports.gi.Clutter.InputDeviceType.TOUCHSCREEN_DEVICE);
"""
TOUCH = TOUCHSCREEN + """
const window = global.display.focus_window.get_frame_rect();
global.touchscreen.notify_touch_down(0, 0, window.x + window.width / 2, window.y + window.height / 2);
"""
LOCK = ("org.gnome.settings-daemon.peripherals.touchscreen", "orientation-lock")


def call(bench, name, path, method, *arguments):
    requirements.program("gdbus", "libglib2.0-bin")
    result = bench.run("gdbus", "call", "--session", "-d", name, "-o", path, "-m", method, *arguments)
    if result.returncode:
        raise ValueError(result.stderr)
    return result.stdout.strip()


def transforms(bench):
    """The transform with which Mutter asks its clients to draw for each panel: the size of its mode → transform."""
    requirements.program("wayland-info", "wayland-utils")
    found = {}
    for block in bench.run("wayland-info").stdout.split("interface: ")[1:]:
        if block.startswith("'wl_output'"):
            mode = re.search(r"width: (\d+) px, height: (\d+) px", block)
            found["x".join(mode.groups())] = re.search(r"output_transform: (\w+)", block)[1]
    return found


class GNOMETest(BenchTest):
    def daemon(self, bench, *arguments):
        daemon = Daemon(bench, *arguments)
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.end())
        daemon.await_name()
        return daemon


class OnMutter(GNOMETest):
    def setUp(self):
        self.session = self.bench(server="mutter", sensor={"noise": 0.05})
        # A timeout for an answer of a stopped Mutter would be longer than any test.
        self.session.env["SYSTEMD_BUS_TIMEOUT"] = "1h"
        self.watched = self.daemon(self.session, "--output", self.session.panel)

    def test_the_transform_is_that_of_wl_output(self):
        """The transform is how a client's pixels lie on the panel: with 90, the top of the screen is at its left edge."""
        for orientation in ("left", "inverted", "right", "normal"):
            self.watched.hold(orientation)
            self.assertEqual(
                transforms(self.session), {"1280x800": TRANSFORMS[orientation], "1024x768": "normal"})

    def test_a_rule_without_the_extension_is_not_said_to_apply(self):
        added = self.session.run(program(), "rule", "add", "nosuchapp", "portrait")
        self.assertIn("app rules have no effect", added.stderr)
        self.assertIn("no app called nosuchapp is open or installed", added.stderr)
        self.assertIn("Rules for nosuchapp:\n  nosuchapp: portrait", added.stdout)
        self.assertNotIn("in effect", added.stdout)

    def test_it_does_not_wake_while_rotation_is_impossible(self):
        self.watched.hold("left")
        self.watched.ask("--lock")
        self.watched.until(lambda now: now["sensor"]["state"] == "asleep", "asleep")
        self.watched.until_idle(3)

    def set_power(self, mode):
        call(self.session, NAME, PATH, "org.freedesktop.DBus.Properties.Set", NAME, "PowerSaveMode",
             f"<int32 {mode}>")

    def test_the_sensor_sleeps_while_the_displays_are_off(self):
        self.watched.hold("left")
        self.set_power(3)
        self.watched.until(lambda now: now["sensor"]["state"] == "asleep", "asleep")
        self.session.accelerate(*ACCELERATIONS["inverted"])
        self.set_power(0)
        self.watched.until_shown("inverted")

    def test_a_mutter_that_hangs_is_reported_once_and_recovers(self):
        mutter = self.session.compositor.process
        mutter.send_signal(signal.SIGSTOP)
        self.session.accelerate(*ACCELERATIONS["left"])
        self.watched.until_printed("GNOME does not answer")
        self.assertEqual(self.watched.ask("--status").returncode, 0, "the loop goes on")
        mutter.send_signal(signal.SIGCONT)
        for orientation in ("inverted", "left"):
            self.watched.hold(orientation)
            self.assertEqual(transforms(self.session)["1280x800"], TRANSFORMS[orientation])
        self.assertEqual(self.watched.printed().count("GNOME does not answer"), 1, self.watched.printed())

    def test_status_and_exit_do_not_wait_for_a_stopped_mutter(self):
        mutter = self.session.compositor.process
        self.watched.hold("left")
        mutter.send_signal(signal.SIGSTOP)
        self.session.accelerate(*ACCELERATIONS["inverted"])
        self.watched.until(lambda now: now["device"] == "bottom-up", "the next sample")
        began = time.monotonic()
        self.assertEqual(self.watched.ask("--status").returncode, 0)
        answered = time.monotonic()
        self.watched.end()
        ended = time.monotonic()
        mutter.send_signal(signal.SIGCONT)
        print(f"        answered in {answered - began:.2f} s, ended in {ended - answered:.2f} s")

    def test_a_late_change_by_mutter_is_no_user_request(self):
        mutter = self.session.compositor.process
        self.watched.hold("normal")
        mutter.send_signal(signal.SIGSTOP)
        self.session.accelerate(*ACCELERATIONS["left"])
        self.watched.until_printed("GNOME does not answer")
        self.watched.until(is_rotating, "the second attempt")
        self.session.accelerate(*ACCELERATIONS["normal"])
        self.watched.until(lambda now: now["device"] == "normal" and not is_rotating(now), "rest")
        mutter.send_signal(signal.SIGCONT)
        wait_until(self.is_settled, self.rotation)
        self.assertNotIn("asked for", self.watched.ask("--status").stdout)
        self.watched.hold("inverted")

    def rotation(self):
        return self.session.output(self.session.panel)["rotation"]

    def arrange(self, panel, neighbour, transform=0):
        """Sets the places of both monitors and the transform of the panel, as GNOME's settings do."""
        serial = re.match(r"\(uint32 (\d+)", call(self.session, NAME, PATH, NAME + ".GetCurrentState"))[1]
        call(self.session, NAME, PATH, NAME + ".ApplyMonitorsConfig", serial, "1",
             f"[({panel},1.0,{transform},true,[('Meta-0','1280x800@60.000',{{}})]),"
             f"({neighbour},1.0,0,false,[('Meta-1','1024x768@60.000',{{}})])]", "{}")

    def is_settled(self):
        """Whether Mutter has done everything asked earlier, and the daemon agrees with the result."""
        call(self.session, NAME, PATH, NAME + ".GetCurrentState")
        return not is_rotating(self.watched.status()) and self.rotation() == "normal"

    def test_the_panel_is_correct_as_soon_as_it_is_lit(self):
        self.watched.hold("left")
        self.set_power(3)
        self.watched.until(lambda now: now["sensor"]["state"] == "asleep", "asleep")
        self.session.accelerate(*ACCELERATIONS["inverted"])
        began = time.monotonic()
        self.set_power(0)
        self.watched.until_shown("inverted")
        print(f"        right {time.monotonic() - began:.2f} s after the light")

    def test_rotating_back_restores_the_neighbour_above(self):
        self.watched.hold("normal")
        self.arrange("0,768", "1000,0")
        before = self.session.outputs()
        self.watched.hold("left")
        self.assertNotEqual(self.session.outputs()[1], before[1])
        self.watched.hold("normal")
        self.assertEqual(self.session.outputs(), before)

    def test_a_rotation_by_another_program_is_noticed(self):
        self.watched.let_layout_settle()
        self.arrange("0,0", "1280,0", transform=2)
        self.watched.until_shown("inverted")

    def test_a_layout_by_another_program_is_corrected(self):
        self.watched.hold("left")
        self.watched.let_layout_settle()
        self.arrange("1024,0", "0,0")
        panel = self.session.panel
        wait_until(lambda: (self.session.output(panel)["x"], self.rotation()) == (1024, "left"), self.session.outputs)

    def test_doctor_describes_the_session(self):
        output = json.loads(self.session.run(program(), "doctor", "--json").stdout)
        findings = {each["name"]: each for each in output["findings"]}
        self.assertIn("Meta-0", findings["display"]["detail"])
        self.assertIn("unknown", findings["focus"]["detail"])
        self.assertIn("gnome-extensions enable " + EXTENSION, json.dumps(findings["focus"]))


class WithoutGNOME(GNOMETest):
    def test_without_gnome_it_exits_as_unsupported(self):
        bench = self.bench(sensor={})
        # With a sensor: a machine without one has another reason to exit with 4, and which comes first is random.
        trace = os.path.join(PROJECT, "Config", "demo", "turns.csv")
        result = bench.run(program(), "--backend", "gnome", "--sensor", f"replay:{trace}")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("GNOME is not running", result.stderr)


class NestedMutter(GNOMETest):
    """Mutter in a window of the bench's X server, which has a touchscreen. So Mutter has a built-in panel, and
    rotates it on its own with iio-sensor-proxy."""

    SETTINGS = "keyfile"

    def setUp(self):
        compositors.check_wanted("mutter")
        requirements.program("gsettings", "libglib2.0-bin")
        self.session = self.bench(sensor={}, proxy=True)
        bench = self.session
        bench.env.update(GSETTINGS_BACKEND=self.SETTINGS)
        options = {"MUTTER_DEBUG_NUM_DUMMY_MONITORS": "1", "MUTTER_DEBUG_DUMMY_MODE_SPECS": "640x480@60.0"}
        self.mutter = bench.children.start(
            "mutter", [requirements.program("mutter", "mutter"), "--nested", "--wayland", "--no-x11",
                       "--wayland-display", "wayland-nested"], {**bench.env, **options})
        bench.env.update(WAYLAND_DISPLAY="wayland-nested", XDG_SESSION_TYPE="wayland",
                         XDG_CURRENT_DESKTOP="GNOME")
        bench.children.await_condition(self.mutter, self.is_managed, "Mutter does not rotate the panel")

    def is_managed(self):
        try:
            return "true" in call(self.session, NAME, PATH, "org.freedesktop.DBus.Properties.Get", NAME,
                                  "PanelOrientationManaged")
        except ValueError:
            return False

    def transform(self):
        state = call(self.session, NAME, PATH, NAME + ".GetCurrentState")
        return int(re.search(r"\[\(0, 0, 1\.0, (?:uint32 )?(\d)", state)[1])

    def is_locked(self):
        return self.session.run("gsettings", "get", *LOCK).stdout.strip() == "true"

    def settings(self, take_over):
        directory = os.path.join(self.session.env["XDG_CONFIG_HOME"], "autorotate")
        os.makedirs(directory, exist_ok=True)
        with open(os.path.join(directory, "config.toml"), "w", encoding="utf-8") as file:
            file.write(f"[display]\ntake-over = {str(take_over).lower()}\n")

    def assertMutterRotates(self, orientation, transform):
        self.session.accelerate(*ACCELERATIONS[orientation])
        wait_until(lambda: self.transform() == transform, self.transform)


class OwnRotation(NestedMutter):
    def test_rotation_is_left_to_mutter(self):
        daemon = self.daemon(self.session)
        daemon.until(lambda now: now and "GNOME rotates the screen automatically" in json.dumps(now), "the reason")
        self.assertMutterRotates("left", 1)
        self.assertNotIn("→", daemon.printed())
        self.assertFalse(self.is_locked())
        for command in ("pause", "lock"):
            refused = daemon.ask(command)
            self.assertEqual(refused.returncode, 1, refused)
            self.assertIn("GNOME rotates the screen automatically: to let", refused.stderr)
            self.assertIn("autorotate config set display.take-over true", refused.stderr)
        self.assertFalse(daemon.status()["onHold"])

        def is_trusted():
            """A rotation that Mutter makes before the daemon knows the orientation proves nothing."""
            is_asleep = daemon.status()["sensor"]["state"] == "asleep"
            if not is_asleep:
                self.assertMutterRotates("inverted", 2)
                self.assertMutterRotates("left", 1)
            return is_asleep

        wait_until(is_trusted, lambda: f"trust in Mutter: {daemon.status()}")
        self.assertNotIn("desktop.idle", daemon.status()["reasonCodes"])

    def test_rotation_is_taken_over_and_given_back(self):
        self.settings(take_over=True)
        daemon = self.daemon(self.session)
        wait_until(self.is_locked, daemon.printed)
        for orientation, transform in (("left", 1), ("inverted", 2), ("right", 3), ("normal", 0)):
            daemon.hold(orientation)
            self.assertEqual(self.transform(), transform)
        self.settings(take_over=False)
        wait_until(lambda: not self.is_locked(), daemon.printed)
        self.assertMutterRotates("right", 3)

    def test_rotation_is_given_back_at_exit(self):
        self.settings(take_over=True)
        daemon = self.daemon(self.session)
        wait_until(self.is_locked, daemon.printed)
        self.assertEqual(daemon.end(), 0)
        self.assertFalse(self.is_locked())
        self.assertMutterRotates("left", 1)

    def test_after_a_crash_the_next_start_gives_rotation_back(self):
        self.settings(take_over=True)
        crashing = self.daemon(self.session)
        wait_until(self.is_locked, crashing.printed)
        crashing.process.kill()
        crashing.process.wait()
        self.assertTrue(self.is_locked())
        self.settings(take_over=False)
        daemon = self.daemon(self.session)
        wait_until(lambda: not self.is_locked(), daemon.printed)


class ReturnedToGNOME(NestedMutter):
    SETTINGS = "dconf"  # the only place that reports its changes

    def setUp(self):
        requirements.program("dconf-service", "dconf-service", "/usr/libexec/dconf-service")
        super().setUp()

    def test_unlocking_gives_rotation_back_to_gnome(self):
        self.settings(take_over=True)
        daemon = self.daemon(self.session)
        wait_until(self.is_locked, daemon.printed)
        daemon.hold("left")
        self.session.run("gsettings", "set", *LOCK, "false")
        daemon.until(lambda now: "was switched off" in json.dumps(now), "the reason")
        self.assertMutterRotates("inverted", 2)
        self.assertNotIn("→ inverted", daemon.printed())
        self.assertEqual(daemon.printed().count("was switched off"), 1, daemon.printed())
        self.assertFalse(self.is_locked())
        self.session.run("gsettings", "set", *LOCK, "true")
        daemon.until(lambda now: "was switched off" not in json.dumps(now), "the take-over again")
        daemon.hold("left")
        self.assertEqual(daemon.end(), 0)
        self.assertTrue(self.is_locked(), "it is the person's lock now")


if compositors.root() and os.path.exists(os.path.join(compositors.root(), "usr/bin/gnome-shell")):
    class Shell(GNOMETest):
        """GNOME Shell with the extension. It starts in its overview, where no window has focus."""

        def setUp(self):
            self.session = self.bench(server="gnome-shell", sensor={})
            directory = os.path.join(self.session.env["XDG_CONFIG_HOME"], "autorotate/apps")
            os.makedirs(directory)
            with open(os.path.join(directory, "../config.toml"), "w", encoding="utf-8") as file:
                file.write("[notifications]\nsuggest-rotation = true\n")
            with open(os.path.join(directory, "player.toml"), "w", encoding="utf-8") as file:
                file.write('match = ["player.app"]\nsupported = ["landscape"]\n')
            with open(os.path.join(directory, "reader.toml"), "w", encoding="utf-8") as file:
                file.write('match = ["reader.app"]\nsupported = ["portrait"]\nfullscreen = true\n')
            # Until then it may answer nobody for seconds, and opens its overview last.
            self.await_value("Main.layoutManager._startingUp", "false")
            self.watched = self.daemon(self.session, "--output", self.session.panel)

        def shell(self, method, *arguments):
            # It has its name on the bus before all of its objects.
            return wait_until(lambda: self.attempt(method, *arguments), method)

        def attempt(self, method, *arguments):
            try:
                return call(self.session, "org.gnome.Shell", "/org/gnome/Shell", method, *arguments)
            except ValueError:
                return None

        def enable(self):
            self.assertIn("true", self.shell("org.gnome.Shell.Extensions.EnableExtension", EXTENSION))
            self.leave_overview()

        def leave_overview(self):
            self.shell("org.freedesktop.DBus.Properties.Set", "org.gnome.Shell", "OverviewActive", "<false>")
            self.await_value("Main.overview.visible", "false")

        def open(self, name, *arguments):
            requirements.program("foot", "foot")
            return self.session.children.start(
                name, ["foot", "--app-id", name + ".app", *arguments, "sleep", "60"], self.session.env)

        def doctor(self):
            output = json.loads(self.session.run(program(), "doctor", "--json").stdout)
            return next(each for each in output["findings"] if each["name"] == "focus")

        def test_the_application_in_focus_decides(self):
            self.assertTrue(self.shell("org.gnome.Shell.Extensions.GetExtensionInfo", EXTENSION))
            self.assertIn("not running", self.doctor()["detail"])
            self.enable()
            self.watched.hold("left")
            player = self.open("player")
            self.watched.until_shown("normal")
            self.assertEqual(self.session.output(self.session.panel)["rotation"], "normal")
            other = self.open("other")
            self.watched.until_shown("left")
            self.session.children.stop(other)
            self.watched.until_shown("normal")
            self.session.children.stop(player)
            self.watched.until_shown("left")
            self.assertEqual(self.doctor()["state"], "works")

        def test_fullscreen_is_reported(self):
            self.enable()
            self.watched.hold("normal")
            reader = self.open("reader", "--fullscreen")
            self.watched.until(lambda now: now["orientation"] in ("left", "right"), "portrait")
            self.session.children.stop(reader)
            self.watched.until_shown("normal")

        def test_without_the_extension_rules_have_no_effect(self):
            self.leave_overview()
            self.watched.hold("left")
            self.open("player")
            wait_until(self.has_window, "the player's window")
            with self.watched.rotating_only("right"):
                self.watched.hold("right")  # which the player's rule does not allow
            for words in (("windows",), ("explain",), ("rule", "add", "other.app", "portrait"),
                          ("rule", "add", "portrait"), ("lock", "left", "--while", "player.app")):
                result = self.session.run(program(), *words)
                self.assertIn("gnome-extensions enable " + EXTENSION, result.stderr, words)
                self.assertNotIn("No app is focused", result.stdout + result.stderr, words)

        def test_a_rule_for_a_title_is_said_never_to_apply(self):
            for words in (("rule", "add", "other.app", "landscape", "--title", "*book*"), ("explain", "other.app")):
                self.assertIn("does not report titles", self.session.run(program(), *words).stderr, words)
            self.assertNotIn("titles", self.session.run(program(), "explain", "player.app").stderr)

        def evaluate(self, code):
            """The value of JavaScript in the Shell."""
            answer = self.shell("org.gnome.Shell.Eval", code)
            self.assertTrue(answer.startswith("(true, "), answer)
            return answer[len("(true, '"):-len("')")]

        def await_value(self, code, value):
            wait_until(lambda: self.evaluate(code) == value, lambda: f"{code}: {self.evaluate(code)}")

        def test_quick_settings_show_and_toggle_the_lock(self):
            self.enable()
            self.watched.hold("left")
            self.await_value(f"[{TOGGLE}.visible, {TOGGLE}.checked, {TOGGLE}.subtitle].join()",
                             '"true,true,Left Edge Up"')
            self.evaluate(TOGGLE + ".emit('clicked', 0)")
            self.watched.until(lambda now: now["lock"] and now["lock"]["orientation"] == "left", "the lock")
            self.await_value(TOGGLE + ".checked", "false")
            self.evaluate(TOGGLE + ".emit('clicked', 0)")
            self.watched.until(lambda now: not now["lock"], "the end of the lock")
            self.await_value(TOGGLE + ".checked", "true")
            self.assertEqual(self.watched.end(), 0)
            self.await_value(TOGGLE + ".visible", "false")

        def test_without_the_settings_app_the_toggle_has_no_empty_menu(self):
            self.enable()
            self.await_value(TOGGLE + ".menuEnabled", "false")

        def test_one_toggle_is_shown_while_autorotate_rotates(self):
            self.evaluate(MANAGED)
            self.await_value(GNOME_TOGGLE + ".visible", "true")
            self.enable()
            self.watched.hold("left")
            self.await_value(TOGGLES, '"true,false"')
            self.evaluate(MANAGED)
            self.await_value(TOGGLES, '"true,false"')
            self.shell("org.gnome.Shell.Extensions.DisableExtension", EXTENSION)
            self.await_value(GNOME_TOGGLE + ".visible", "true")
            self.enable()
            self.await_value(TOGGLES, '"true,false"')
            self.assertEqual(self.watched.end(), 0)
            self.await_value(TOGGLES, '"false,true"')

        def test_gnomes_toggle_is_shown_while_gnome_rotates(self):
            self.evaluate(MANAGED)
            self.enable()
            self.watched.hold("left")
            self.await_value(TOGGLES, '"true,false"')
            extension = f"Main.extensionManager.lookup('{EXTENSION}').stateObj"
            self.evaluate(f"{extension}._daemon._proxy.set_cached_property('ReasonCodes', "
                          "new imports.gi.GLib.Variant('as', ['desktop.turns']));" + extension + "._update()")
            self.await_value(TOGGLES, '"false,true"')

        def test_a_button_accepts_the_offered_rotation(self):
            self.enable()
            self.watched.hold("normal")
            self.watched.ask("lock")
            self.session.accelerate(*ACCELERATIONS["left"])
            self.await_value(f"Boolean({BUTTON})", "true")
            self.evaluate(BUTTON + ".emit('clicked', 0)")
            self.watched.until_shown("left")
            self.await_value(f"Boolean({BUTTON})", "false")

        def place(self, name):
            """Where a screen reader finds the button, once it has stopped moving."""
            places = [None]

            def is_still():
                places.append(self.reader.visible(name))
                return places[-1] and places[-1] == places[-2]

            wait_until(is_still, f"a button called {name}")
            return places[-1]

        def tap(self, place):
            left, top, width, height, _ = place
            self.evaluate(f"{TOUCHSCREEN} global.touchscreen.notify_touch_down(0, 0, {left + width / 2}, {top + height / 2});"
                          "global.touchscreen.notify_touch_up(0, 0)")

        def read(self):
            settingswindow.require_accessibility()
            self.reader = accessibility.Reader(self.session, "gnome-shell")
            self.addCleanup(self.reader.end)

        def test_the_toggle_is_found_by_screen_readers_and_touched(self):
            self.enable()
            self.watched.hold("normal")
            self.read()
            self.tap(self.place("System"))
            self.assertTrue(self.place("Auto-Rotation")[-1])
            self.tap(self.place("Auto-Rotation"))
            self.watched.until(lambda now: now["lock"], "the lock")
            wait_until(lambda: not self.place("Auto-Rotation")[-1], "an unchecked toggle")
            self.tap(self.place("Auto-Rotation"))
            self.watched.until(lambda now: not now["lock"], "the end of the lock")
            wait_until(lambda: self.place("Auto-Rotation")[-1], "a checked toggle")

        def test_the_button_is_found_by_screen_readers_and_touched(self):
            self.enable()
            self.watched.hold("normal")
            self.watched.ask("lock")
            self.read()

            def is_rotated():
                """It is shown for five seconds, and offered again after each return."""
                self.offer_again()
                place = self.reader.visible("Rotate the Screen")
                if place:
                    self.tap(place)
                    self.await_value(f"Boolean({BUTTON})", "false")
                return self.watched.latest["orientation"] == "left"

            wait_until(is_rotated, "the rotation")

        def offer_again(self):
            """Unless it was accepted meanwhile."""
            for orientation, suggestion in (("normal", None), ("left", "left")):
                self.session.accelerate(*ACCELERATIONS[orientation])
                self.watched.until(
                    lambda now, wanted=suggestion: now["orientation"] == "left" or now["suggestion"] == wanted, "the offer")

        def test_a_rotation_waits_for_the_finger(self):
            self.enable()
            self.watched.hold("normal")
            self.open("other")
            self.watched.until(lambda now: now["application"], "the window")
            self.evaluate(TOUCH)
            wait_until(self.is_touched, "the finger on the bus")
            self.session.accelerate(*ACCELERATIONS["left"])
            self.watched.until(lambda now: "touch.finger" in json.dumps(now), "the finger")
            self.evaluate("global.touchscreen.notify_touch_up(0, 0)")
            self.watched.until_shown("left")

        def is_touched(self):
            name = "org.autorotate.Focus1"
            return "true" in call(self.session, name, "/org/autorotate/Focus1", "org.freedesktop.DBus.Properties.Get", name, "Touched")

        def test_nothing_remains_of_a_disabled_extension(self):
            menus = self.evaluate(MENUS)
            self.enable()
            self.watched.hold("normal")
            self.watched.ask("lock")
            self.session.accelerate(*ACCELERATIONS["left"])
            self.await_value(f"[Boolean({TOGGLE}), Boolean({BUTTON})].join()", '"true,true"')
            self.shell("org.gnome.Shell.Extensions.DisableExtension", EXTENSION)
            self.await_value(f"[Boolean({TOGGLE}), Boolean({BUTTON})].join()", '"false,false"')
            self.assertEqual(self.evaluate(MENUS), menus)
            self.assertIn("not running", self.doctor()["detail"])

        def has_window(self):
            with open(os.path.join(self.session.directory, "player.out"), encoding="utf-8") as file:
                return "cell width" in file.read()

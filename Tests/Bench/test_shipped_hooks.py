# SPDX-License-Identifier: MIT
"""The shipped hooks, run by a real daemon for all four orientations, with the real tools where these are installed."""

import array
import json
import os
import re
import shutil
import subprocess

from benchkit import c_programs, compositors, requirements, processes, sound
from benchkit.shipped_hooks import ACCELERATIONS, HookTest, png, variables

RATE = 48000  # samples a second


class SwaySplit(HookTest):
    def start(self):
        session = self.bench(server="sway", sensor={})
        requirements.program("jq", "jq")
        self.swaymsg(session, "focus", "output", session.panel)
        self.swaymsg(session, "workspace", "7")  # which workspace is first differs
        self.switch_on(session, "sway-split")
        return session, self.daemon(session, "--output", session.panel)

    def swaymsg(self, session, *words):
        result = session.run("swaymsg", "--", *words)
        self.assertEqual(result.returncode, 0, f"swaymsg {words}: {result.stdout}{result.stderr}")

    def tree(self, session):
        return json.loads(session.run("swaymsg", "-r", "-t", "get_tree").stdout)

    def window(self, session, name):
        session.children.start(name, ["foot", "--app-id", name, "sleep", "600"], session.env)
        self.until(lambda: f'"{name}"' in json.dumps(self.tree(session)), session.children.last_words(name))

    def shape(self, session):
        """The workspaces of each output: layout, and contents; without the container around a single one."""
        def inside(node):
            if node.get("app_id"):
                return node["app_id"]
            nodes = node["nodes"]
            if len(nodes) == 1 and nodes[0]["nodes"]:
                return inside(nodes[0])
            return node["layout"], [inside(each) for each in nodes]

        return {output["name"]: {space["name"]: inside(space) for space in output["nodes"]}
                for output in self.tree(session)["nodes"] if output["name"] != "__i3"}

    def test_the_outermost_split_of_each_workspace_follows_the_panel(self):
        session, daemon = self.start()
        for number, layout in (("8", "tabbed"), ("7", "splith")):
            self.swaymsg(session, "workspace", number)
            self.window(session, "a" + number)
            self.swaymsg(session, "layout", layout)
            self.window(session, "b" + number)
        self.swaymsg(session, "splitv")
        self.window(session, "c7")
        self.swaymsg(session, "focus", "output", session.compositor.neighbour)
        self.window(session, "elsewhere")
        other = self.shape(session)[session.compositor.neighbour]
        for orientation in (*ACCELERATIONS, "left"):
            daemon.hold(orientation)
            split = "splith" if orientation in ("normal", "inverted") else "splitv"
            wanted = {"7": (split, ["a7", ("splitv", ["b7", "c7"])]), "8": ("tabbed", ["a8", "b8"])}
            self.until(lambda wanted=wanted: self.shape(session)[session.panel] == wanted,
                       f"{orientation}: {self.shape(session)}")
            self.assertEqual(self.shape(session)[session.compositor.neighbour], other)
        self.assertNotIn("50-sway-split", daemon.printed())

    def test_an_empty_workspace_in_front_is_split_later(self):
        session, daemon = self.start()
        daemon.hold("left")
        self.until(lambda: self.shape(session)[session.panel] == {"7": ("splitv", [])}, self.shape(session))

    def test_sway_is_found_without_its_socket_variable(self):
        session, _daemon = self.start()
        self.window(session, "a")
        with open(os.path.join(session.env["XDG_RUNTIME_DIR"], "sway-ipc.0.1.sock"), "wb"):
            pass  # of one that was killed
        result = self.by_hand(session, "sway-split", **{**variables("left", output=session.panel), "SWAYSOCK": ""})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.shape(session)[session.panel], {"7": ("splitv", ["a"])})

    def test_a_split_chosen_by_hand_survives_a_half_turn(self):
        session, _daemon = self.start()
        self.window(session, "a")
        self.swaymsg(session, "layout", "splitv")
        for previous, now in (("normal", "inverted"), ("normal", "normal")):
            result = self.by_hand(session, "sway-split", **variables(now, previous, session.panel))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.shape(session)[session.panel], {"7": ("splitv", ["a"])})


class Wallpaper(HookTest):
    def images(self, session):
        for aspect, colour in (("landscape", (255, 0, 0)), ("portrait", (0, 0, 255))):
            path = session.write(f"config/autorotate/wallpaper/{aspect}", "")
            with open(path, "wb") as file:
                file.write(png(*colour))
        return os.path.dirname(path)

    def red(self, session):
        """How much of the panel's glass is red: 0.94, since an image fades at its edges when it is enlarged."""
        look = session.run(c_programs.wayland_client(session.directory), "look", session.panel)
        return float(look.stdout.split()[2]) if look.returncode == 0 else 0

    def assertFollows(self, server):
        session = self.bench(server=server, sensor={})
        self.check_swaybg()
        self.images(session)
        self.switch_on(session, "wallpaper")
        daemon = self.daemon(session, "--output", session.panel)
        for orientation in ACCELERATIONS:
            daemon.hold(orientation)
            red = orientation in ("normal", "inverted")
            self.until(lambda red=red: (self.red(session) > 0.9) == red, f"{orientation}: {self.red(session)}")
        self.assertNotIn("50-wallpaper", daemon.printed())
        return session

    def check_swaybg(self):
        """sway starts the swaybg of its own root."""
        if not os.access((compositors.root() or "") + requirements.program("swaybg", "swaybg"), os.X_OK):
            raise requirements.Missing("swaybg is not installed in $WAYLAND_ROOT: recreate the root")

    def wallpapers(self, session):
        """The swaybg processes of this bench."""
        return [number for number in processes.numbers()
                if processes.read(number, "comm") == "swaybg\n"
                and session.directory in processes.read(number, "environ")]

    def end_wallpapers(self, session):
        for number in self.wallpapers(session):
            os.kill(number, 15)

    def test_the_wallpaper_follows_on_sway(self):
        self.assertFollows("sway")

    if compositors.root():  # Debian 12 has no labwc

        def test_the_wallpaper_follows_on_labwc(self):
            self.end_wallpapers(self.assertFollows("labwc"))

    def test_on_other_compositors_a_new_swaybg_replaces_the_old(self):
        session = self.assertFollows("phoc")
        self.addCleanup(self.end_wallpapers, session)
        self.until(lambda: len(self.wallpapers(session)) == 1, self.wallpapers(session))
        shown = self.wallpapers(session)
        with open(os.path.join(session.env["XDG_CONFIG_HOME"], "autorotate/wallpaper/portrait"), "wb") as file:
            file.write(b"no picture")
        result = self.by_hand(session, "wallpaper", **variables("left", output=session.panel))
        self.assertEqual(result.returncode, 1)
        self.assertIn("swaybg does not show ", result.stderr)
        # The one whose image is missing ends in its own time.
        self.until(lambda: self.wallpapers(session) == shown, self.wallpapers(session))

    def test_on_xfce_each_workspace_of_the_panel_has_the_wallpaper(self):
        session = self.bench(sensor={})
        requirements.program("xfconf-query", "xfconf")
        session.env["XDG_CURRENT_DESKTOP"] = "XFCE"
        images = self.images(session)
        self.switch_on(session, "wallpaper")
        shown = [f"/backdrop/screen0/monitor{name}/last-image"
                 for name in ("eDP-1/workspace0", "eDP-1/workspace1", "HDMI-1/workspace0")]
        for name in shown:
            self.xfconf(session, "-p", name, "--create", "-t", "string", "-s", "before")
        daemon = self.daemon(session)
        for orientation in ACCELERATIONS:
            daemon.hold(orientation)
            aspect = "landscape" if orientation in ("normal", "inverted") else "portrait"
            wanted = [f"{images}/{aspect}"] * 2 + ["before"]
            self.until(lambda wanted=wanted: [self.xfconf(session, "-p", name) for name in shown] == wanted,
                       orientation)
        self.assertNotIn("50-wallpaper", daemon.printed())

    def test_on_xfce_a_missing_wallpaper_is_set(self):
        session = self.bench(wm="none")
        requirements.program("xfconf-query", "xfconf")
        images = self.images(session)
        result = self.by_hand(session, "wallpaper", XDG_CURRENT_DESKTOP="XFCE", **variables("right"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.xfconf(session, "-p", "/backdrop/screen0/monitoreDP-1/workspace0/last-image"),
                         f"{images}/portrait")

    def xfconf(self, session, *words):
        return session.run("xfconf-query", "-c", "xfce4-desktop", *words).stdout.strip()

    def test_a_missing_image_is_reported(self):
        session = self.bench(server="sway")
        result = self.by_hand(session, "wallpaper", **variables("left", output=session.panel))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^there is no \S+/wallpaper/portrait: put an image there, or a link to one\n$")


class BarRestart(HookTest):
    def test_polybar_and_tint2_have_the_width_of_the_screen(self):
        session = self.bench(sensor={}, mode="640x400")
        polybar = session.write("config/polybar.ini", (
            "[bar/bench]\nmonitor = eDP-1\nwidth = 100%\nheight = 24\noverride-redirect = true\n"
            "font-0 = sans:size=10\nmodules-center = x\n[module/x]\ntype = custom/text\ncontent = x\n"))
        tint2 = session.write("config/tint2rc", (
            "panel_items = E\npanel_position = bottom center horizontal\npanel_size = 100% 20\npanel_monitor = 1\n"))
        self.switch_on(session, "bar-restart")
        bars = [self.start(session, "polybar", "--config=" + polybar, "bench"),
                self.start(session, "tint2", "-c", tint2)]
        elsewhere = self.elsewhere(session)
        daemon = self.daemon(session)
        for orientation in ACCELERATIONS:
            daemon.hold(orientation)
            width = 640 if orientation in ("normal", "inverted") else 400
            self.until(lambda width=width: self.widths(session) == {24: width, 20: width},
                       f"{orientation}: {self.widths(session)}")
        self.assertEqual([bar.poll() for bar in bars], [None, None])
        self.assertIsNone(elsewhere.poll())
        self.assertNotIn("50-bar-restart", daemon.printed())

    def elsewhere(self, session):
        """A program that looks like a bar of another display. The signal would end it."""
        path = os.path.join(self.directory(), "polybar")
        shutil.copy(requirements.program("sleep", "coreutils"), path)
        return session.children.start("elsewhere", [path, "600"], {**session.env, "DISPLAY": ":12345"})

    def start(self, session, name, *words):
        return session.children.start(name, [requirements.program(name, name), *words], session.env)

    def widths(self, session):
        """The widths of the bars by their heights."""
        tree = session.run(requirements.program("xwininfo", "x11-utils"), "-root", "-tree").stdout
        return {int(height): int(width) for width, height in
                re.findall(r"\s(\d+)x(24|20)\+", "\n".join(re.findall(r"^.*(?:polybar|tint2).*$", tree, re.M)))}

    def test_waybar_reads_its_settings_again(self):
        session = self.bench(server="sway", sensor={})
        settings = session.write("config/waybar/config", json.dumps({"output": session.panel, "height": 30}))
        self.switch_on(session, "bar-restart")
        bar = self.start(session, "waybar", "-c", settings)
        read = lambda: self.printed(session).count("Using configuration file")  # noqa: E731
        self.until(lambda: read() == 1, self.printed(session))
        daemon = self.daemon(session, "--output", session.panel)
        daemon.hold("left")
        self.until(lambda: read() == 2, self.printed(session))
        self.assertIsNone(bar.poll())

    def printed(self, session):
        return session.children.last_words("waybar", 1000)


class SubpixelOrder(HookTest):
    ORDERS = {"normal": "rgb", "left": "vrgb", "inverted": "bgr", "right": "vbgr"}

    def xfconf(self, session, *words):
        return session.run("xfconf-query", "-c", "xsettings", "-p", "/Xft/RGBA", *words).stdout.strip()

    def alone(self, **options):
        """A bench where only the panel is lit."""
        session = self.bench(**options)
        self.assertEqual(session.run("xrandr", "--output", "HDMI-1", "--off").returncode, 0)
        return session

    def xfce(self, order):
        session = self.alone(sensor={})
        requirements.program("xfconf-query", "xfconf")
        session.env["XDG_CURRENT_DESKTOP"] = "XFCE"
        self.switch_on(session, "subpixel-order")
        self.xfconf(session, "--create", "-t", "string", "-s", order)
        return session, self.daemon(session)

    def test_xfce_gets_the_order_of_each_orientation(self):
        session, daemon = self.xfce("rgb")
        for orientation in ACCELERATIONS:
            daemon.hold(orientation)
            self.until(lambda wanted=self.ORDERS[orientation]: self.xfconf(session) == wanted, orientation)
        self.assertNotIn("50-subpixel-order", daemon.printed())

    def test_a_user_without_subpixel_rendering_keeps_none(self):
        session, _daemon = self.xfce("none")
        result = self.by_hand(session, "subpixel-order", **variables("left"))
        self.assertEqual((result.returncode, result.stderr, self.xfconf(session)), (0, "", "none"))

    def test_a_monitor_beside_the_panel_is_upright(self):
        session, daemon = self.xfce("rgb")
        daemon.hold("left")
        self.until(lambda: self.xfconf(session) == "vrgb", "left")
        session.run("xrandr", "--output", "HDMI-1", "--auto", "--right-of", "eDP-1")
        daemon.hold("inverted")
        self.until(lambda: self.xfconf(session) == "rgb", "inverted")

    def test_other_desktops_get_it_by_x_resources(self):
        session = self.alone(sensor={})
        xrdb = requirements.program("xrdb", "x11-xserver-utils")
        subprocess.run([xrdb, "-merge", "-nocpp"], input="Xft.rgba:\trgb\nXft.dpi:\t96\n", text=True, check=True,
                       env=session.env)
        self.switch_on(session, "subpixel-order")
        daemon = self.daemon(session)
        for orientation in ACCELERATIONS:
            daemon.hold(orientation)
            wanted = {"Xft.rgba": self.ORDERS[orientation], "Xft.dpi": "96"}
            self.until(lambda wanted=wanted: dict(
                line.split(":\t") for line in session.run(xrdb, "-query").stdout.splitlines()) == wanted, orientation)

    def test_gnome_gets_the_order_of_each_orientation(self):
        session = self.alone(wm="none")
        gsettings = requirements.program("gsettings", "libglib2.0-bin")
        environment = {"XDG_CURRENT_DESKTOP": "ubuntu:GNOME", "GSETTINGS_BACKEND": "keyfile",
                       "XDG_DATA_DIRS": "/usr/share"}
        for orientation, order in self.ORDERS.items():
            result = self.by_hand(session, "subpixel-order", **environment, **variables(orientation))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            now = subprocess.run([gsettings, "get", "org.gnome.desktop.interface", "font-rgba-order"], text=True,
                                 env={**session.env, **environment}, capture_output=True, check=True).stdout
            self.assertEqual(now, f"'{order}'\n")

    def test_mate_and_cinnamon_get_the_order(self):
        session = self.alone(wm="none")
        keys = {"MATE": ["org.mate.font-rendering rgba-order"],
                "X-Cinnamon": ["org.cinnamon.desktop.interface font-rgba-order",
                               "org.cinnamon.settings-daemon.plugins.xsettings rgba-order"]}
        for desktop, wanted in keys.items():
            place = self.tools("xrandr", gsettings='[ "$1" != get ] || echo "\'rgb\'"')
            result = self.by_hand(session, "subpixel-order", XDG_CURRENT_DESKTOP=desktop, PATH=place, **variables("right"))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(self.called(place), [f"gsettings {verb}" for key in wanted
                                                  for verb in (f"get {key}", f"set {key} vbgr")])


class OnboardLayout(HookTest):
    def test_onboard_gets_the_layout_of_each_orientation(self):
        session = self.bench(sensor={})
        place = self.tools(gsettings='[ "$1" != writable ] || echo true')
        session.env["PATH"] = place + os.pathsep + session.env["PATH"]
        self.switch_on(session, "onboard-layout")
        daemon = self.daemon(session)
        for orientation in ACCELERATIONS:
            layout = "Compact" if orientation in ("normal", "inverted") else "Phone"
            already = len(self.called(place))
            daemon.hold(orientation)
            self.until(lambda already=already: len(self.called(place)) == already + 2, orientation)
            self.assertEqual(self.called(place)[-1], f"gsettings set org.onboard layout {layout}")

    def test_a_missing_onboard_is_reported(self):
        session = self.bench(wm="none")
        place = self.tools(gsettings="echo No such schema >&2; exit 1")
        result = self.by_hand(session, "onboard-layout", PATH=place, **variables("left"))
        self.assertEqual((result.returncode, result.stderr), (
            1, "Onboard is not installed: install it, or remove this hook\n"))


class LisgdOrientation(HookTest):
    GESTURE = ("-g", "1,LR,*,*,R,notify-send 'to the right'")

    def lines(self, session):
        path = os.path.join(session.directory, "lisgd")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return [line.rstrip("\n").split("|") for line in file if line.endswith("\n")]

    def start(self, *words):
        session = self.bench(sensor={})
        program = c_programs.lisgd(session.directory)
        session.env["PATH"] = os.path.dirname(program) + os.pathsep + session.env["PATH"]
        self.switch_on(session, "lisgd-orientation")
        daemon = self.daemon(session)
        session.children.start("gestures", [*self.beside(daemon), "lisgd", *words], session.env)
        self.until(lambda: self.lines(session), "lisgd did not come up")
        self.addCleanup(self.end, session)
        return session, daemon

    def beside(self, _daemon):
        """What starts a program in the daemon's mount namespace."""
        return ()

    def end(self, session):
        number = int(self.lines(session)[-1][0])
        if processes.is_running(number):
            os.kill(number, 9)

    def test_lisgd_gets_each_orientation(self):
        session, daemon = self.start("-d", "/dev/input/event5", "-o", "0", *self.GESTURE, "-v")
        for count, (orientation, turns) in enumerate(zip(ACCELERATIONS, "3210"), 2):
            daemon.hold(orientation)
            self.until(lambda count=count: len(self.lines(session)) == count, f"{orientation}: {self.lines(session)}")
            number, *words = self.lines(session)[-1]
            self.assertEqual(words, ["-d", "/dev/input/event5", *self.GESTURE, "-v", "-o", turns])
            self.assertTrue(processes.is_running(number), "it went with the hook")
            self.assertFalse(processes.is_running(self.lines(session)[-2][0]), "there are two")
        self.assertNotIn("50-lisgd-orientation", daemon.printed())

    def test_the_lisgd_of_another_display_is_left_alone(self):
        session, _daemon = self.start("-v")
        (number, _word), = self.lines(session)
        result = self.by_hand(session, "lisgd-orientation", **{**variables("left"), "DISPLAY": ":12345"})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(processes.is_running(number))
        self.assertEqual(len(self.lines(session)), 1)

    def outside_path(self, session):
        """Its path, and the hook's PATH without it."""
        copy = shutil.copy(shutil.which("lisgd", path=session.env["PATH"]), os.path.join(self.directory(), "lisgd"))
        return copy, self.tools()

    def test_a_lisgd_outside_path_is_restarted_by_its_own_path(self):
        session, _daemon = self.start("-v")
        os.kill(int(self.lines(session)[0][0]), 9)
        program_file, path = self.outside_path(session)
        session.children.start("outside", [program_file, "-d", "/dev/input/event5", *self.GESTURE], session.env)
        self.until(lambda: len(self.lines(session)) == 2, "lisgd did not come up")
        result = self.by_hand(session, "lisgd-orientation", PATH=path, **variables("left"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.until(lambda: len(self.lines(session)) == 3, "it was not restarted")
        number, *words = self.lines(session)[-1]
        self.assertEqual(words, ["-d", "/dev/input/event5", *self.GESTURE, "-o", "3"])
        self.assertEqual(os.readlink(f"/proc/{number}/exe"), program_file)

    def test_a_program_that_poses_as_lisgd_is_left_alone(self):
        session, _daemon = self.start("-v")
        os.kill(int(self.lines(session)[0][0]), 9)
        real = shutil.which("lisgd", path=session.env["PATH"])
        outside, path = self.outside_path(session)
        other = shutil.copy(real, os.path.join(self.directory(), "other"))
        link = os.path.join(self.directory(), "lisgd")
        os.symlink(other, link)
        posers = (("another program", [link], None),
                  ("in a sandbox", ["unshare", "--user", real], None),
                  ("with other files", ["unshare", "--mount", real], None),
                  ("without new privileges", ["setpriv", "--no-new-privs", real], None),
                  ("in a sandbox outside PATH", ["unshare", "--user", outside], path),
                  ("with other files outside PATH", ["unshare", "--mount", outside], path),
                  ("without new privileges outside PATH", ["setpriv", "--no-new-privs", outside], path))
        count = 1
        for why, command, hook_path in posers:
            # Some systems do not let users make namespaces.
            if subprocess.run([*command[:-1], "true"], check=False, capture_output=True).returncode != 0:
                continue
            count += 1
            session.children.start(f"poser {count}", command, session.env)
            self.until(lambda expected=count: len(self.lines(session)) == expected, why)
            number = self.lines(session)[-1][0]
            more = {"PATH": hook_path} if hook_path else {}
            result = self.by_hand(session, "lisgd-orientation", **more, **variables("left"))
            self.assertEqual((result.returncode, result.stderr), (0, ""), why)
            self.assertTrue(processes.is_running(number), why)
            self.assertEqual(len(self.lines(session)), count, why)
            os.kill(int(number), 9)


class StereoUpsideDown(HookTest):
    """With PipeWire's real server, and a tone that is on the left."""

    def start(self):
        session = self.bench(sensor={})
        sound.start(session)
        self.play(session)
        self.until(lambda: self.louder_side(session) == "left", "no sound is recorded")
        return session

    def play(self, session):
        """A square wave on the left, endlessly."""
        wave = session.write("tone", "")
        with open(wave, "wb") as file:
            period = [9000, 0] * 50 + [-9000, 0] * 50
            array.array("h", period * 2400).tofile(file)
        session.children.start("player", ["sh", "-c", (
            f"while :; do cat '{wave}'; done | pacat --raw --format=s16le --channels=2 --rate={RATE}")], session.env)

    def louder_side(self, session, where="speakers"):
        """The side on which it is louder, or None."""
        command = ["parec", "--raw", "--format=s16le", "--channels=2", f"--rate={RATE}", "--latency-msec=20",
                   f"--device={where}.monitor"]
        with subprocess.Popen(command, env=session.env, stdout=subprocess.PIPE) as recorder:
            samples = array.array("h", recorder.stdout.read(RATE))  # a quarter of a second
            recorder.kill()
        left, right = (max(samples[-RATE // 8:][side::2], default=0) for side in (0, 1))
        if max(left, right) < 1000:
            return None
        return "left" if left > 4 * right else "right" if right > 4 * left else "both"

    def test_channels_swap_when_upside_down(self):
        session = self.start()
        self.switch_on(session, "stereo-upside-down")
        daemon = self.daemon(session)
        for orientation in (*ACCELERATIONS, "inverted", "normal"):
            daemon.hold(orientation)
            wanted = "right" if orientation == "inverted" else "left"
            self.until(lambda wanted=wanted: self.louder_side(session) == wanted, orientation)
        self.until(lambda: sound.default(session) == "speakers", sound.default(session))
        self.assertNotIn("remap", sound.pactl(session, "list", "short", "modules").stdout)
        self.assertNotIn("50-stereo-upside-down", daemon.printed())

    def test_a_repeated_hook_changes_nothing_and_headphones_stay(self):
        session = self.start()
        for _ in range(2):
            result = self.by_hand(session, "stereo-upside-down", **variables("inverted"))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(sound.pactl(session, "list", "short", "modules").stdout.count("module-remap-sink"), 1)
        self.by_hand(session, "stereo-upside-down", **variables("normal"))
        sound.add_output(session, "headset", "device.bus=bluetooth")
        result = self.by_hand(session, "stereo-upside-down", **variables("inverted"))
        self.assertEqual((result.returncode, result.stderr, sound.default(session)), (0, "", "headset"))

    def test_a_missing_sound_server_is_reported(self):
        session = self.bench(wm="none")
        requirements.program("pactl", "pulseaudio-utils")
        result = self.by_hand(session, "stereo-upside-down", **variables("inverted"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))

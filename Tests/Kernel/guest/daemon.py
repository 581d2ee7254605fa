# SPDX-License-Identifier: MIT
"""The installed program: its package, its unit, and the kernel's information on its process."""

import glob
import grp
import os
import pwd
import re
import stat
import subprocess

from waiting import wait_until

RULE = "/usr/lib/udev/rules.d/61-autorotate.rules"
PROGRAM = "/usr/bin/autorotate"
TARGET = """\
[Unit]
Description=The desktop of this person
BindsTo=graphical-session.target
Before=graphical-session.target
Wants=graphical-session-pre.target
"""


def allow_buffer(person):
    """The command in the packaged rule's comment: a group may use the sensor's buffer."""
    subprocess.run(["groupadd", "--force", "sensors"], check=True)
    subprocess.run(["usermod", "--append", "--groups", "sensors", person.name], check=True)
    with open(RULE, encoding="utf-8") as file:
        rule = re.sub(r"^#(SUBSYSTEM==\"iio\"|  RUN)", r"\1", file.read(), flags=re.MULTILINE)
    with open("/etc/udev/rules.d/61-autorotate.rules", "w", encoding="utf-8") as file:
        file.write(rule)
    subprocess.run(["udevadm", "control", "--reload"], check=True)


class Daemon:
    """The daemon of one user."""

    def __init__(self, person, settings=()):
        self.person = person
        person.write(".config/systemd/user/desktop.target", TARGET)
        person.write(".config/autorotate/config.toml", "".join(f"{line}\n" for line in settings))

    def number(self):
        number = self.person.run("systemctl", "--user", "show", "-P", "MainPID", "autorotate").stdout.strip()
        return int(number or 0)

    def restarts(self):
        return int(self.person.say("systemctl", "--user", "show", "-P", "NRestarts", "autorotate"))

    def is_there(self):
        return self.number() and self.person.run("autorotate", "--status").returncode == 0

    def switches(self):
        """Context switches of all its threads together, voluntary and involuntary: how often it has woken."""
        counts = []
        for path in glob.glob(f"/proc/{self.number()}/task/*/status"):
            with open(path, encoding="utf-8") as file:
                counts += re.findall(r"ctxt_switches:\s+(\d+)", file.read())
        return sum(map(int, counts))

    def log(self):
        return subprocess.run(["journalctl", "--no-pager", "-o", "cat", "-n", "40",
                               "_SYSTEMD_USER_UNIT=autorotate.service", f"_UID={self.person.account.pw_uid}"],
                              capture_output=True, text=True, check=False).stdout


def owners():
    """The users that run the program, by name."""
    found = []
    for path in glob.glob("/proc/[0-9]*"):
        try:
            if os.readlink(f"{path}/exe").removesuffix(" (deleted)") == PROGRAM:
                found.append(pwd.getpwuid(os.stat(path).st_uid).pw_name)
        except OSError:
            pass  # it has ended, or is the kernel's
    return sorted(found)


def accelerometers():
    """Their directories in sysfs, in the order of their numbers. A gyroscope in the same hub may have a lower number."""
    found = map(os.path.dirname, glob.glob("/sys/bus/iio/devices/iio:device*/in_accel_x_raw"))
    return sorted(found, key=lambda path: int(path.rpartition("device")[2]))


def sensor():
    """The display's; the base's hub is plugged in after it."""
    return next(iter(accelerometers()), "")


def node():
    return f"/dev/{os.path.basename(sensor())}"


def attribute(name):
    with open(f"{sensor()}/{name}", encoding="utf-8") as file:
        return file.read().strip()


def sensor_words():
    """The sensor as sysfs shows it."""
    names = ("buffer/enable", "buffer/length", "in_accel_sampling_frequency", "in_accel_hysteresis")
    there = [name for name in names if os.path.exists(f"{sensor()}/{name}")]
    if not there:
        return "there is no sensor"
    holders = [path.split("/")[2] for path in glob.glob("/proc/[0-9]*/fd/*")
               if os.path.realpath(path).startswith("/dev/iio:")]
    return "; ".join([*(f"{_rights(f'{sensor()}/{name}')} {name} {attribute(name)}" for name in there),
                      f"{_rights(node())} {node()}, opened by {holders}"])


def within_reach(person):
    """What somebody could block or change of the sensor, as text."""
    there = [path for path in (node(), *glob.glob(f"{sensor()}/*"), *glob.glob(f"{sensor()}/*/*"))
             if os.path.isfile(path) or path.startswith("/dev/")]
    held = person.run("sh", "-c", 'test ! -r "$1" || echo "$1"; for each; do test ! -w "$each" || echo "$each"; done', "sh", *there)
    return " ".join(held.stdout.split())


def _rights(path):
    found = os.stat(path)
    return f"{stat.filemode(found.st_mode)} {grp.getgrgid(found.st_gid).gr_name}"


def await_sensors(count):
    wait_until(lambda: len(accelerometers()) == count, lambda: f"the kernel has {len(accelerometers())} accelerometers, not {count}")

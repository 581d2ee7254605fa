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
SENSOR = "/sys/bus/iio/devices/iio:device0"
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


def attribute(name):
    with open(f"{SENSOR}/{name}", encoding="utf-8") as file:
        return file.read().strip()


def sensor_words():
    """The sensor as sysfs shows it."""
    names = ("buffer/enable", "buffer/length", "in_accel_sampling_frequency", "in_accel_hysteresis")
    there = [name for name in names if os.path.exists(f"{SENSOR}/{name}")]
    if not there:
        return "there is no sensor"
    holders = [path.split("/")[2] for path in glob.glob("/proc/[0-9]*/fd/*")
               if os.path.realpath(path).startswith("/dev/iio:")]
    return "; ".join([*(f"{_rights(f'{SENSOR}/{name}')} {name} {attribute(name)}" for name in there),
                      f"{_rights('/dev/iio:device0')} /dev/iio:device0, opened by {holders}"])


def within_reach(person):
    """What somebody could block or change of the sensor, as text."""
    there = [path for path in ("/dev/iio:device0", *glob.glob(f"{SENSOR}/*"), *glob.glob(f"{SENSOR}/*/*"))
             if os.path.isfile(path) or path.startswith("/dev/")]
    held = person.run("sh", "-c", 'test ! -r /dev/iio:device0 || echo /dev/iio:device0; for each; do test ! -w "$each" || echo "$each"; done',
                      "sh", *there)
    return " ".join(held.stdout.split())


def _rights(path):
    found = os.stat(path)
    return f"{stat.filemode(found.st_mode)} {grp.getgrgid(found.st_gid).gr_name}"


def await_sensor(is_there=True, number=0):
    path = f"/sys/bus/iio/devices/iio:device{number}/in_accel_x_raw"
    wait_until(lambda: os.path.exists(path) == is_there, f"the kernel has {'no' if is_there else 'still an'} accelerometer")

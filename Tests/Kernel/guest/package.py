# SPDX-License-Identifier: MIT
"""The package of the program, and one of a version before it."""

import glob
import os
import re
import subprocess
import tempfile

from daemon import PROGRAM, owners
from waiting import Failed

PLACE = "/run/play"
KEPT = ("/home", "/proc", "/run/play", "/run/user", "/sys")


def _dpkg(command, *arguments):
    result = subprocess.run([command, *arguments], capture_output=True, text=True, check=False,
                            env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})
    if result.returncode:
        raise Failed(f"{command} {' '.join(arguments)}: {result.stderr}")


def this():
    return glob.glob(f"{PLACE}/autorotate_*.deb")[0]


def extension():
    found = glob.glob(f"{PLACE}/gnome-shell-extension-autorotate_*.deb")
    if not found:
        raise Failed("the extension's package is not beside that of the program")
    return found[0]


def older():
    """The package given by the host; else this one under a lower version."""
    return (glob.glob(f"{PLACE}/older/*.deb") or [_of_lower_version()])[0]


def _of_lower_version():
    with tempfile.TemporaryDirectory() as tree:
        os.chmod(tree, 0o755)
        _dpkg("dpkg-deb", "--raw-extract", this(), tree)
        path = f"{tree}/DEBIAN/control"
        with open(path, encoding="utf-8") as file:
            control = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(re.sub(r"^Version: .*", "Version: 0.0.1", control, flags=re.MULTILINE))
        _dpkg("dpkg-deb", "-Znone", "--build", tree, "/run/older.deb")
    return "/run/older.deb"


def install(deb):
    """And in the program's place another, if one is given."""
    _dpkg("dpkg", "--install", deb)
    if deb == this() and os.path.exists(f"{PLACE}/autorotate"):
        subprocess.run(["install", "-m", "755", f"{PLACE}/autorotate", PROGRAM], check=True)


def purge():
    _dpkg("dpkg", "--purge", "autorotate")


def traces(person):
    """The remains of the program in the machine, as text: files, units, processes. Files in users' homes, and what ends with
    their sessions, are not counted."""
    prune = [word for path in KEPT for word in ("-path", path, "-prune", "-o")]
    files = subprocess.run(["find", "/", *prune, "-iname", "*autorotate*", "-print"], capture_output=True, text=True,
                           check=False).stdout.split()
    units = person.run("systemctl", "--user", "--plain", "--no-legend", "--all", "list-units", "*autorotate*").stdout
    return " ".join([*files, *units.split(), *(f"run by {name}" for name in owners())])

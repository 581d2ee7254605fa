# SPDX-License-Identifier: MIT
"""Requirements of a user manager of systemd beside the machine's own."""

import os

from . import requirements
from .requirements import Missing

MANAGER = next((path for path in ("/usr/lib/systemd/systemd", "/lib/systemd/systemd") if os.access(path, os.X_OK)),
               "systemd")
_ROOT = "/sys/fs/cgroup"
GROUPS = os.path.join(_ROOT, "unified") if os.path.isdir(os.path.join(_ROOT, "unified")) else _ROOT


def require_user_manager():
    """Raises Missing where none can run."""
    requirements.program("systemd", "systemd", MANAGER)
    requirements.program("systemctl", "systemd")
    if os.geteuid() != 0:
        raise Missing("a user manager of one's own needs root")
    if not os.access(os.path.join(GROUPS, "cgroup.procs"), os.W_OK):
        raise Missing("this system has no cgroups of version 2 that can be written to")

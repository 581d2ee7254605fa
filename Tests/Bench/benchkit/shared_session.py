# SPDX-License-Identifier: MIT
"""One bench for all tests of a class: its buses, X server and window manager start once.

Between two tests everything that came since the start is removed: processes, files, layout of the outputs, state of the
input devices. A bench that cannot be reset is replaced by a new one.
"""

import os
import signal
import subprocess

from . import processes, xservers
from .child_processes import wait_until
from .session import Session
from .supervisor import descendants

IDENTITY = ["1", "0", "0", "0", "1", "0", "0", "0", "1"]


class SharedSession(Session):
    """A bench on Xorg that `reset` brings back to its initial state."""

    def __enter__(self):
        super().__enter__()
        self.first_env = dict(self.env)
        self.first_children = list(self.children.running)
        self.first_processes = set(descendants())
        self.first_files = set(self._files())
        return self

    def _files(self):
        for place, directories, files in os.walk(self.directory, topdown=False):
            yield from (os.path.join(place, name) for name in [*files, *directories])

    def reset(self):
        """False if something of the bench has ended, or could not be restored: start a new one then."""
        if any(child.poll() is not None for child in self.first_children):
            return False
        self._end_newcomers()
        self.env.clear()
        self.env.update(self.first_env)
        return self._restore_outputs() and self._restore_input() and self._remove_files() and self._restore_sensor()

    def _end_newcomers(self):
        """Includes processes that the session bus has started."""
        for child in [each for each in self.children.running if each not in self.first_children]:
            self.children.stop(child)
        for process in set(descendants()) - self.first_processes:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        wait_until(lambda: not any(map(processes.is_running, set(descendants()) - self.first_processes)),
                   "the end of what a test started")

    def _restore_outputs(self):
        xservers.write_connected(self.directory, [xservers.PANEL, xservers.NEIGHBOUR])
        try:
            xservers.lay_out(self.env, self.options.mode, self.options.second_panel)
        except xservers.Failed:
            return False
        return all(each["rotation"] == "normal" for each in self.outputs())

    def _restore_input(self):
        for name, matrix in self.matrices().items():
            if matrix != [float(each) for each in IDENTITY]:
                self._xinput("set-prop", name, "Coordinate Transformation Matrix", *IDENTITY)
            self._xinput("enable", name)
        return True

    def _xinput(self, *words):
        subprocess.run(["xinput", *words], env=self.env, capture_output=True, check=False)

    def _remove_files(self):
        for path in [each for each in self._files() if each not in self.first_files]:
            (os.rmdir if os.path.isdir(path) and not os.path.islink(path) else os.unlink)(path)
        return all(map(os.path.lexists, self.first_files))

    def _restore_sensor(self):
        if self.sensor:
            self.sensor.do(["add"])
            self.accelerate(0, -9.81, 0)
        return True

# SPDX-License-Identifier: MIT
"""The virtual machine: qemu, started from its disk or from a state that was saved after the boot."""

import hashlib
import json
import os
import re
import select
import socket
import subprocess
import time

from .machine_errors import Broken

MEMORY = 4096
"""MiB."""
SECONDS_TO_BOOT = 300.0
SECONDS_TO_ANSWER = 60.0
"""Of qemu's monitor."""
KERNEL = "console=ttyS0 quiet panic=-1 oops=panic mitigations=off net.ifnames=0 systemd.show_status=0 i8042.noaux"
"""Without the mouse that qemu's board has: a desktop does not treat a machine with a mouse as a tablet."""

FAILURE = re.compile(r"BUG: |Kernel panic|Oops")


def acceleration():
    """What runs the guest: the processor, if the kernel permits that, else qemu's emulation, ten times slower."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = set(file.read().split())
    can_run_guests = bool(flags & {"vmx", "svm"})
    is_lent = can_run_guests and os.access("/dev/kvm", os.R_OK | os.W_OK)
    return os.environ.get("ACCELERATION") or ("kvm" if is_lent else "tcg")


def _command(image, directory, disk, accel):
    cpu, word = ("host,-arch-capabilities", "kvm") if accel == "kvm" else ("max", "tcg,thread=multi")
    return ["qemu-system-x86_64", "-accel", word, "-cpu", cpu, "-machine", "q35", "-smp", "2", "-m", str(MEMORY),
            "-nodefaults", "-display", "none", "-no-reboot", "-nic", "none",
            "-kernel", f"{image}/vmlinuz", "-initrd", f"{image}/initrd", "-append", KERNEL,
            "-serial", f"file:{directory}/console",
            "-drive", f"file={image}/root.ext2,if=none,id=root,format=raw,readonly=on,file.locking=off",
            "-device", "virtio-blk-pci,drive=root",
            "-drive", f"file={disk},if=none,id=work,format=raw,readonly=on,file.locking=off",
            "-device", "virtio-blk-pci,drive=work", "-device", "virtio-rng-pci", "-device", "virtio-serial-pci",
            "-chardev", f"socket,id=talk,path={directory}/talk,server=on,wait=off",
            "-device", "virtserialport,chardev=talk,name=talk",
            "-qmp", f"unix:{directory}/monitor,server=on,wait=off"]


def kind():
    """A digest of the virtual hardware and of the kernel's command line: only the same ones can be restored from a state."""
    return hashlib.sha256("\0".join(_command("", "", "", acceleration())).encode()).hexdigest()[:16]


def _request(monitor, command, **arguments):
    """The answer of qemu's monitor, without its events."""
    print(json.dumps({"execute": command, "arguments": arguments}), file=monitor, flush=True)
    while "event" in (answer := json.loads(monitor.readline() or "{}")):
        pass
    if "return" not in answer:
        raise Broken(f"qemu: {command}: {answer}")
    return answer["return"]


class Machine:
    """To be used in a `with`."""

    def __init__(self, image, directory, disk, state=None):
        self.directory, self.received = directory, b""
        os.makedirs(directory, exist_ok=True)
        command = _command(image, directory, disk, acceleration())
        if state:
            command += ["-incoming", f"exec:cat {state}"]
        with open(f"{directory}/qemu", "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.talk = self._connect(f"{directory}/talk")
        if state:
            self._restore()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.talk.close()
        self.process.kill()
        self.process.wait()

    def _connect(self, path):
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        deadline = time.monotonic() + 20
        while True:
            try:
                client.connect(path)
                return client
            except OSError as error:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    with open(f"{self.directory}/qemu", encoding="utf-8", errors="replace") as log:
                        raise Broken(f"qemu: {log.read().strip()}") from error
                time.sleep(0.01)

    def line(self, seconds):
        """The next line that the guest prints, as text."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self.received:
            ready, _, _ = select.select([self.talk], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                self._describe(f"{self.directory}/processors")
                raise Broken(f"the guest has printed nothing for {seconds:.0f} s; its console and the state of its "
                             f"processors: {self.directory}")
            self.received += self._part()
        line, _, self.received = self.received.partition(b"\n")
        return line.decode("utf-8", "replace").rstrip("\r")

    def _part(self):
        """What has arrived. The connection ends with qemu, and qemu with a kernel that panics."""
        try:
            part = self.talk.recv(1 << 16)
        except ConnectionResetError:
            part = b""
        if not part:
            with open(f"{self.directory}/console", encoding="utf-8", errors="replace") as console:
                reason = next((line.strip() for line in console if FAILURE.search(line)), "no reason")
            raise Broken(f"the guest has ended: {reason}; its console: {self.directory}/console")
        return part

    def await_boot(self):
        while self.line(SECONDS_TO_BOOT) != "ready":
            pass

    def play(self):
        self.talk.sendall(f"play {time.time():.3f}\n".encode())

    def _restore(self):
        """A restored machine is as it was saved: stopped."""
        try:
            with self._monitor() as monitor:
                while _request(monitor, "query-status")["status"] == "inmigrate":
                    time.sleep(0.1)
                _request(monitor, "cont")
        except (OSError, Broken) as reason:
            self.__exit__()
            raise Broken(f"the state cannot be restored: {reason}; see {self.directory}/qemu") from reason

    def save(self, path):
        """Saves the present state as a file; the machine is stopped from then on.

        It is stopped first. Of a guest that ran meanwhile, a state was once saved whose kernel failed at the same moment after
        each restore.
        """
        new = path + ".new"
        with self._monitor() as monitor:
            _request(monitor, "stop")
            _request(monitor, "migrate-set-parameters", **{"max-bandwidth": 8589934592})
            _request(monitor, "migrate", uri=f"exec:cat > {new}")
            self._await_saving(monitor)
        os.rename(new, path)

    def _monitor(self):
        client = self._connect(f"{self.directory}/monitor")
        client.settimeout(SECONDS_TO_ANSWER)
        monitor = client.makefile("rw")
        monitor.readline()
        _request(monitor, "qmp_capabilities")
        return monitor

    @staticmethod
    def _await_saving(monitor):
        answer = {}
        while answer.get("status") != "completed":
            time.sleep(0.1)
            answer = _request(monitor, "query-migrate")
            if answer.get("status") == "failed":
                raise Broken(f"the state cannot be saved: {answer}")

    def _describe(self, path):
        """Writes what qemu knows of a machine that prints nothing: twice, since a processor may be in a loop."""
        with open(path, "w", encoding="utf-8") as file:
            try:
                with self._monitor() as monitor:
                    for line in 2 * ("info status", "info registers -a", "info migrate", "info chardev"):
                        print(line, _request(monitor, "human-monitor-command", **{"command-line": line}), sep="\n", file=file)
            except (OSError, ValueError, Broken) as reason:
                print(f"qemu's monitor does not answer: {reason}", file=file)

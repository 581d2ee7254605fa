# SPDX-License-Identifier: MIT
"""A simulated iio-sensor-proxy 3.6, which reports immediately what it is given and can be restarted."""

import threading

import dbus_connection

NAME, PATH = "net.hadess.SensorProxy", "/net/hadess/SensorProxy"
PROPERTIES = "org.freedesktop.DBus.Properties"
UPRIGHT = ("normal", "left-up", "bottom-up", "right-up")


class SensorProxy:
    """Lives in a thread of its own, since the soak waits for other programs."""

    def __init__(self, address):
        self.address = address
        self.orientation, self.tilt = "normal", "vertical"
        self.lock = threading.Lock()
        self.connection = None

    def start(self):
        self.connection = dbus_connection.Connection(self.address, self._answer)
        self.connection.call(dbus_connection.DRIVER, "RequestName", "su", NAME, 4)
        threading.Thread(target=self._serve, args=(self.connection,), daemon=True).start()

    def stop(self):
        """Leaves the bus, as one that crashed."""
        connection, self.connection = self.connection, None
        if connection:
            connection.socket.shutdown(2)

    def _serve(self, connection):
        try:
            while True:
                connection.wait(60)
        except dbus_connection.Ended:
            connection.close()

    def rotate(self, held):
        with self.lock:
            if held in UPRIGHT:
                self.orientation, self.tilt = held, "vertical"
            else:
                self.tilt = held
            if self.connection:
                self.connection.emit(PATH, PROPERTIES, "PropertiesChanged", "sa{sv}as", NAME, self._values(), [])

    def _values(self):
        return {"AccelerometerOrientation": ("s", self.orientation), "AccelerometerTilt": ("s", self.tilt)}

    def _answer(self, message):
        if message.kind != dbus_connection.METHOD_CALL:
            return
        with self.lock:
            connection = self.connection
            if not connection:
                return
            if message.member == "GetAll":
                connection.reply(message, "a{sv}", {"HasAccelerometer": ("b", True), **self._values()})
            elif message.member == "Get":
                every = {"HasAccelerometer": ("b", True), **self._values()}
                connection.reply(message, "v", every[message.body[1]])
            else:
                connection.reply(message)

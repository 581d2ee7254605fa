// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing
import Waiting

@testable import DesktopBackends

/// The X server that the tests run on: `Tests/Bench/bench run -- swift test`.
@MainActor
enum Bench {
  /// Without it the tests on a real server are skipped.
  nonisolated static var isAvailable: Bool { getenv("AUTOROTATE_BENCH") != nil && getenv("DISPLAY") != nil }
  nonisolated static let comment: Comment = "run them with: Tests/Bench/bench run -- swift test"

  static let touchscreen = "Bench Touchscreen"
  static let pen = "Bench Pen"

  /// Runs a command line, and fails the test if it fails.
  static func run(_ command: String, location: SourceLocation = #_sourceLocation) {
    #expect(system("\(command) >/dev/null") == 0, "\(command)", sourceLocation: location)
  }

  /// Runs a command of the bench itself: tap, plug, unplug, refuse…
  static func bench(_ command: String, location: SourceLocation = #_sourceLocation) {
    run("'\(path)' \(command)", location: location)
  }

  /// Sets eDP-1 1280x800 at 0,0 unrotated, HDMI-1 1024x768 right of it, and no device mapped.
  static func reset() throws {
    bench("refuse off")
    bench("refuse-modes off")
    run("xset dpms force on")
    setTerminal(true)
    bench("plug HDMI-1")
    run(
      "xrandr --output eDP-1 --mode 1280x800 --pos 0x0 --rotate normal --reflect normal --scale 1x1"
        + " --output HDMI-1 --mode 1024x768 --pos 1280x0 --rotate normal --scale 1x1")
    let connection = try X11Connection.connect(timeout: EventLoop.limit)
    for device in [touchscreen, pen, "Bench Mouse", "Bench Touchpad"] {
      setMatrix(of: device, .identity)
      system("xinput delete-prop '\(device)' 'Autorotate Calibration' 2>/dev/null")
    }
    connection.flush()
  }

  static func setMatrix(of device: String, _ matrix: ProjectiveTransform) {
    let numbers = matrix.elements.map { "\($0)" }.joined(separator: " ")
    run("xinput set-prop '\(device)' 'Coordinate Transformation Matrix' \(numbers)")
  }

  /// The screen's state as a new client reads it.
  static func state() throws -> RandRState {
    try RandR(X11Connection.connect(timeout: EventLoop.limit)).read()
  }

  static func matrix(of device: String) throws -> ProjectiveTransform {
    let properties = try properties(of: device)
    return try #require(properties).matrix
  }

  static func properties(of device: String) throws -> DeviceMatrix? {
    let connection = try X11Connection.connect(timeout: EventLoop.limit)
    let input = try #require(try XInput(connection))
    let found = try input.devices().first { $0.name == device }
    return found.flatMap {
      connection.requestMatrix(of: PanelDevice(id: $0.id, name: $0.name))()
    }
  }

  /// Sets Xorg's property for whether it has its virtual terminal.
  static func setTerminal(_ hasTerminal: Bool) {
    run("xprop -root -f XFree86_has_VT 32i -set XFree86_has_VT \(hasTerminal ? 1 : 0)")
  }

  private static let path =
    #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Bench/bench"
}

@MainActor
extension X11Timeouts {
  /// For a server that answers, even on a busy machine.
  static var unlimited: Self {
    var timeouts = Self()
    timeouts.replies = EventLoop.limit
    timeouts.silence = EventLoop.limit
    return timeouts
  }
}

/// An X11 backend on the bench.
typealias RunningBackend = Running<X11Backend>

extension Running<X11Backend> {
  convenience init(
    settings: DisplaySettings = DisplaySettings(), display: String? = nil, timeouts: X11Timeouts = .unlimited
  ) throws {
    try self.init { loop, note in
      try X11Backend(loop: loop, display: display, settings: settings, timeouts: timeouts, note: note)
    }
  }
}

// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import SystemBus
import Testing

@testable import DesktopBackends

/// The X server that the tests run on: `Tests/Bench/bench run -- swift test`.
@MainActor
enum Bench {
  /// Without it the tests on a real server are skipped.
  nonisolated static var isThere: Bool { getenv("AUTOROTATE_BENCH") != nil && getenv("DISPLAY") != nil }
  nonisolated static let comment: Comment = "run them with: Tests/Bench/bench run -- swift test"

  static let touchscreen = "Bench Touchscreen"
  static let pen = "Bench Pen"

  /// Runs a command line, and fails the test if it fails.
  static func run(_ command: String, location: SourceLocation = #_sourceLocation) {
    #expect(system("\(command) >/dev/null") == 0, "\(command)", sourceLocation: location)
  }

  /// The bench's own commands: tap, plug, unplug, refuse…
  static func bench(_ command: String, location: SourceLocation = #_sourceLocation) {
    run("'\(path)' \(command)", location: location)
  }

  /// eDP-1 1280x800 at 0,0 unturned, HDMI-1 1024x768 right of it, and no device mapped.
  static func reset() throws {
    bench("refuse off")
    bench("plug HDMI-1")
    run(
      "xrandr --output eDP-1 --mode 1280x800 --pos 0x0 --rotate normal --reflect normal --scale 1x1"
        + " --output HDMI-1 --mode 1024x768 --pos 1280x0 --rotate normal --scale 1x1")
    let connection = try X11Connection(display: nil)
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

  /// The screen as a fresh client sees it.
  static func state() throws -> RandRState {
    try RandR(X11Connection(display: nil)).read()
  }

  static func matrix(of device: String) throws -> ProjectiveTransform {
    let properties = try properties(of: device)
    return try #require(properties).matrix
  }

  static func properties(of device: String) throws -> DeviceMatrix? {
    let connection = try X11Connection(display: nil)
    let input = try #require(try XInput(connection))
    let found = try input.pointers().first { $0.name == device }
    return found.flatMap {
      DeviceMatrixRequest(connection, PanelDevice(id: $0.id, name: $0.name)).collect(connection)
    }
  }

  private static let path =
    #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Bench/bench"
}

/// A backend on the bench, its loop, and what it has reported.
@MainActor
final class RunningBackend {
  let loop: EventLoop
  let backend: X11Backend
  private(set) var events: [Event] = []
  let notes = Notes()
  private(set) var gone: [String] = []

  init(settings: DisplaySettings = DisplaySettings(), display: String? = nil) throws {
    loop = try EventLoop()
    let notes = notes
    backend = try X11Backend(loop: loop, display: display, settings: settings) { notes.sentences.append($0) }
    try backend.start(
      report: { [unowned self] in events.append($0) }, gone: { [unowned self] in gone.append($0) })
    try wait("the first report") { !self.events.isEmpty }
  }

  isolated deinit {
    backend.stop()
  }

  /// Lets the loop run until something has come about, ten seconds at most.
  func wait(
    _ what: Comment, location: SourceLocation = #_sourceLocation, until condition: () throws -> Bool
  ) throws {
    let end = EventLoop.now + 10_000_000_000
    while try !condition() {
      try #require(EventLoop.now < end, what, sourceLocation: location)
      try loop.runOnce(timeoutNanoseconds: 20_000_000)
    }
  }

  @discardableResult
  func turn(_ output: String, _ transform: DisplayTransform) throws -> Result<Void, RotationFailure> {
    var result: Result<Void, RotationFailure>?
    backend.apply(transform, to: output) { result = $0 }
    try wait("the end of a rotation") { result != nil }
    return try #require(result)
  }

  var outputs: [Output] {
    events.reversed().lazy.compactMap { event -> [Output]? in
      if case .outputsChanged(let outputs) = event { outputs } else { nil }
    }.first ?? []
  }

  /// What has been told of the active window.
  var focusReports: [Window?] {
    events.compactMap { event -> Window?? in
      if case .focusChanged(let window) = event { .some(window) } else { nil }
    }
  }

  var focused: Window? { focusReports.last ?? nil }

  @MainActor
  final class Notes {
    var sentences: [String] = []
  }
}

// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import SensorSources
import System

/// Guides the user through the four orientations, with the raw sensor.
@MainActor
final class GuidedCalibration {
  /// Samples per second: enough for a mean over the time at rest.
  private static let rate = 25.0
  /// Bytes.
  private static let maximumAnswerLength = 10

  private let loop: EventLoop
  private let settings: AccelerometerSettings
  private var output: any CalibrationOutput
  private var dialogue: CalibrationDialogue
  private var outcome: Result<MountMatrix, Message>?
  private var keys: EventSource?
  /// The line that is being typed.
  private var line: [UInt8] = []
  private var hasBegun = false
  /// Runs while there is no sensor.
  private var timeout: EventTimer?
  private static let timeoutNanoseconds: Int64 = 4_000_000_000

  /// Requests that a running daemon keeps the screen orientation, which must not follow the device meanwhile.
  /// - Returns: a client, with whose connection the request ends.
  static func clientKeepingOrientation() -> ControlClient? {
    guard let client = try? ControlClient(), let status = try? client.status() else { return nil }
    try? client.request(
      [status.orientation], application: "autorotate calibrate", why: "the sensor is being calibrated")
    return client
  }

  /// - Parameter settings: which accelerometer is calibrated.
  init(_ output: any CalibrationOutput, _ settings: AccelerometerSettings) throws {
    loop = try EventLoop()
    self.settings = settings
    self.output = output
    dialogue = CalibrationDialogue(restartHint: output.restartHint)
  }

  func run() throws -> MountMatrix {
    var settings = settings
    (settings.mountMatrix, settings.baseMountMatrix) = (.identity, .identity)
    (settings.rate, settings.usesGyroscope) = (Self.rate, false)
    let sensor = IIOAccelerometer(
      loop: loop, settings, usesBuffer: false,
      notice: { [unowned self] in output.remark(localized($0)) })
    try sensor.start { [unowned self] event, time in handle(event, at: time) }
    defer { sensor.stop() }
    sensor.demand(.following)
    // Standard input that cannot be watched (a file, /dev/null) has no keys.
    keys = try? loop.watch(STDIN_FILENO) { [unowned self] in readKeys() }
    while outcome == nil {
      try loop.runOnce(timeoutNanoseconds: 60_000_000_000)
      if !output.hasReader { outcome = .failure(Message(.commandFailed, "the output has no reader")) }
    }
    keys?.cancel()
    return try (outcome ?? .failure(Message(.commandFailed, "interrupted"))).get()
  }

  private func handle(_ event: Event, at time: Instant) {
    switch event {
    case .sensorFound(let name): begin(name)
    case .sensorLost(let message): lose(message)
    case .motion(let sample):
      output.show(gravity: sample.acceleration)
      dialogue.add(sample.acceleration, at: time).forEach(perform)
    default: break
    }
  }

  /// A daemon that has just received the request may need a moment to release the sensor.
  private func lose(_ reason: Message) {
    guard timeout == nil else { return }
    timeout = try? loop.timer(at: EventLoop.now + Self.timeoutNanoseconds) { [unowned self] in
      outcome = .failure(.notPossible(without: reason))
    }
  }

  private func begin(_ name: String) {
    timeout = nil
    guard !hasBegun else { return }
    hasBegun = true
    output.begin(with: name)
    for remark in remarks { output.remark(localized(remark)) }
    if let position = dialogue.position { perform(.ask(position)) }
    if keys == nil { endInput() }
  }

  /// How to hold the base, or which of several accelerometers this is, and how to calibrate another.
  private var remarks: [Phrase] {
    if settings.readsBase {
      return ["Fold the device back completely, so that it is a tablet, and keep it folded meanwhile."]
    }
    guard let found = try? AccelerometerInspection.inspect(settings) else { return [] }
    let others = found.alternatives.joined(separator: ", ")
    let several: Phrase =
      "\(found.title) is one of \(found.alternatives.count + 1) accelerometers. To calibrate another (\(others)), run: "
      + "autorotate calibrate --device NAME"
    let base = found.base.map {
      Phrase("For the accelerometer in the base, \($0), run: autorotate calibrate --base")
    }
    return (found.alternatives.isEmpty ? [] : [several]) + [base].compactMap(\.self)
  }

  private func perform(_ step: CalibrationDialogue.Step) {
    if case .found(let matrix) = step { outcome = .success(matrix) } else { output.show(step) }
  }

  private func readKeys() {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return endInput() }
    for byte in bytes.prefix(count) { receiveKey(byte) }
  }

  /// Without keys, the calibration cannot be begun or started again.
  private func endInput() {
    keys?.cancel()
    keys = nil
    guard hasBegun, outcome == nil else { return }
    outcome = .failure(
      Message(
        .commandFailed, "the input ended before all four orientations were measured",
        next: "run `autorotate calibrate` on a terminal"))
  }

  /// A line is an answer.
  private func receiveKey(_ byte: UInt8) {
    guard byte == 0x0A else { return line = (line + [byte]).suffix(Self.maximumAnswerLength) }
    let answer = String(decoding: line, as: UTF8.self).lowercased().filter { !$0.isWhitespace }
    line = []
    (answer == "r" ? dialogue.restart() : dialogue.confirm()).forEach(perform)
  }
}

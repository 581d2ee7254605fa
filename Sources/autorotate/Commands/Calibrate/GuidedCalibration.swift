// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import SensorSources
import System

/// Guides a person through the four holds, with the raw sensor.
@MainActor
final class GuidedCalibration {
  /// Samples a second: enough for a mean over the time of stillness.
  private static let rate = 25.0

  private let loop: EventLoop
  private var voice: any CalibrationVoice
  private var dialogue: CalibrationDialogue
  private var outcome: Result<MountMatrix, Message>?
  private var keys: EventSource?
  private var hasBegun = false
  /// Why there is no sensor now.
  private var reason: Message?
  private var patience: EventTimer?
  private static let patienceNanoseconds: Int64 = 4_000_000_000

  /// - Parameter save: called with the matrix while the screen still keeps its orientation, so that nothing is rotated by
  ///   the matrix from before.
  static func run<Saved>(
    _ voice: any CalibrationVoice, thenSave save: (MountMatrix) throws -> Saved
  ) throws -> Saved {
    // The device is rotated a lot, and the screen is not to follow.
    let keeper = Keeper()
    defer { keeper.end() }
    return try save(GuidedCalibration(voice).run())
  }

  private init(_ voice: any CalibrationVoice) throws {
    loop = try EventLoop()
    self.voice = voice
    dialogue = CalibrationDialogue(wayBack: voice.wayBack)
  }

  private func run() throws -> MountMatrix {
    let sensor = IIOAccelerometer(
      loop: loop, mountMatrix: .identity, rate: Self.rate, usesBuffer: false, usesGyroscope: false,
      notice: { [unowned self] in voice.remark(localized($0)) })
    try sensor.start { [unowned self] event, time in handle(event, at: time) }
    defer { sensor.stop() }
    patience = try loop.timer { [unowned self] in giveUp() }
    sensor.demand(.following)
    // What cannot be watched (a file, /dev/null) has no keys to press.
    keys = try? loop.watch(STDIN_FILENO) { [unowned self] in readKeys() }
    while outcome == nil {
      try loop.runOnce(timeoutNanoseconds: 60_000_000_000)
      if !voice.hasReader { outcome = .failure(Message(.commandFailed, "nobody reads the output any more")) }
    }
    keys?.cancel()
    return try (outcome ?? .failure(Message(.commandFailed, "interrupted"))).get()
  }

  private func handle(_ event: Event, at time: Instant) {
    switch event {
    case .sensorFound(let name): begin(name)
    case .sensorLost(let message): lose(message)
    case .motion(let sample):
      voice.feel(sample.acceleration)
      dialogue.add(sample.acceleration, at: time).forEach(perform)
    default: break
    }
  }

  /// A daemon that has just been asked to keep the picture may need a moment to release the sensor.
  private func lose(_ reason: Message) {
    guard self.reason == nil else { return }
    self.reason = reason
    patience?.arm(at: EventLoop.now + Self.patienceNanoseconds)
  }

  private func giveUp() {
    outcome = .failure(Message(.commandNotPossible, reason?.phrase ?? "no sensor"))
  }

  private func begin(_ name: String) {
    reason = nil
    patience?.arm(at: nil)
    guard !hasBegun else { return }
    hasBegun = true
    voice.begin(with: name)
    if let hold = dialogue.hold { perform(.ask(hold)) }
  }

  private func perform(_ step: CalibrationDialogue.Step) {
    if case .found(let matrix) = step { outcome = .success(matrix) } else { voice.tell(step) }
  }

  private func readKeys() {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else {
      keys?.cancel()
      keys = nil
      return
    }
    if bytes.prefix(count).contains(0x0A) { dialogue.confirm().forEach(perform) }
  }
}

/// Asks a running daemon to keep the picture as it is. It forgets the request when this process ends.
@MainActor
private final class Keeper {
  private var client: ControlClient?

  init() {
    guard let client = try? ControlClient(), let status = try? client.status() else { return }
    _ = try? client.request(
      [status.orientation], application: "autorotate calibrate", why: "the sensor is being calibrated")
    self.client = client
  }

  func end() {
    client?.bus.close()
    client = nil
  }
}

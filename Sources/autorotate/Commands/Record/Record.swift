// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language
import SensorSources
import System

struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Record the accelerometer to a trace file."),
    discussion: localized(
      """
      Recording ends with Ctrl-C, or after --seconds. Each sample is written at once, so a crash loses \
      nothing. The header names the machine's make and model, the sensor and its mount matrix, and \
      contains nothing about you.
      """))

  @Argument(
    help: .localized("The trace to write, or - for standard output.", valueName: "file"), completion: .file())
  var file: String

  @Option(help: .localized("Stop after this many seconds.", valueName: "n"))
  var seconds: Double?

  @Option(help: .localized("Samples per second, 4 to 100, instead of the setting.", valueName: "hz"))
  var rate: Double?

  @Flag(help: .localized("Overwrite an existing file."))
  var force = false

  func validate() throws {
    guard seconds.map({ $0 > 0 && $0.isFinite }) ?? true else {
      throw misuse("--seconds requires a number above 0.")
    }
    guard rate.map(AccelerometerSettings.rates.contains) ?? true else {
      throw misuse("--rate requires a number from 4 to 100.")
    }
  }

  mutating func run() throws {
    let writer =
      try file == "-" ? TraceWriter(descriptor: STDOUT_FILENO) : TraceWriter(path: file, force: force)
    var settings = Configuration.read(from: ConfigurationDirectories()).machine.accelerometer
    settings.rate = rate ?? settings.rate
    let count = try MainActor.assumeIsolated { [settings, seconds] in
      let loop = try EventLoop()
      let source = IIOAccelerometer(loop: loop, settings, usesBuffer: false, notice: Console.log)
      return try Recorder(to: writer, from: source, on: loop, settings).run(seconds: seconds)
    }
    let samples: Phrase = count == 1 ? "1 sample" : "\(count) samples"
    if file == "-" {
      Console.log(localized("\(samples) recorded"))
    } else {
      Console.print(localized("\(samples) written to \(file)"))
    }
  }
}

/// Writes the accelerometer's samples to a trace until a signal or the end of the time.
@MainActor
final class Recorder {
  private let loop: EventLoop
  private let source: any SensorSource
  private let writer: TraceWriter
  private let settings: AccelerometerSettings
  private var limitNanoseconds: Int64?
  private var failure: Message?
  private var hasSensor = false
  private var timer: EventTimer?

  /// - Parameter settings: those of the source, for the header.
  init(
    to writer: TraceWriter, from source: any SensorSource, on loop: EventLoop,
    _ settings: AccelerometerSettings = .init()
  ) {
    self.loop = loop
    self.source = source
    self.writer = writer
    self.settings = settings
  }

  /// - Parameter seconds: counted from the first sample; `nil` to wait for a signal.
  /// - Returns: how many samples were written.
  /// - Throws: `Message` if there is no sensor or sample, or writing to the trace fails.
  func run(seconds: Double?) throws -> Int {
    let endings = try [SIGINT, SIGTERM, SIGHUP].map { number in
      try loop.onSignal(number) { [unowned self] _ in loop.exit() }
    }
    // More than a century, to which the time since the start of the system can be added.
    limitNanoseconds = seconds.map { Int64(min($0 * 1e9, 4e18)) }
    timer = try loop.timer { [unowned self] in loop.exit() }
    try start()
    _ = try withExtendedLifetime(endings) { try loop.run() }
    source.stop()
    writer.discard()
    if let failure { throw failure }
    guard writer.samples > 0 || writer.isUnread else {
      throw Message(.commandFailed, "no sample was recorded", next: "see `autorotate doctor`")
    }
    return writer.samples
  }

  private func start() throws {
    do {
      try source.start { [unowned self] event, time in add(event, at: time) }
      source.demand(.following)
    } catch {
      writer.discard()
      throw Message(.commandNotPossible, "\(error)")
    }
  }

  private func add(_ event: Event, at time: Instant) {
    guard failure == nil else { return }
    do throws(Message) {
      switch event {
      case .sensorFound(let name): try begin(name)
      case .sensorLost(let message): try lose(message)
      case .motion(let sample): try add(sample, at: time)
      default: break
      }
    } catch {
      if !writer.isUnread { failure = error }
      loop.exit()
    }
  }

  private func begin(_ name: String) throws(Message) {
    let found = try? AccelerometerInspection.inspect(settings)
    let mount = found?.title == name ? found : nil
    if hasSensor { return try writer.write(comment: "sensor: \(name)") }
    hasSensor = true
    let gyroscope = settings.usesGyroscope ? mount?.gyroscope : nil
    try writer.begin(TraceHeader(sensor: name, mount: mount, rate: settings.rate, gyroscope: gyroscope))
    Console.log(localized("recording \(name). Press Ctrl-C to stop"))
  }

  /// The source keeps searching, so recording continues.
  private func lose(_ message: Message) throws(Message) {
    guard hasSensor else { throw .notPossible(without: message) }
    try writer.write(comment: "sensor lost: \(message)")
    Console.log(localized(message))
  }

  private func add(_ sample: MotionSample, at time: Instant) throws(Message) {
    if writer.samples == 0, let limitNanoseconds { timer?.arm(at: EventLoop.now + limitNanoseconds) }
    try writer.write(sample, at: time)
  }
}

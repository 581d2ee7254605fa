// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
package import System

/// The accelerometer of the display (or, to calibrate it, of the base), read through libiio.
///
/// Reads may take long (a sensor hub wakes up for each), so they run on a thread of their own, the
/// only one of the process besides the loop's. The thread starts with `start`, sleeps while nothing is demanded,
/// and signals its reports by a descriptor. The first report is whether there is a sensor that can be read.
package final class IIOAccelerometer: SensorSource {
  private let loop: EventLoop
  private let settings: AccelerometerSettings
  private let usesBuffer: Bool
  private let notice: (Message) -> Void

  private var demand = SensorDemand.off
  private var hinge = HingeWatch.off
  private var connection: Connection?
  private var presence = Presence.unreported
  /// Whether reading the gyroscope has blocked a thread. It is not read then until sensors are added or removed.
  private var gyroscopeHangs = false
  private var isOnChange = false
  /// The socket of udev's daemon, without which (in a container) no sensor is reported.
  var udevControl = "/run/udev/control"
  /// Nanoseconds between checks whether the reading thread hangs.
  var silenceStep = SilenceWatch.defaultStep

  /// A reading thread, and the sources that report about it.
  private struct Connection {
    let link: ReaderLink
    let arrivals: EventSource
    let silence: SilenceWatch
    let monitor: UdevMonitor?
    let report: (Event, Instant) -> Void
  }

  private enum Presence {
    case unreported, lost
    case found(String)
    /// Found, then reported as lost because its reader hangs.
    case silent(String)
  }

  /// - Parameters:
  ///   - usesBuffer: whether to read from the kernel's buffer where that is allowed. A buffer has one reader, so a
  ///     program that only observes does not use it.
  ///   - notice: called for problems that are not fatal.
  package init(
    loop: EventLoop, _ settings: AccelerometerSettings = .init(), usesBuffer: Bool = true,
    notice: @escaping (Message) -> Void
  ) {
    self.loop = loop
    self.settings = settings
    self.usesBuffer = usesBuffer
    self.notice = notice
  }

  /// - Throws: `SystemError` if the system has no descriptor or thread left.
  package func start(_ report: @escaping (Event, Instant) -> Void) throws {
    stop()
    _ = TemporaryAttributes.stateFile
    let link = try ReaderLink()
    link.update { ($0.demand, $0.hinge) = (demand, hinge) }
    let connection = Connection(
      link: link, arrivals: try loop.watch(link.arrivals) { [weak self] in self?.receive() },
      silence: try SilenceWatch(loop: loop, step: silenceStep, hasProgress: link.takeProgress) {
        [weak self] in
        self?.recover()
      },
      // Without udev, only the periodic search finds new sensors.
      monitor: try? UdevMonitor(subsystem: "iio", loop: loop) { [weak self] in self?.search() },
      report: report)
    var settings = settings
    settings.usesGyroscope = settings.usesGyroscope && !gyroscopeHangs
    let hasUdev = connection.monitor != nil && access(udevControl, F_OK) == 0
    try BackgroundThread.start { [settings, usesBuffer] in
      var reader = AccelerometerReader(link: link, settings, usesBuffer: usesBuffer, hasUdev: hasUdev)
      reader.run()
    }
    self.connection = connection
    updateExpectation()
  }

  package func demand(_ demand: SensorDemand) {
    if demand != self.demand { isOnChange = false }
    // A report of udev may have been missed.
    if case .lost = presence, self.demand == .off, demand != .off { recheck() }
    self.demand = demand
    connection?.link.update { $0.demand = demand }
    updateExpectation()
  }

  package func recheck() {
    isOnChange = false
    connection?.link.update { $0.searchesAgain = true }
    updateExpectation()
  }

  package func watchHinge(_ watch: HingeWatch) {
    hinge = watch
    connection?.link.update { $0.hinge = watch }
  }

  /// Does not wait for a read that hangs; its thread ends when the read returns.
  package func stop() {
    connection?.link.update { $0.stops = true }
    connection?.link.waitForEndOfStream()
    connection = nil
    presence = .unreported
  }

  private func receive() {
    guard let connection else { return }
    connection.silence.noteReport()
    let reports = connection.link.takeReports()
    for message in reports { forward(message) }
    if !reports.isEmpty { isOnChange = reports.last == .isOnChange }
    updateExpectation()
  }

  private func forward(_ message: ReaderLink.Report) {
    switch message {
    case .found(let name): reportFound(name)
    case .lost(let failure): reportLost(failure)
    case .sample(let sample, let moment):
      endSilence()
      connection?.report(.motion(sample), moment)
    case .hinge(let reading):
      // Without a demand, no samples are reported.
      if reading.posture != .unknown { endSilence() }
      send(.hingeChanged(reading))
    case .notice(let message): notice(message)
    case .isOnChange: break
    }
  }

  private func endSilence() {
    if case .silent(let name) = presence { reportFound(name) }
  }

  private func reportFound(_ name: String) {
    presence = .found(name)
    send(.sensorFound(name: name))
  }

  private func reportLost(_ failure: Message) {
    defer { presence = .lost }
    if case .silent = presence { return }
    send(.sensorLost(failure))
  }

  private func send(_ event: Event) {
    connection?.report(event, Instant(nanoseconds: EventLoop.now))
  }

  /// Expects reads from a reader that was just started, and from one that has a sensor to read.
  private func updateExpectation() {
    connection?.silence.expectsReports =
      switch presence {
      case .unreported: true
      case .found: demand != .off && !isOnChange || connection?.link.isMeasuringHinge ?? false
      case .lost, .silent: false
      }
  }

  private func search() {
    if gyroscopeHangs { restartReader(withGyroscope: true) } else { recheck() }
  }

  /// Starts another thread, since this one may hang forever.
  private func restartReader(withGyroscope: Bool) {
    guard let connection else { return }
    gyroscopeHangs = !withGyroscope
    if (try? start(connection.report)) == nil { reportSilence() }
  }

  private func recover() {
    guard let gyroscope = connection?.link.awaitedGyroscope else { return reportSilence() }
    notice(.slowGyroscope(gyroscope))
    restartReader(withGyroscope: false)
  }

  private func reportSilence() {
    let seconds = Int(silenceStep / 1_000_000_000)
    let name = if case .found(let name) = presence { name } else { "of this device" }
    send(.hingeChanged(HingeReading()))
    send(.sensorLost(.silentAccelerometer(name, seconds: seconds)))
    presence = .silent(name)
  }
}

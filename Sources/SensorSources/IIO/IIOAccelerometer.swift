// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// The accelerometer of the display, read through libiio.
///
/// Reads may take long (a sensor hub wakes up for each), so they happen on a thread of their own, the
/// only one of the process besides the loop's. The thread starts with `start`, sleeps while nothing is demanded,
/// and signals its reports by a descriptor. The first report tells whether there is a sensor that can be read.
package final class IIOAccelerometer: FallibleSource {
  private let loop: EventLoop
  private let mountMatrix: MountMatrix?
  private let pace: ReadingPace
  private let usesBuffer: Bool
  private let usesGyroscope: Bool
  private let notice: (Message) -> Void

  private var demand = SensorDemand.off
  private var hinge = HingeWatch.off
  private var reportHinge: ((HingeWord) -> Void)?
  private var connection: Connection?
  private var presence = Presence.unsaid
  /// Its thread hangs in it, so the accelerometer is read without it until sensors come or go.
  private var gyroscopeHangs = false
  private(set) var failure: Message?
  private var isDozing = false

  /// A reading thread, and the sources that report about it.
  private struct Connection {
    let link: ReaderLink
    let arrivals: EventSource
    let silence: SilenceWatch
    let monitor: UdevMonitor?
    let report: (Event, Instant) -> Void
  }

  private enum Presence {
    case unsaid, lost
    case found(String)
    /// Found, and then reported as lost because its reader hangs.
    case silent(String)
  }

  /// - Parameters:
  ///   - mountMatrix: instead of what udev and the kernel say.
  ///   - rate: samples a second while a turn may be under way; `nil` for as many as the decision needs.
  ///   - usesBuffer: whether to read from the kernel's buffer where that is allowed. A buffer has one reader, so
  ///     who only looks on leaves it alone.
  ///   - usesGyroscope: whether to read a gyroscope that turns with it, while a turn may be under way.
  ///   - notice: is told what is wrong but not fatal.
  package init(
    loop: EventLoop, mountMatrix: MountMatrix? = nil, rate: Double? = nil, usesBuffer: Bool = true,
    usesGyroscope: Bool = true,
    notice: @escaping (Message) -> Void
  ) {
    self.loop = loop
    pace = ReadingPace(rate: rate)
    self.mountMatrix = mountMatrix
    self.usesBuffer = usesBuffer
    self.usesGyroscope = usesGyroscope
    self.notice = notice
  }

  /// - Throws: `SystemError` if the system has no descriptor or thread left.
  package func start(_ report: @escaping (Event, Instant) -> Void) throws {
    stop()
    _ = BorrowedAttributes.memory
    let link = try ReaderLink()
    link.ask {
      $0.demand = demand
      $0.hinge = hinge
    }
    let connection = Connection(
      link: link,
      arrivals: try loop.watch(link.arrivals) { [weak self] in self?.receive() },
      silence: try SilenceWatch(loop: loop, hasSign: link.takeSign) { [weak self] in self?.fallSilent() },
      // Without udev (in a container), searching from time to time has to suffice.
      monitor: try? UdevMonitor(subsystem: "iio", loop: loop) { [weak self] in self?.noticeChange(of: link) },
      report: report)
    let usesGyroscope = usesGyroscope && !gyroscopeHangs
    try BackgroundThread.start { [mountMatrix, pace, usesBuffer] in
      var reader = AccelerometerReader(
        link: link, mountMatrix: mountMatrix, pace: pace, usesBuffer: usesBuffer,
        usesGyroscope: usesGyroscope)
      reader.run()
    }
    self.connection = connection
    expectWord()
  }

  package func demand(_ demand: SensorDemand) {
    if demand != self.demand { isDozing = false }
    self.demand = demand
    connection?.link.ask { $0.demand = demand }
    expectWord()
  }

  package func lookAgain() {
    isDozing = false
    connection?.link.ask { $0.looksAgain = true }
  }

  package func watchHinge(_ watch: HingeWatch, _ report: @escaping (HingeWord) -> Void) {
    hinge = watch
    reportHinge = report
    connection?.link.ask { $0.hinge = watch }
  }

  /// Does not wait for a read that hangs; its thread ends by itself when the read returns.
  package func stop() {
    connection?.link.ask { $0.ends = true }
    connection?.arrivals.cancel()
    connection?.link.awaitEndOfStream()
    connection?.silence.isExpecting = false
    connection = nil
    presence = .unsaid
    isDozing = false
  }

  private func receive() {
    guard let connection else { return }
    connection.silence.hear()
    let reports = connection.link.takeReports()
    for message in reports { pass(message) }
    if !reports.isEmpty { isDozing = reports.last == .dozes }
    expectWord()
  }

  private func pass(_ message: ReaderLink.Report) {
    switch message {
    case .found(let name): find(name)
    case .lost(let failure): lose(failure)
    case .sample(let sample, let moment):
      if case .silent(let name) = presence { find(name) }
      connection?.report(.motion(sample), moment)
    case .hinge(let word): reportHinge?(word)
    case .notice(let message): notice(message)
    case .dozes: break
    }
  }

  private func find(_ name: String) {
    presence = .found(name)
    failure = nil
    say(.sensorFound(name: name))
  }

  private func lose(_ failure: Message) {
    defer { presence = .lost }
    if case .silent = presence { return }
    self.failure = failure
    say(.sensorLost(failure))
  }

  private func say(_ event: Event) {
    connection?.report(event, Instant(nanoseconds: EventLoop.now))
  }

  /// Reports are expected soon from a reader that was just started, and from one that has a sensor to read.
  private func expectWord() {
    connection?.silence.isExpecting =
      switch presence {
      case .unsaid: true
      case .found: demand != .off && !isDozing
      case .lost, .silent: false
      }
  }

  private func noticeChange(of link: ReaderLink) {
    if gyroscopeHangs { return goOn(withGyroscope: true) }
    link.ask { $0.looksAgain = true }
  }

  /// With another thread, since this one may never come back.
  private func goOn(withGyroscope: Bool) {
    guard let connection else { return }
    gyroscopeHangs = !withGyroscope
    if (try? start(connection.report)) == nil { loseSilently() }
  }

  private func fallSilent() {
    guard let gyroscope = connection?.link.awaitedGyroscope else { return loseSilently() }
    notice(.slowGyroscope(gyroscope))
    goOn(withGyroscope: false)
  }

  private func loseSilently() {
    let seconds = Int(SilenceWatch.stepNanoseconds / 1_000_000_000)
    let name = if case .found(let name) = presence { name } else { "of this device" }
    let failure = Message.silentAccelerometer(name, seconds: seconds)
    self.failure = failure
    say(.sensorLost(failure))
    presence = .silent(name)
  }
}

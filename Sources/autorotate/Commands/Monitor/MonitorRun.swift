// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import Glibc
import Language
import SensorSources
import System

/// Shows what the sensor measures and what is decided from it, until somebody ends it.
@MainActor
final class MonitorRun {
  private let loop: EventLoop
  private let style: TerminalStyle
  private let showsScreen: Bool
  private var scene = MonitorScene()
  private var judge = OrientationClassifier()
  private var screen: TerminalScreen?
  private var lines: MonitorLines
  private var sensor: (any SensorSource)?
  private var bus: Bus?
  private var follower: StatusFollower?
  private var sources: [EventSource] = []
  private var redraw: EventTimer?

  /// Nanoseconds until a terminal that is behind is tried again.
  private static let retry: Int64 = 50_000_000

  static func run(_ choice: SensorChoice) throws {
    let monitor = try MonitorRun()
    // Before the sensor's thread starts, so that it inherits the mask.
    try monitor.listen()
    monitor.follow()
    monitor.open(choice)
    defer { monitor.end() }
    _ = try monitor.loop.run()
  }

  private init() throws {
    loop = try EventLoop()
    style = TerminalStyle(of: STDOUT_FILENO)
    let isDumb = TerminalStyle.isDumb(Environment.variable)
    showsScreen = isatty(STDOUT_FILENO) == 1 && !isDumb
    lines = MonitorLines(style: style)
    if let seen = DisplayInspection.ofThisSession(),
      let panel = seen.outputs.first(where: { $0.name == seen.panel })
    {
      scene.aspect = panel.naturalAspect
    }
  }

  // MARK: What ends it, and what comes in

  private func listen() throws {
    sources = try [SIGINT, SIGTERM, SIGHUP].map { number in
      try loop.onSignal(number) { [unowned self] _ in loop.exit() }
    }
    redraw = try loop.timer { [unowned self] in show() }
    if showsScreen {
      sources.append(try loop.onSignal(SIGWINCH) { [unowned self] _ in resize() })
      screen = TerminalScreen()
      // What cannot be watched has no keys to press.
      if let keys = try? loop.watch(STDIN_FILENO, { [unowned self] in readKeys() }) { sources.append(keys) }
    } else if FollowCommand.isWritingEnd(STDOUT_FILENO) {
      // All that the writing end of a pipe can tell is that it was hung up.
      sources.append(try loop.watch(STDOUT_FILENO) { [unowned self] in loop.exit() })
    }
  }

  private func readKeys() {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    let isEnding = bytes.prefix(max(0, count)).contains { "qQ\u{3}\u{4}".utf8.contains($0) }
    if isEnding || count <= 0 { loop.exit() }
  }

  private func follow() {
    do {
      let bus = try Bus(.session)
      try bus.attach(to: loop)
      bus.onSilent = { [unowned self] in
        change { $0.daemon = .unreachable("\(Bus.Kind.session.silence)") }
      }
      bus.onClosed = { [unowned self] in change { $0.daemon = .unreachable("the session bus has ended") } }
      follower = try StatusFollower(bus: bus) { [unowned self] report in
        change { $0.daemon = report.map(MonitorScene.Daemon.running) ?? .notRunning }
      }
      self.bus = bus
    } catch {
      change { $0.daemon = .unreachable(localized("\(error)")) }
    }
  }

  private func open(_ choice: SensorChoice) {
    let sensor = source(choice)
    self.sensor = sensor
    sensor.demand(.following)
    do {
      try sensor.start { [unowned self] event, time in handle(event, at: time) }
    } catch {
      change { $0.sensor = .lost(localized("\(error)")) }
    }
  }

  /// The accelerometer itself, whatever the daemon reads: only that tells of gravity.
  private func source(_ choice: SensorChoice) -> any SensorSource {
    if case .replay(let path) = choice.source {
      return ReplaySource(path: path, loop: loop) { _ in }
    }
    return IIOAccelerometer(
      loop: loop, mountMatrix: choice.mountMatrix, rate: choice.rate, usesBuffer: false,
      usesGyroscope: choice.usesGyroscope
    ) { _ in }
  }

  private func handle(_ event: Event, at time: Instant) {
    switch event {
    case .sensorFound(let name): change { $0.sensor = .found(name) }
    case .sensorLost(let message):
      change {
        $0.sensor = .lost(localized(message))
        $0.acceleration = nil
        $0.rate = nil
      }
    case .motion(let sample):
      _ = judge.add(sample, at: time)
      change {
        $0.acceleration = sample.acceleration
        $0.rate = sample.rate
        $0.note(judge)
      }
    default: break
    }
  }

  // MARK: What goes out

  private func change(_ edit: (inout MonitorScene) -> Void) {
    let old = scene
    edit(&scene)
    if scene != old { show() }
  }

  private func show() {
    guard showsScreen else { return printLine() }
    guard let screen else { return }
    let (columns, rows) = screen.size
    screen.draw(MonitorLayout(scene: scene, style: style, columns: columns, rows: rows).text)
    if screen.isGone { loop.exit() }
    redraw?.arm(at: screen.isBehind ? EventLoop.now + Self.retry : nil)
  }

  private func printLine() {
    guard let line = lines.line(scene), !Console.write(line + "\n", to: STDOUT_FILENO) else { return }
    loop.exit()
  }

  private func resize() {
    screen?.clear()
    show()
  }

  private func end() {
    sensor?.stop()
    follower = nil
    bus?.close()
    screen?.end()
    screen = nil
  }
}

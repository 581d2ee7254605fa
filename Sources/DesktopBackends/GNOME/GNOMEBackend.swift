// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// A Wayland session of GNOME, Shell 43 to 51: Mutter turns the outputs when asked over D-Bus, and lets touch
/// and pen follow by itself. Who has focus is told by an extension of the Shell, where it is installed.
package final class GNOMEBackend: DesktopBackend {
  package let name = "GNOME"

  private let loop: EventLoop
  private let note: (Message) -> Void
  private var client: DisplayConfigClient?
  private var focus: ShellFocus?
  private var ownRotation: OwnRotation?
  private var settingsWatch: SettingsWatch?
  private let nextTurn: NextTurn
  private var retry: EventTimer?

  private var settings: DisplaySettings
  private let report = Reporter()
  private let rotations: RotationQueue
  private let visited = VisitedArrangements()
  private var turn: MonitorTurn?
  /// What Mutter told last; `nil` while something else may be true.
  private var state: MonitorState?
  private var questions = 0
  private var backoff = Backoff()
  /// Said already, until it answers again.
  private var complaint: Message?

  /// - Parameters:
  ///   - kind: the bus that Mutter is on.
  ///   - settingsProgram: what reads and writes GNOME's settings.
  ///   - stateDirectory: what outlives this process is kept there; `nil` for the usual one.
  ///   - note: takes what the person is told.
  /// - Throws: `Message` if there is no session bus.
  package init(
    loop: EventLoop, bus kind: Bus.Kind = .session, settings: DisplaySettings = DisplaySettings(),
    settingsProgram: String = "gsettings", stateDirectory: String? = nil,
    note: @escaping (Message) -> Void = { _ in }
  ) throws {
    self.loop = loop
    self.note = note
    self.settings = settings
    nextTurn = try NextTurn(loop)
    rotations = RotationQueue(report, nextTurn)
    do throws(BusError) {
      client = try DisplayConfigClient(kind, loop: loop) { [weak self] in self?.hear($0) }
    } catch {
      throw Message.noSessionBus(error)
    }
    let lock = OrientationLock(
      loop: loop, program: settingsProgram, memory: LockMemory(directory: stateDirectory))
    ownRotation = OwnRotation(lock, takesOver: settings.takesOver, note: note) { [report] in
      report(.desktopTurns($0))
    }
    retry = try loop.timer { [weak self] in self?.readState() }
  }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) throws {
    self.report.start(report, gone: gone)
    try client?.start()
    if let bus = client?.bus {
      focus = try ShellFocus(bus) { [report = self.report] in report(.focusChanged($0)) }
      settingsWatch = try SettingsWatch(bus) { [weak self] in self?.ownRotation?.settingsChanged() }
    }
  }

  package func apply(
    _ transform: DisplayTransform, to output: String,
    completion: @escaping (Result<Void, Message>) -> Void
  ) {
    rotations.add(transform, to: output, completion) { [weak self] in
      try self?.turn(output, to: transform, completion: $0)
    }
  }

  private func turn(
    _ output: String, to transform: DisplayTransform, completion: @escaping RotationQueue.Completion
  ) throws {
    guard let client else { throw Message.gnomeIsAbsent }
    let turn = try MonitorTurn(client, loop: loop, transform, of: output, visited: visited) {
      [weak self] result in
      self?.adopt(self?.turn?.seen)
      self?.turn = nil
      completion(result)
    }
    self.turn = turn
    nextTurn { [weak self, weak turn] in turn?.start(from: self?.state) }
  }

  /// What was known before a turn is not true after it, whether Mutter has said so by then or not.
  private func adopt(_ seen: MonitorState?) {
    state = questions == 0 ? seen : nil
  }

  package func use(_ settings: DisplaySettings) {
    self.settings = settings
    ownRotation?.takesOver = settings.takesOver
    focus?.panel = settings.output
  }

  package func stop() {
    ownRotation?.stop()
    ownRotation = nil
    turn?.cancel()
    turn = nil
    focus?.stop()
    focus = nil
    settingsWatch?.stop()
    settingsWatch = nil
    client?.close()
    client = nil
    retry?.cancel()
    retry = nil
    nextTurn.cancel()
    report.stop()
  }

  // MARK: What Mutter tells

  private func hear(_ news: DisplayConfigClient.News) {
    switch news {
    case .owner(nil): report.end(.gnomeIsAbsent)
    case .owner: readAll()
    case .lost: report.end(Message(.displayEnded, "GNOME has ended"))
    case .ended: report.end(Message(.busUnreachable, "the session bus has ended"))
    case .monitorsChanged:
      readState()
      turn?.monitorsChanged()
    case .properties(let changed): absorb(changed)
    }
  }

  /// What is dark is known before it could be turned.
  private func readAll() {
    client?.readProperties { [weak self] answer in
      // What it does not answer here, it does not answer to the other question either.
      if case .success(let values) = answer { self?.absorb(values) }
      self?.ownRotation?.start()
    }
    readState()
  }

  private func absorb(_ properties: [String: Value]) {
    if let isManaged: Bool = try? properties["PanelOrientationManaged"]?.read() {
      ownRotation?.isManaged = isManaged
    }
    if let mode: Int32 = try? properties["PowerSaveMode"]?.read() {
      // 1 to 3 are degrees of off; -1 is where Mutter cannot switch it.
      report(.displayPowerChanged(isOn: mode <= 0))
    }
  }

  private func readState() {
    state = nil
    questions += 1
    client?.readState { [weak self] in self?.receive($0) }
  }

  private func receive(_ answer: Result<MonitorState, Message>) {
    questions -= 1
    switch answer {
    case .success(let state):
      complaint = nil
      backoff = Backoff()
      retry?.arm(at: nil)
      // Of several answers only the last is about now.
      if questions == 0 { self.state = state }
      focus?.monitors = state.logicalMonitors.map(\.connectors)
      report(.outputsChanged(state.outputs))
    case .failure(let failure):
      complain(failure)
      if !report.hasReportedOutputs { report(.outputsChanged([])) }
      retry?.arm(at: backoff.next(after: EventLoop.now))
    }
  }

  private func complain(_ failure: Message) {
    guard failure != complaint else { return }
    complaint = failure
    note(failure)
  }

}

/// When to try again what failed: ever more seldom. Nanoseconds.
private struct Backoff {
  private static let longest: Int64 = 300_000_000_000
  private var delay: Int64 = 5_000_000_000

  mutating func next(after now: Int64) -> Int64 {
    defer { delay = min(delay * 2, Self.longest) }
    return now + delay
  }
}

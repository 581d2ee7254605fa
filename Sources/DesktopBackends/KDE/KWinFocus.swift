// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The focus in KWin: keeps autorotate's script loaded there, and receives its reports.
final class KWinFocus {
  static let scripting = BusTarget(
    service: "org.kde.KWin", path: "/Scripting", interface: "org.kde.kwin.Scripting")
  /// KWin answers at once, unless the session is starting.
  private static let timeout = Duration.seconds(10)
  /// In bytes. Clients choose these texts, and a report that is refused leaves an outdated focus, so the limit is
  /// generous.
  private static let maximumArgumentBytes = 8_000
  private static let maximumDelay: Int64 = 600_000_000_000

  private let bus: Bus
  private let loop: EventLoop
  private let directory: String
  private let report: (KWinFocusReport?) -> Void
  private let note: (Message) -> Void

  private var registrations: [AnyObject] = []
  /// KWin's unique name; calls of others are ignored.
  private var owner: String?
  private var file: KWinScriptFile?
  private var hasNoted = false
  var watchesTitles = false {
    didSet { if watchesTitles != oldValue, owner != nil { reload() } }
  }
  private var retry: EventTimer?
  private var backoff: Backoff

  /// - Parameters:
  ///   - directory: for the script's file; KWin must be able to read it.
  ///   - firstDelay: before the first retry, in nanoseconds.
  ///   - report: receives the active window, `nil` for none; also while KWin is absent.
  init(
    _ bus: Bus, loop: EventLoop, directory: String, firstDelay: Int64 = 5_000_000_000,
    report: @escaping (KWinFocusReport?) -> Void, note: @escaping (Message) -> Void
  ) {
    self.bus = bus
    self.loop = loop
    backoff = Backoff(first: firstDelay, longest: Self.maximumDelay)
    self.directory = directory
    self.report = report
    self.note = note
  }

  func start() throws {
    retry = try loop.timer { [weak self] in self?.reload() }
    let takes = KWinScript.arguments.map { BusArgument($0, "s", maximumBytes: Self.maximumArgumentBytes) }
    let method = BusMethod(KWinScript.method, takes: takes) { [weak self] call in
      self?.receive(call)
      return []
    }
    registrations = [
      try bus.export(BusInterface(name: KWinScript.interface, methods: [method]), at: KWinScript.object),
      try bus.watchName(Self.scripting.service) { [weak self] owner in self?.follow(owner) },
    ]
  }

  /// Unloads the script from KWin, and waits briefly for that: the process is about to end.
  /// - Parameter last: a connection that is still open.
  func stop(on last: Bus?) {
    if owner != nil {
      _ = try? last?.callAndWait(
        Self.scripting, "unloadScript", [.string(KWinScript.name)], timeout: .milliseconds(500))
    }
    file = nil
  }

  private func follow(_ owner: String?) {
    self.owner = owner
    resetRetries()
    guard owner != nil else {
      report(nil)
      return complain(Phrase("KWin is not on the session bus"))
    }
    reload()
  }

  private func reload() {
    // A script that an earlier daemon left there calls a process that has ended.
    ask("unloadScript", [.string(KWinScript.name)]) { [weak self] _ in self?.load() }
  }

  private func load() {
    do {
      let name = try bus.uniqueName()
      let file = try KWinScriptFile(KWinScript.text(calling: name, withTitles: watchesTitles), in: directory)
      self.file = file
      let path = file.path
      ask("loadScript", [.string(path), .string(KWinScript.name)]) { [weak self] answer in
        // A unique number for each script, negative on failure.
        guard let number = try? answer.read(0, as: Int32.self), number >= 0 else {
          self?.fail(Phrase("KWin did not load the script \(path)"))
          return
        }
        self?.ask("start", []) { _ in }
      }
    } catch {
      fail("\(error)")
    }
  }

  private func ask(_ method: String, _ arguments: [Value], then: @escaping ([Value]) -> Void) {
    let asked = owner
    bus.ask(Self.scripting, method, arguments, timeout: Self.timeout) { [weak self] answer in
      guard let self, owner == asked else { return }
      switch answer {
      case .success(let values): then(values)
      case .failure(let error): fail("\(method): \(error)")
      }
    }
  }

  private func receive(_ call: MethodCall) {
    guard call.sender == owner else { return }
    // KWin has read the file.
    file = nil
    hasNoted = false
    resetRetries()
    report(KWinFocusReport(call.arguments.compactMap { try? $0.read(as: String.self) }))
  }

  private func resetRetries() {
    retry?.arm(at: nil)
    backoff.reset()
  }

  /// KWin may be too busy while the session starts.
  private func fail(_ reason: Phrase) {
    complain(reason)
    retry?.arm(at: backoff.next(after: EventLoop.now))
  }

  /// Notes the failure once, until it works again.
  private func complain(_ reason: Phrase) {
    guard !hasNoted else { return }
    hasNoted = true
    note(
      Message(
        .focusUnknown, "the focused app is unknown, so app rules have no effect (\(reason))",
        next: "run `autorotate doctor`, and log in again if KWin was updated"))
  }
}

/// A report of KWin's script on the active window; `KWinScript.arguments` names its fields.
struct KWinFocusReport: Equatable, Sendable {
  /// Without its output on KWin 5, which gives scripts no names.
  let window: Window
  /// The place of that output in the layout, by which it is found on KWin 5.
  let area: ScreenRectangle?

  /// `nil` if no window is active, or if the fields are not those of the script.
  init?(_ words: [String]) {
    guard words.count == KWinScript.arguments.count, let id = Self.number(words[0]) else { return nil }
    window = Window(
      id: id, role: words[1] == "auxiliary" ? .auxiliary : .application,
      identifiers: words[2...4].filter { !$0.isEmpty }.eachOnce, title: words[8].isEmpty ? nil : words[8],
      isFullscreen: words[5] == "true", output: words[6].isEmpty ? nil : words[6])
    area = Self.area(words[7])
  }

  /// KWin identifies windows by a UUID in braces; its first half is unique within a session.
  private static func number(_ uuid: String) -> UInt64? {
    let digits = uuid.filter(\.isHexDigit)
    return digits.count == 32 ? UInt64(digits.prefix(16), radix: 16) : nil
  }

  private static func area(_ words: String) -> ScreenRectangle? {
    let numbers = words.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
    return ScreenRectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// - Parameter displays: the outputs at their current places.
  /// - Returns: `nil` if there is no such output; around a rotation, the script and the layout may differ for a
  ///   moment.
  func output(among displays: [CompositorOutput]) -> String? {
    window.output ?? displays.first { $0.isActive && $0.rectangle == area }?.name
  }
}

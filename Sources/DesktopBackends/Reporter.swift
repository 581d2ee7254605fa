// SPDX-License-Identifier: MIT

import Autorotation

/// What a backend tells the core: each thing once, of the window nothing before the outputs, and its end once. Windows get
/// what the desktop files of their application declare.
final class Reporter {
  private var send: (Event) -> Void = { _ in }
  private var gone: ((Message) -> Void)?
  /// As they were reported last; `nil` before that.
  private var outputs: [Output]?
  private var mounts: KernelMounts
  private let desktopFiles: DesktopFiles
  /// Whether the core takes the outputs for others than were reported, since a turn has succeeded.
  private var isOutdated = false
  private var isDisplayOn = true
  /// The active window as it is by now; `nil` for none, or before it is known.
  private(set) var window: Window?
  private var isWindowKnown = false
  /// As it was reported last; the outer `nil` before that.
  private var reportedWindow: Window??

  init(mounts: KernelMounts = KernelMounts(), desktopFiles: DesktopFiles = DesktopFiles()) {
    self.mounts = mounts
    self.desktopFiles = desktopFiles
  }

  /// Whether there is anybody to report to, and the display system has not ended.
  var isRunning: Bool { gone != nil }
  var hasReportedOutputs: Bool { outputs != nil }

  func start(_ send: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) {
    self.send = send
    self.gone = gone
  }

  func stop() {
    send = { _ in }
    gone = nil
  }

  /// The display system has ended.
  func end(_ reason: Message) {
    let gone = gone
    self.gone = nil
    gone?(reason)
  }

  /// - Returns: whether it is news.
  @discardableResult
  func callAsFunction(_ event: Event) -> Bool {
    switch event {
    case .outputsChanged(let new): return report(new)
    case .focusChanged(let new):
      window = new
      window?.declared = new.flatMap { desktopFiles.orientations(of: $0.identifiers) }
      isWindowKnown = true
      return reportWindow()
    case .displayPowerChanged(isDisplayOn): return false
    case .displayPowerChanged(let isOn): isDisplayOn = isOn
    default: break
    }
    send(event)
    return true
  }

  /// The core takes a successful turn as done: should somebody have turned the output back by the next reading, that is
  /// news though it was reported so before.
  func turned(_ turns: [PanelTurn]) {
    let isNews = turns.contains { turn in
      outputs?.first { $0.name == turn.output }?.transform != turn.transform
    }
    if isNews { isOutdated = true }
  }

  private func report(_ found: [Output]) -> Bool {
    let new = mounts.completing(found)
    guard new != outputs || isOutdated else { return false }
    outputs = new
    isOutdated = false
    send(.outputsChanged(new))
    reportWindow()
    return true
  }

  @discardableResult
  private func reportWindow() -> Bool {
    guard outputs != nil, isWindowKnown, reportedWindow != .some(window) else { return false }
    reportedWindow = .some(window)
    send(.focusChanged(window))
    return true
  }
}

// SPDX-License-Identifier: MIT

import Autorotation

/// Reports a backend's events to the core: each change once, the window only after the outputs, and the end once. Adds
/// the orientations that the desktop file of the window's application declares.
final class Reporter {
  private var send: (Event) -> Void = { _ in }
  private var gone: ((Message) -> Void)?
  /// As last reported; `nil` before the first report.
  private var outputs: [Output]?
  private var mounts: KernelPanelMounts
  private let desktopFiles: DesktopFiles
  /// Whether the core assumes other outputs than reported last, because a rotation has succeeded.
  private var isOutdated = false
  private var isDisplayOn = true
  /// The current active window; `nil` for none, or before it is known.
  private(set) var window: Window?
  private var isWindowKnown = false
  /// As last reported; the outer `nil` before the first report.
  private var reportedWindow: Window??

  init(mounts: KernelPanelMounts = KernelPanelMounts(), desktopFiles: DesktopFiles = DesktopFiles()) {
    self.mounts = mounts
    self.desktopFiles = desktopFiles
  }

  /// Whether reporting has started, and the display system has not ended.
  var isRunning: Bool { gone != nil }
  var hasReportedOutputs: Bool { outputs != nil }

  func start(_ send: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) {
    self.send = send
    self.gone = gone
  }

  /// The display system has ended.
  func end(_ reason: Message) {
    gone.take()?(reason)
  }

  /// - Returns: whether the event was reported, since it was a change.
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

  /// The core assumes a successful rotation. If another program has rotated the output back by the next reading, that
  /// is reported, though it equals the last report.
  func rotated(_ rotations: [PanelRotation]) {
    let isChange = rotations.contains { rotation in
      outputs?.first { $0.name == rotation.output }?.transform != rotation.transform
    }
    if isChange { isOutdated = true }
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

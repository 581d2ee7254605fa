// SPDX-License-Identifier: MIT

import Autorotation
import System

/// One rotation of outputs: the request to KWin, and the check that it took effect.
final class KWinRotation {
  private let outputs: KWinOutputs
  private let rotations: [PanelRotation]
  private let visited: ArrangementHistory
  private let completion: (Result<Void, Message>) -> Void

  private var configuration: KWinConfiguration?
  /// `nil` before the start, and when it is over.
  private var deadline: EventTimer?
  private var answer: KWinConfiguration.Answer?
  private var hotplugCountAtStart = 0
  private var attempts = 0

  /// A complete redraw takes KWin some 30 ms, on a busy machine without a GPU up to 300 ms.
  static let timeout: Int64 = 3_000_000_000
  /// Each further attempt because an output was plugged in or out.
  private static let maximumAttempts = 3

  /// - Parameter completion: called once; never from within `start`.
  init(
    _ outputs: KWinOutputs, _ rotations: [PanelRotation], visited: ArrangementHistory,
    completion: @escaping (Result<Void, Message>) -> Void
  ) {
    self.outputs = outputs
    self.rotations = rotations
    self.visited = visited
    self.completion = completion
  }

  func start(_ loop: EventLoop) throws {
    deadline = try loop.timer { [weak self] in self?.end(.failure(.silent)) }
    deadline?.arm(at: EventLoop.now + Self.timeout)
    try send()
  }

  private func send() throws(Message) {
    let change = try LayoutChange(rotations, among: outputs.states, visited: visited)
    guard let configuration = outputs.configuration(ended: { [weak self] in self?.answer = $0 }) else {
      throw .silent
    }
    for new in change.after {
      guard let output = outputs[new.name] else { continue }
      if change.names.contains(new.name) { configuration.transform(output, to: Int32(new.transform)) }
      // Also where it is by the last report: KWin may still apply an earlier rotation that it did not answer in time.
      configuration.move(output, x: new.rectangle.x, y: new.rectangle.y)
    }
    configuration.apply()
    self.configuration = configuration
    hotplugCountAtStart = outputs.hotplugCount
    attempts += 1
  }

  /// Checks whether it is done; called after each batch of events.
  func check() {
    guard deadline != nil, let answer else { return }
    switch answer {
    // The output's own events come before this one, or right after it.
    case .applied:
      let isDone = rotations.allSatisfy { outputs[$0.output]?.state?.laid.rotation == $0.transform }
      if isDone { end(.success(())) }
    case .failed(let reason): retry(after: reason)
    }
  }

  private func retry(after reason: String?) {
    answer = nil
    configuration = nil
    guard outputs.hotplugCount != hotplugCountAtStart, attempts < Self.maximumAttempts else {
      return end(.failure(.refused(rotations, reason: reason)))
    }
    do throws(Message) { try send() } catch { end(.failure(error)) }
  }

  func cancel() {
    configuration = nil
    deadline = nil
  }

  private func end(_ result: Result<Void, Message>) {
    guard deadline != nil else { return }
    cancel()
    completion(result)
  }
}

extension Message {
  @MainActor fileprivate static var silent: Self {
    Self(
      .rotationUnanswered,
      "KWin did not complete the rotation within \(KWinRotation.timeout / 1_000_000_000) s",
      next: "it may hang; try `kscreen-doctor -o`, and log in again if that does not answer either")
  }

  fileprivate static func refused(_ rotations: [PanelRotation], reason: String?) -> Self {
    let explanation = reason.map { " (\($0))" } ?? ""
    return Self(
      .rotationRefused, "KWin refused to rotate \(rotations.names)\(explanation)",
      next:
        "try `kscreen-doctor output.\(rotations[0].output.asArgument).rotation.left`, and check KWin's journal, "
        + "`journalctl --user -b -t kwin_wayland`")
  }
}

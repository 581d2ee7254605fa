// SPDX-License-Identifier: MIT

import Autorotation
import System

/// One rotation of outputs: reads the state, sends a configuration, and checks that it took effect.
///
/// Mutter applies a configuration completely or not at all, so nothing has to be reverted.
final class MonitorRotation {
  /// Attempts in all, each new one because the serial has changed: plugging in a monitor changes it a few times
  /// within a second.
  private static let maximumAttempts = 5
  /// How long after the answer the displays may still show the old state; in nanoseconds.
  private static let settleTime: Int64 = 1_000_000_000

  private let client: DisplayConfigClient
  private let rotations: [PanelRotation]
  private let visited: ArrangementHistory
  private var completion: ((Result<Void, Message>) -> Void)?
  private var timer: EventTimer?
  private var attempts = 0
  /// Mutter's answer to the last attempt.
  private var answer: Result<Void, Message>?
  /// The deadline for the displays to show what Mutter has accepted; `nil` before it did.
  private var deadline: Int64?
  /// The state at the end, if it was read.
  private(set) var seen: MonitorState?

  /// - Parameter completion: called once, never from within a method of this.
  init(
    _ client: DisplayConfigClient, loop: EventLoop, _ rotations: [PanelRotation], visited: ArrangementHistory,
    completion: @escaping (Result<Void, Message>) -> Void
  ) throws {
    self.client = client
    self.rotations = rotations
    self.visited = visited
    self.completion = completion
    timer = try loop.timer { [weak self] in self?.verify() }
  }

  func start(from known: MonitorState?) {
    guard completion != nil else { return }
    if let known { return ask(from: known) }
    client.readState { [weak self] in self?.receive($0) }
  }

  /// Called on Mutter's signal that the displays have changed.
  func monitorsChanged() {
    if deadline != nil { verify() }
  }

  private func receive(_ answer: Result<MonitorState, Message>) {
    guard completion != nil else { return }
    switch answer {
    case .failure(let failure): end(failure)
    case .success(let state): ask(from: state)
    }
  }

  private func ask(from state: MonitorState) {
    do throws(Message) {
      let target = try state.rotating(rotations, visited: visited)
      guard !isDone(in: state) else { return end(nil) }
      attempts += 1
      answer = nil
      client.apply(target) { [weak self] in self?.receive($0) }
      // Sent at once: Mutter works in order, and redraws before it handles this.
      client.readState { [weak self] in self?.compare($0, asked: target) }
    } catch {
      end(error)
    }
  }

  private func receive(_ answer: Result<Void, Message>) {
    guard completion != nil else { return }
    self.answer = answer
    switch answer {
    case .success:
      deadline = EventLoop.now + Self.settleTime
      timer?.arm(at: deadline)
    case .failure(let failure) where failure.code == .rotationRefused: break  // The state shows why.
    case .failure(let failure): end(failure)
    }
  }

  private func compare(_ state: Result<MonitorState, Message>, asked target: MonitorState) {
    guard completion != nil else { return }
    switch (answer, state) {
    case (nil, _): break  // Out of order; the answer or its deadline continues.
    case (.success, _): check(state)
    case (.failure(let failure), .success(let state)) where state.serial == target.serial: end(failure)
    case (.failure, .success) where attempts >= Self.maximumAttempts:
      end(.monitorsKeepChanging(rotations.names))
    // The serial was outdated: the monitors have changed.
    case (.failure, .success(let state)): ask(from: state)
    case (.failure(let failure), .failure): end(failure)
    }
  }

  private func verify() {
    client.readState { [weak self] in self?.check($0) }
  }

  private func check(_ answer: Result<MonitorState, Message>) {
    guard completion != nil, let deadline else { return }
    switch answer {
    case .failure(let failure): end(failure)
    case .success(let state) where isDone(in: state):
      seen = state
      end(nil)
    case .success where EventLoop.now >= deadline:
      end(.acceptedWithoutEffect(rotations.names, by: client.desktop.name))
    case .success: break  // Checked again at the signal or the deadline.
    }
  }

  private func isDone(in state: MonitorState) -> Bool {
    rotations.allSatisfy { state.rotation(of: $0.output) == $0.transform }
  }

  private func end(_ failure: Message?) {
    let completion = completion.take()
    timer = nil
    completion?(failure.map { .failure($0) } ?? .success(()))
  }
}

extension Message {
  fileprivate static func monitorsKeepChanging(_ output: String) -> Self {
    Self(
      .rotationIgnored, "\(output) was not rotated, because the monitors change again and again",
      next: "check their cables, and look for another program that arranges them")
  }

  fileprivate static func acceptedWithoutEffect(_ output: String, by desktop: String) -> Self {
    Self(
      .rotationIgnored, "\(desktop) accepted the rotation of \(output), but shows something else",
      next: "look for another program or extension that arranges the displays")
  }
}

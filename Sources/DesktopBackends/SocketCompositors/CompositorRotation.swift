// SPDX-License-Identifier: MIT

import Autorotation
import System

/// One rotation of one or more outputs: sends the requests, checks a few times whether they took effect, and reverts
/// them if not. Compositors may acknowledge a change before applying it, or never apply it, and not all report it by
/// an event.
///
///     known state ── no ──▶ state read again ── no ──▶ … other syntax ── no ──▶ reverting ──▶ failed
///          └─────── done ─────────┴──────── done ─────────────┴──▶ succeeded
///
/// Reverting always restores the layout before the first attempt.
final class CompositorRotation {
  struct Outcome {
    var result: Result<Void, Message>
    /// The outputs at the end, if known.
    var outputs: [CompositorOutput]?
    var change: LayoutChange?
    /// The requests that revert a rotation that the compositor accepted but ignored; empty if they were already sent,
    /// `nil` if it did not ignore the rotation.
    var undoing: [CompositorMessage]?
  }

  /// Before each check, in nanoseconds. All but the last are 0.3 s together, which was too short for Hyprland with
  /// software rendering on a busy machine.
  private static let pauses: [Int64] = [0, 10, 20, 40, 80, 160, 320].map { $0 * 1_000_000 }

  private let dialect: any CompositorDialect
  private let rotations: [PanelRotation]
  /// Makes rotating back restore the exact positions.
  private let visited: ArrangementHistory
  private var completion: ((Outcome) -> Void)?
  /// From the last check; `nil` if that was not answered.
  private var outputs: [CompositorOutput]?
  private var change: LayoutChange?
  private var goal = LayoutChange.Goal.after
  private var step = CompositorStep()
  /// Whether the change was planned from earlier reports. These may be outdated, so there is a second attempt.
  private var usesKnownState: Bool
  /// Why the step's last request was refused, if it was sent together with the check.
  private var refusal: Message?
  private var checks = 0
  private var repetitions = 0
  private var pause: EventTimer?
  /// For the message: why the rotation did not take effect.
  private var problem: Phrase = "it reported success, but nothing changed"
  /// Why the rotation is reverted, if not because of `problem`.
  private var failure: Message?
  private var isIgnored = false

  /// - Parameter known: the outputs as last reported, if nothing can have changed since.
  init(
    _ dialect: any CompositorDialect, _ context: CompositorContext, _ rotations: [PanelRotation],
    known: [CompositorOutput]?, completion: @escaping (Outcome) -> Void
  ) throws {
    self.dialect = dialect
    self.rotations = rotations
    visited = context.visited
    self.completion = completion
    outputs = known
    usesKnownState = known != nil
    pause = try context.loop.timer { [weak self] in self?.check() }
  }

  func start() {
    guard usesKnownState, let outputs, let change = try? plan(outputs),
      !change.unmet(.after, in: outputs).isEmpty
    else { return read { [self] in attempt(from: $0) } }
    self.change = change
    begin(.after)
  }

  private func plan(_ outputs: [CompositorOutput]) throws(Message) -> LayoutChange {
    try LayoutChange(rotations, among: outputs, absent: dialect.absent, visited: visited, dialect.profile)
  }

  /// The second attempt, or the first without known state.
  private func attempt(from outputs: [CompositorOutput]) {
    usesKnownState = false
    do throws(Message) {
      let next = try plan(change?.undone(in: outputs) ?? outputs)
      change = next
      next.unmet(.after, in: outputs).isEmpty ? finish(.success(())) : begin(.after)
    } catch {
      change == nil ? finish(.failure(error)) : revert(error)
    }
  }

  private func begin(_ goal: LayoutChange.Goal) {
    guard let change else { return }
    self.goal = goal
    checks = 0
    step = dialect.step(change, goal, among: outputs ?? [])
    send(step.requests[...])
  }

  private func send(_ requests: ArraySlice<CompositorMessage>) {
    guard let request = requests.first else { return check() }
    // The last request and the check are sent together where they are answered in order.
    let checksAtOnce = requests.count == 1 && dialect.channel.answersInOrder
    refusal = nil
    dialect.channel.together {
      run(request, then: requests.dropFirst(), checksAtOnce: checksAtOnce)
      if checksAtOnce { check() }
    }
  }

  private func run(
    _ request: CompositorMessage, then rest: ArraySlice<CompositorMessage>, checksAtOnce: Bool
  ) {
    dialect.run(request) { [self] answer in
      switch answer {
      case .success: if !checksAtOnce { send(rest) }
      case .failure(let reason) where reason.code == .displayRefused:
        if checksAtOnce { refusal = reason } else { handleRefusal(reason) }
      case .failure(let reason): finish(.failure(dialect.profile.unanswered(rotations, reason)))
      }
    }
  }

  private func handleRefusal(_ reason: Message) {
    guard goal == .after else {
      checks = Self.pauses.count
      return check()
    }
    if usesKnownState { return read { [self] in attempt(from: $0) } }
    if dialect.selectAlternative(rotations.map(\.output), after: reason) { return begin(.after) }
    problem = reason.phrase
    revert()
  }

  private func check() {
    read { [self] outputs in
      guard let change, completion != nil else { return }
      if let reason = refusal {
        refusal = nil
        return handleRefusal(reason)
      }
      if change.unmet(goal, in: outputs).isEmpty { return handleReachedGoal(outputs) }
      // The next step moves the outputs.
      if step.rotatesOnly, change.unrotated(goal, in: outputs).isEmpty { return begin(goal) }
      if goal == .after {
        if usesKnownState { return attempt(from: outputs) }
        if let off = outputs.first(where: { change.names.contains($0.name) && $0.isOff }) {
          return revert(.isBlanked(off.name))
        }
      }
      checks += 1
      guard checks < Self.pauses.count else { return repeatOrGiveUp(change, outputs) }
      // Another syntax may work immediately, so try it before the longest pause.
      if checks == Self.pauses.count - 1, goal == .after,
        dialect.selectAlternative(rotations.map(\.output), after: nil)
      {
        return begin(.after)
      }
      pause?.arm(at: EventLoop.now + Self.pauses[checks])
    }
  }

  /// The goal was reached; but an output may have been unplugged or switched off meanwhile.
  private func handleReachedGoal(_ outputs: [CompositorOutput]) {
    if goal == .before { return finishRevert() }
    for rotation in rotations {
      guard let now = outputs[rotation.output] else {
        return finish(.failure(.unplugged(rotation.output)))
      }
      guard now.isActive else { return finish(.failure(.isBlanked(rotation.output))) }
    }
    finish(.success(()))
  }

  private func repeatOrGiveUp(_ change: LayoutChange, _ outputs: [CompositorOutput]) {
    if goal == .before { return finish(.failure(dialect.profile.notRestored(rotations, problem))) }
    if repetitions < dialect.profile.maximumRepetitions {
      repetitions += 1
      return begin(.after)
    }
    let hasRotated = !change.unrotated(.after, in: outputs).contains { change.names.contains($0.name) }
    if hasRotated, dialect.profile.toleratesMisplacedNeighbours { return finish(.success(())) }
    isIgnored = true
    guard change.unmet(.before, in: outputs).isEmpty else { return revert() }
    let undoing = dialect.step(change, .before, among: outputs).requests
    finish(.failure(dialect.profile.refused(rotations, problem)), undoing: undoing)
  }

  private func revert(_ failure: Message? = nil) {
    self.failure = failure
    begin(.before)
  }

  private func finishRevert() {
    finish(.failure(failure ?? dialect.profile.refused(rotations, problem)), undoing: isIgnored ? [] : nil)
  }

  private func read(_ then: @escaping ([CompositorOutput]) -> Void) {
    dialect.readOutputs { [self] answer in
      switch answer {
      case .success(let found):
        outputs = found
        then(found)
      case .failure(let reason):
        outputs = nil
        finish(.failure(dialect.profile.unanswered(rotations, reason)))
      }
    }
  }

  private func finish(_ result: Result<Void, Message>, undoing: [CompositorMessage]? = nil) {
    pause = nil
    completion.take()?(Outcome(result: result, outputs: outputs, change: change, undoing: undoing))
  }
}

extension CompositorProfile {
  fileprivate func refused(_ rotations: [PanelRotation], _ problem: Phrase) -> Message {
    Message(
      .rotationRefused, "\(name) did not rotate \(rotations.names), and the layout is as before (\(problem))",
      next: nextStep(rotations[0].output))
  }

  fileprivate func notRestored(_ rotations: [PanelRotation], _ problem: Phrase) -> Message {
    Message(
      .rotationRefused, "\(name) neither rotated \(rotations.names) (\(problem)) nor put the outputs back",
      next: "restore them with `\(reload)`")
  }

  fileprivate func unanswered(_ rotations: [PanelRotation], _ reason: Message) -> Message {
    Message(
      .rotationUnanswered, "\(name) did not confirm the rotation of \(rotations.names) (\(reason))",
      next: "check whether `\(listing)` answers")
  }
}

extension LayoutChange {
  /// - Parameter absent: disconnected outputs, at the places where they come back.
  /// - Throws: why the outputs cannot be rotated.
  init(
    _ rotations: [PanelRotation], among outputs: [CompositorOutput], absent: [CompositorOutput] = [],
    visited: ArrangementHistory, _ profile: CompositorProfile
  ) throws(Message) {
    try self.init(
      rotations, among: outputs, absent: absent, visited: visited, keepingCornerOf: .rotatedOutputs
    ) { .switchedOff($0, next: "switch it on first, \(profile.switchingOn($0))") }
    guard before.count <= ScreenLayout.maximumNeighbours else {
      throw Message(
        .displayNonsense,
        "\(profile.name) reports \(before.count) active outputs, more than autorotate supports",
        next: "check the output of `\(profile.listing)`")
    }
    for name in names where name.unicodeScalars.contains(where: profile.isForbiddenInName) {
      throw Message(
        .outputFixed, "the name of the output “\(name)” cannot be sent to \(profile.name)",
        next: "choose another output in the [display] settings")
    }
  }
}

// SPDX-License-Identifier: MIT

import Autorotation
import System

/// One turn of one output: says what shall be, looks whether it came about, and takes it back if not. sway 1.7 says
/// `success` to outputs that it holds for disabled, and does nothing.
///
/// The first attempt goes by how things were when they were last told, and what it says and the look at what came of
/// it are sent at once: one round trip. Should things have changed since, a second one is thought out from what they
/// are. Whatever is taken back, the layout before the first attempt is what remains.
final class SwayRotation {
  /// What came of it.
  struct Outcome {
    var result: Result<Void, RotationFailure>
    /// The outputs as they are then, if they are known.
    var outputs: [SwayOutput]?
    /// Where those that had to be placed lie.
    var places: [String: ScreenRectangle] = [:]
    /// Whether sway took it without a word, and did nothing: so it does with what is dark.
    var isUnheeded = false
    /// What takes back what sway may keep of it; empty if that was said.
    var undoing = ""
  }

  /// What is known before.
  struct Knowledge {
    /// The outputs as they were last told, if nothing can have happened to them since.
    var outputs: [SwayOutput]?
    /// Where we put outputs that are away now.
    var absent: [String: ScreenRectangle] = [:]
    var visited = VisitedArrangements()
  }

  /// How long a sway that answers before it has turned may take, in nanoseconds.
  private static let settling: Int64 = 300_000_000

  private let connection: SwayConnection
  private let output: String
  private let transform: DisplayTransform
  private let knowledge: Knowledge
  private var completion: ((Outcome) -> Void)?
  private var turn: SwayTurn?
  private var isFirst = true
  private var latest: [SwayOutput]?
  private var refusal: CompositorFailure?
  private var secondLook: EventTimer?
  /// For the outputs to change, or for the second look.
  private var isWaiting = false
  private var hasWaited = false

  init(
    _ connection: SwayConnection, loop: EventLoop, _ output: String, to transform: DisplayTransform,
    _ knowledge: Knowledge, completion: @escaping (Outcome) -> Void
  ) throws {
    self.knowledge = knowledge
    self.connection = connection
    self.output = output
    self.transform = transform
    self.completion = completion
    secondLook = try loop.timer { [weak self] in self?.look(isLast: true) }
  }

  func start() {
    guard let known = knowledge.outputs, let turn = try? think(known), !turn.commands.isEmpty else {
      return readOutputs { [self] in plan(from: $0) }
    }
    say(turn)
  }

  private func think(_ outputs: [SwayOutput]) throws(RotationFailure) -> SwayTurn {
    try SwayTurn(output, to: transform, among: outputs, absent: knowledge.absent, visited: knowledge.visited)
  }

  /// The second attempt, or the first if nothing was known.
  private func plan(from outputs: [SwayOutput]) {
    isFirst = false
    do throws(RotationFailure) {
      let turn = try think(turn?.undone(in: outputs) ?? outputs)
      turn.commands.isEmpty ? finish(.success(())) : say(turn)
    } catch {
      turn == nil ? finish(.failure(error)) : takeBack(error)
    }
  }

  /// Something about the outputs has changed.
  func outputsChanged() {
    guard isWaiting else { return }
    look(isLast: false)
  }

  private func say(_ turn: SwayTurn) {
    self.turn = turn
    refusal = nil
    connection.run(turn.commands) { [self] result in
      if case .failure(let reason) = result { refusal = reason }
    }
    // Answered after that, so that what was refused is known by then.
    look(isLast: false)
  }

  private func look(isLast: Bool) {
    isWaiting = false
    readOutputs { [self] outputs in
      guard let turn, completion != nil else { return }
      if refusal == nil, turn.isDone(output, in: outputs) { return finish(.success(())) }
      if isFirst { return plan(from: outputs) }
      if let refusal { return takeBack(.refused(output, "\(refusal)")) }
      if isDark(in: outputs) { return takeBack(.refused(output, "it is dark")) }
      // Before 1.8 sway lists a neighbour that is switched off like one that is not; there is nothing to place.
      if isLast, turn.hasTurned(output, in: outputs) { return finish(.success(())) }
      if isLast { return giveUp(turn, outputs) }
      isWaiting = true
      if !hasWaited { secondLook?.arm(at: EventLoop.now + Self.settling) }
      hasWaited = true
    }
  }

  private func isDark(in outputs: [SwayOutput]) -> Bool {
    outputs.contains { $0.name == output && !$0.isLit }
  }

  /// What sway keeps for an output that is dark it does when that is lit: it is only taken back where something
  /// has moved.
  private func giveUp(_ turn: SwayTurn, _ outputs: [SwayOutput]) {
    let failure = RotationFailure.refused(output, "it says that it has done so, and has not")
    guard turn.isUndone(in: outputs) else { return takeBack(failure, isUnheeded: true) }
    finish(.failure(failure), isUnheeded: true, undoing: turn.undoing)
  }

  private func takeBack(_ failure: RotationFailure, isUnheeded: Bool = false) {
    secondLook?.arm(at: nil)
    guard let turn else { return }
    connection.run(turn.undoing) { [self] _ in
      readOutputs(failing: failure) { [self] outputs in
        let isUndone = turn.isUndone(in: outputs)
        finish(.failure(isUndone ? failure : .stuck(output)), isUnheeded: isUndone && isUnheeded)
      }
    }
  }

  private func readOutputs(failing failure: RotationFailure? = nil, _ then: @escaping ([SwayOutput]) -> Void)
  {
    connection.request(.getOutputs) { [self] answer in
      switch answer {
      case .success(let value):
        let outputs = value.elements.compactMap(SwayOutput.init)
        latest = outputs
        then(outputs)
      case .failure(let reason):
        latest = nil
        finish(.failure(failure ?? .unanswered(output, "\(reason)")))
      }
    }
  }

  private func finish(
    _ result: Result<Void, RotationFailure>, isUnheeded: Bool = false, undoing: String = ""
  ) {
    secondLook?.cancel()
    secondLook = nil
    let completion = completion
    self.completion = nil
    completion?(
      Outcome(
        result: result, outputs: latest, places: turn?.places ?? [:], isUnheeded: isUnheeded,
        undoing: undoing))
  }
}

extension RotationFailure {
  fileprivate static func refused(_ output: String, _ problem: String) -> Self {
    Self(
      "sway did not turn \(output), which is as before (\(problem)): "
        + "see what `swaymsg -t get_outputs` tells of it")
  }

  fileprivate static func stuck(_ output: String) -> Self {
    Self(
      "sway did not turn \(output), nor put the outputs back: set them right with `swaymsg reload`")
  }

  fileprivate static func unanswered(_ output: String, _ problem: String) -> Self {
    Self(
      "sway does not tell whether it turned \(output) (\(problem)): see whether `swaymsg -t get_outputs` answers"
    )
  }
}

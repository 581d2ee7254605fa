// SPDX-License-Identifier: MIT

import Autorotation
import System

/// One turn of one output: the turn, then the places of those that niri has not moved by itself; looked at after
/// each, and taken back if it does not come about.
final class NiriRotation {
  typealias Completion = (Result<[NiriOutput], RotationFailure>) -> Void

  private enum Stage {
    case turning, placing, puttingBack
  }

  /// Pauses before the looks, in nanoseconds.
  private static let pauses: [Int64] = [0, 10, 20, 40, 80, 160].map { $0 * 1_000_000 }

  private let exchanges: CompositorExchanges
  private let output: String
  private let transform: DisplayTransform
  private let visited: VisitedArrangements
  private var completion: Completion?
  private var turn: NiriTurn?
  private var stage = Stage.turning
  /// As they were at the last look.
  private(set) var outputs: [NiriOutput] = []
  private var looks = 0
  private var problem = "it says that it has done so, and has not"
  private var pause: EventTimer?

  /// - Parameter completion: takes the outputs as they are then.
  init(
    _ exchanges: CompositorExchanges, loop: EventLoop, _ output: String, to transform: DisplayTransform,
    visited: VisitedArrangements, completion: @escaping Completion
  ) throws {
    self.exchanges = exchanges
    self.visited = visited
    self.output = output
    self.transform = transform
    self.completion = completion
    pause = try loop.timer { [weak self] in self?.look() }
  }

  func start() {
    readOutputs { [self] in
      do throws(RotationFailure) {
        turn = try NiriTurn(output, to: transform, among: outputs, visited: visited)
        begin(.turning)
      } catch {
        finish(.failure(error))
      }
    }
  }

  private func begin(_ stage: Stage) {
    self.stage = stage
    looks = 0
    let changes = stage == .puttingBack ? turn?.changed(in: outputs) : turn?.unmet(in: outputs)
    say((changes ?? [])[...])
  }

  /// Says one after the other, as niri wants it.
  private func say(_ changes: ArraySlice<NiriTurn.Change>) {
    guard let change = changes.first else { return look() }
    exchanges.ask(change.text) { [self] answer in
      switch answer.flatMap(NiriReply.value) {
      case .success(let value):
        guard let words = NiriReply.complaint(value) else { return say(changes.dropFirst()) }
        problem = words
        goOn()
      case .failure(.refused(let words)):
        problem = "“\(words.printable())”"
        goOn()
      case .failure(let reason): finish(.failure(.unanswered(output, "\(reason)")))
      }
    }
  }

  private func look() {
    readOutputs { [self] in
      guard let turn, completion != nil else { return }
      let left = stage == .puttingBack ? turn.changed(in: outputs) : turn.unmet(in: outputs)
      if left.isEmpty { return end() }
      // Turned, and the others are not where they belong; or put back so far.
      if stage == .turning, !left.contains(where: Self.isTurn) { return begin(.placing) }
      looks += 1
      if looks < Self.pauses.count { pause?.arm(at: EventLoop.now + Self.pauses[looks]) } else { goOn() }
    }
  }

  private static func isTurn(_ change: NiriTurn.Change) -> Bool {
    if case .transform = change { true } else { false }
  }

  private func end() {
    if stage == .puttingBack { return finish(.failure(.refused(output, problem))) }
    let isThere = outputs.contains { $0.name == output && $0.rectangle != nil }
    finish(isThere ? .success(outputs) : .failure(.unplugged(output)))
  }

  private func goOn() {
    stage == .puttingBack ? finish(.failure(.stuck(output, problem))) : begin(.puttingBack)
  }

  private func readOutputs(then: @escaping () -> Void) {
    exchanges.ask(NiriReply.outputs) { [self] answer in
      switch answer.flatMap(NiriReply.value).map(NiriOutput.all) {
      case .success(let found?):
        outputs = found
        then()
      case .success(nil): finish(.failure(.unanswered(output, "\(CompositorFailure.garbled("no outputs"))")))
      case .failure(let reason): finish(.failure(.unanswered(output, "\(reason)")))
      }
    }
  }

  private func finish(_ result: Result<[NiriOutput], RotationFailure>) {
    pause?.cancel()
    pause = nil
    let completion = completion
    self.completion = nil
    completion?(result)
  }
}

extension RotationFailure {
  fileprivate static func refused(_ output: String, _ problem: String) -> Self {
    Self(
      "niri did not turn \(output), which is as before (\(problem)): "
        + "see whether `niri msg output \(output) transform 90` can")
  }

  fileprivate static func stuck(_ output: String, _ problem: String) -> Self {
    Self(
      "niri did not turn \(output) (\(problem)), nor put the outputs back: "
        + "set them right with `niri msg action load-config-file`")
  }

  fileprivate static func unanswered(_ output: String, _ problem: String) -> Self {
    Self(
      "niri does not tell whether it turned \(output) (\(problem)): see whether `niri msg outputs` answers",
      isInDoubt: true)
  }
}

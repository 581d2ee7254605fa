// SPDX-License-Identifier: MIT

import Autorotation
import SystemBus

/// One turn of one output: says what shall be, looks whether it came about, and takes it back if not. sway 1.7 says
/// `success` to outputs that it holds for disabled, and does nothing.
///
/// The first attempt goes by how things were when they were last told, and what it says and the look at what came of
/// it are sent at once: one round trip. Should things have changed since, a second one asks before it says.
final class SwayRotation {
  typealias Completion = (Result<[SwayOutput], RotationFailure>) -> Void

  /// How long a sway that answers before it has turned may take, in nanoseconds.
  private static let settling: Int64 = 300_000_000

  private let connection: SwayConnection
  private let output: String
  private let transform: DisplayTransform
  private var completion: Completion?
  private var known: [SwayOutput]?
  private var turn: SwayTurn?
  private var refusal: CompositorFailure?
  private var secondLook: EventTimer?
  /// For the outputs to change, or for the second look.
  private var isWaiting = false
  private var hasWaited = false

  /// - Parameters:
  ///   - known: the outputs as they were last told.
  ///   - completion: takes the outputs as they are then.
  init(
    _ connection: SwayConnection, loop: EventLoop, _ output: String, to transform: DisplayTransform,
    known: [SwayOutput]?, completion: @escaping Completion
  ) throws {
    self.known = known
    self.connection = connection
    self.output = output
    self.transform = transform
    self.completion = completion
    secondLook = try loop.timer { [weak self] in self?.look(isLast: true) }
  }

  func start() {
    guard let known, let turn = try? SwayTurn(output, to: transform, among: known), !turn.commands.isEmpty
    else {
      return startAnew()
    }
    say(turn)
  }

  /// The second attempt, or the first if nothing was known.
  private func startAnew() {
    known = nil
    readOutputs { [self] outputs in
      do throws(RotationFailure) {
        let turn = try SwayTurn(output, to: transform, among: outputs)
        turn.commands.isEmpty ? finish(.success(outputs)) : say(turn)
      } catch {
        finish(.failure(error))
      }
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
      if refusal == nil, turn.isDone(output, in: outputs) { return finish(.success(outputs)) }
      if known != nil { return startAnew() }
      if let refusal { return takeBack("\(refusal)") }
      if isLast { return takeBack("it says that it has done so, and has not") }
      isWaiting = true
      if !hasWaited { secondLook?.arm(at: EventLoop.now + Self.settling) }
      hasWaited = true
    }
  }

  private func takeBack(_ problem: String) {
    secondLook?.arm(at: nil)
    guard let turn else { return }
    connection.run(turn.undoing) { [self] _ in
      readOutputs(failing: problem) { [self] outputs in
        finish(.failure(turn.isUndone(in: outputs) ? .refused(output, problem) : .stuck(output, problem)))
      }
    }
  }

  private func readOutputs(failing problem: String? = nil, _ then: @escaping ([SwayOutput]) -> Void) {
    connection.request(.getOutputs) { [self] answer in
      switch answer {
      case .success(let value): then(value.elements.compactMap(SwayOutput.init))
      case .failure(let reason): finish(.failure(.unanswered(output, problem ?? "\(reason)")))
      }
    }
  }

  private func finish(_ result: Result<[SwayOutput], RotationFailure>) {
    secondLook?.cancel()
    secondLook = nil
    let completion = completion
    self.completion = nil
    completion?(result)
  }
}

extension RotationFailure {
  fileprivate static func refused(_ output: String, _ problem: String) -> Self {
    Self(
      "sway did not turn \(output), which is as before (\(problem)): "
        + "see what `swaymsg -t get_outputs` tells of it")
  }

  fileprivate static func stuck(_ output: String, _ problem: String) -> Self {
    Self(
      "sway did not turn \(output) (\(problem)), nor put the outputs back: "
        + "set them right with `swaymsg reload`")
  }

  fileprivate static func unanswered(_ output: String, _ problem: String) -> Self {
    Self(
      "sway does not tell whether it turned \(output) (\(problem)): see whether `swaymsg -t get_outputs` answers"
    )
  }
}

// SPDX-License-Identifier: MIT

import Autorotation
import System

/// One turn of one monitor. Hyprland says `ok` and acts later, or not at all, and tells by no event which: so it is
/// looked at a few times, and then told in other words, and at last everything is put back.
final class HyprlandRotation {
  typealias Completion = (Result<[HyprlandMonitor], RotationFailure>) -> Void

  private enum Stage {
    case turnAlone, rules, putBack
  }

  /// Pauses before the looks, in nanoseconds: three refreshes of a slow display, and as much again for a busy machine.
  private static let pauses: [Int64] = [0, 10, 20, 40, 80, 160].map { $0 * 1_000_000 }

  private let exchanges: CompositorExchanges
  private let output: String
  private let transform: DisplayTransform
  private let visited: VisitedArrangements
  private var language: HyprlandLanguage
  private var completion: Completion?
  private var turn: HyprlandTurn?
  private var stage = Stage.rules
  /// As they were at the last look.
  private(set) var monitors: [HyprlandMonitor] = []
  private var looks = 0
  private var problem = "it says ok, and nothing happens"
  private var pause: EventTimer?

  /// Whether the turn alone had no effect: this Hyprland has no rule of the monitor's name.
  private(set) var needsWholeRule: Bool

  /// - Parameter completion: takes the monitors as they are then.
  init(
    _ exchanges: CompositorExchanges, loop: EventLoop, language: HyprlandLanguage, needsWholeRule: Bool,
    _ output: String, to transform: DisplayTransform, visited: VisitedArrangements,
    completion: @escaping Completion
  ) throws {
    self.exchanges = exchanges
    self.visited = visited
    self.language = language
    self.needsWholeRule = needsWholeRule
    self.output = output
    self.transform = transform
    self.completion = completion
    pause = try loop.timer { [weak self] in self?.look() }
  }

  func start() {
    readMonitors { [self] in plan() }
  }

  private func plan() {
    do throws(RotationFailure) {
      let turn = try HyprlandTurn(output, to: transform, among: monitors, visited: visited)
      self.turn = turn
      guard !turn.unmet(in: monitors).isEmpty else { return finish(.success(monitors)) }
      let mayTurnAlone = language == .keywords && !needsWholeRule && !turn.isTurned(in: monitors)
      begin(mayTurnAlone ? .turnAlone : .rules)
    } catch {
      finish(.failure(error))
    }
  }

  private func begin(_ stage: Stage) {
    self.stage = stage
    looks = 0
    guard let command = command(stage) else { return look() }
    exchanges.ask(command.text) { [self] answer in
      switch answer.map(command.complaint) {
      case .success(nil): look()
      case .success(let words?): complained(words)
      case .failure(let reason): finish(.failure(.unanswered(output, "\(reason)")))
      }
    }
  }

  private func command(_ stage: Stage) -> HyprlandCommand? {
    guard let turn else { return nil }
    let rules: [HyprlandRule]
    switch stage {
    case .turnAlone: return turn.rule.map { HyprlandCommand(keywords: [$0.turnKeyword]) }
    case .rules: rules = turn.unmet(in: monitors)
    case .putBack: rules = turn.changed(in: monitors)
    }
    return rules.isEmpty ? nil : HyprlandCommand(rules, in: language)
  }

  private func complained(_ words: String) {
    // The configuration has become another since it was asked for.
    if words.contains("non-legacy"), language == .keywords {
      language = .lua
      return begin(.rules)
    }
    problem = "“\(words.printable())”"
    goOn()
  }

  private func look() {
    readMonitors { [self] in
      guard let turn, completion != nil else { return }
      switch stage {
      case .putBack where turn.changed(in: monitors).isEmpty: finish(.failure(.refused(output, problem)))
      case .rules where turn.unmet(in: monitors).isEmpty, .turnAlone where turn.unmet(in: monitors).isEmpty:
        finish(isThere ? .success(monitors) : .failure(.unplugged(output)))
      case .turnAlone where turn.isTurned(in: monitors): begin(.rules)
      default: lookAgain()
      }
    }
  }

  private var isThere: Bool { monitors.contains { $0.name == output && $0.isActive } }

  private func lookAgain() {
    looks += 1
    guard looks < Self.pauses.count else { return goOn() }
    pause?.arm(at: EventLoop.now + Self.pauses[looks])
  }

  private func goOn() {
    switch stage {
    case .turnAlone:
      needsWholeRule = true
      begin(.rules)
    case .rules: begin(.putBack)
    case .putBack: finish(.failure(.stuck(output, problem)))
    }
  }

  private func readMonitors(then: @escaping () -> Void) {
    exchanges.ask(HyprlandBackend.monitorsRequest) { [self] answer in
      switch answer.map(JSONValue.init) {
      case .success(let value?):
        monitors = value.elements.compactMap(HyprlandMonitor.init)
        then()
      case .success(nil):
        finish(.failure(.unanswered(output, "\(CompositorFailure.garbled("it is not JSON"))")))
      case .failure(let reason): finish(.failure(.unanswered(output, "\(reason)")))
      }
    }
  }

  private func finish(_ result: Result<[HyprlandMonitor], RotationFailure>) {
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
      "Hyprland did not turn \(output), which is as before (\(problem)): give \(output) a monitor rule of its own "
        + "in the Hyprland configuration, and see `hyprctl configerrors`")
  }

  fileprivate static func stuck(_ output: String, _ problem: String) -> Self {
    Self(
      "Hyprland did not turn \(output) (\(problem)), nor put the monitors back: set them right with `hyprctl reload`"
    )
  }

  fileprivate static func unanswered(_ output: String, _ problem: String) -> Self {
    Self(
      "Hyprland does not tell whether it turned \(output) (\(problem)): see whether `hyprctl monitors` answers",
      isInDoubt: true)
  }
}

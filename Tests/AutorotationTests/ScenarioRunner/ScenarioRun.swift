// SPDX-License-Identifier: MIT

import Autorotation

/// Runs a scenario with an Autorotator, and records its actions.
struct ScenarioRun {
  private(set) var log: [(time: Instant, action: Action, mount: PanelMount)] = []
  /// Conditions that did not hold, and deadlines that did not advance.
  private(set) var failures: [ScenarioMistake] = []

  private var machine: Autorotator
  private var world: World
  private var queue: [(time: Instant, number: Int, change: World.WorldChange)] = []
  private var scheduled = 0
  private var checks: ArraySlice<Expectations.Check>
  private var snapshot = Expectations.Snapshot()
  private var now = Instant(nanoseconds: 0)
  /// How long players take to answer.
  private static let askingTime = Duration.milliseconds(20)

  init(_ scenario: Scenario) {
    world = scenario.world
    machine = Autorotator(
      settings: world.settings, lock: world.savedLock, rotatedOutputs: world.savedRotations,
      savedLocks: world.savedPostureLocks)
    checks = scenario.expected.checks.sorted { $0.time < $1.time }[...]
    schedule(at: now) { $0.initialEvents }
    for timedChange in scenario.timedChanges { schedule(at: timedChange.time, timedChange.change) }
    run(until: scenario.end)
  }

  private mutating func schedule(at time: Instant, _ change: @escaping World.WorldChange) {
    scheduled += 1
    let index = queue.firstIndex { time < $0.time } ?? queue.endIndex
    queue.insert((time, scheduled, change), at: index)
  }

  private mutating func run(until end: Instant) {
    while let next = [queue.first?.time, machine.deadline].compactMap({ $0 }).min(), next <= end {
      runChecks(before: next)
      if let deadline = machine.deadline, deadline <= next {
        guard reach(deadline) else { return }
      } else {
        now = next
        let events = queue.removeFirst().change(&world)
        for event in events { perform(machine.handle(event, at: now)) }
      }
    }
    runChecks(before: .never)
  }

  /// - Returns: false if the deadline stays, so that the program would spin.
  private mutating func reach(_ deadline: Instant) -> Bool {
    guard deadline > now || log.isEmpty else { return failSpinning(deadline) }
    now = max(now, deadline)
    perform(machine.handle(.deadlineReached, at: now))
    if let next = machine.deadline, next <= deadline { return failSpinning(deadline) }
    return true
  }

  private mutating func failSpinning(_ deadline: Instant) -> Bool {
    failures.append(.init(line: 1, text: "the deadline at \(deadline.inSeconds) does not move on"))
    return false
  }

  private mutating func perform(_ actions: [Action]) {
    for action in actions {
      log.append((now, action, world.mount(for: action)))
      if case .publish(let status) = action { snapshot.status = status }
      if case .setSensor(let demand) = action { snapshot.demand = demand }
      if let (time, change) = world.answer(action, at: now) { schedule(at: time, change) }
    }
    let events = world.updatePlayerReports(machine.needsPlayers)
    if !events.isEmpty { schedule(at: now + Self.askingTime) { _ in events } }
  }

  private mutating func runChecks(before next: Instant) {
    while let check = checks.first, check.time < next {
      checks.removeFirst()
      guard let actual = check.failure(snapshot) else { continue }
      failures.append(
        .init(line: check.line, text: "\(check.time.inSeconds) \(check.text), but it is: \(actual)"))
    }
  }
}

extension Instant {
  /// To the millisecond: "2.150".
  var inSeconds: String {
    let thousandths = String(milliseconds % 1000 + 1000).dropFirst()
    return "\(milliseconds / 1000).\(thousandths)"
  }

  var milliseconds: Int64 { (nanoseconds + 500_000) / 1_000_000 }
}

// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

/// The posture by switches and hinge. Sequences are in the scenarios.
struct PostureResolverTests {
  private static func input(_ kind: PostureInput.Kind) -> PostureInput {
    PostureInput(kind: kind, name: "\(kind)")
  }

  private static func resolver(
    tablet: Bool? = nil, docked: Bool? = nil, isLidClosed: Bool = false, hinge: Posture = .unknown
  ) -> PostureResolver {
    var evidence = PostureEvidence(isLidClosed: isLidClosed)
    evidence.postures[input(.tabletSwitch)] = tablet.map { $0 ? .tablet : .laptop }
    evidence.postures[input(.dock)] = docked.map { $0 ? .docked : .unknown }
    var resolver = PostureResolver()
    resolver.update(with: evidence, at: Instant(seconds: 1))
    resolver.update(with: HingeReading(hinge), at: Instant(seconds: 1))
    resolver.update(at: Instant(seconds: 1))
    return resolver
  }

  /// Hinge and tablet switch agree.
  private static func fold(
    _ resolver: inout PostureResolver, to posture: Posture, keyboard: Posture? = nil, at now: Instant
  ) {
    var evidence = PostureEvidence([input(.tabletSwitch): posture])
    evidence.postures[input(.keyboard)] = keyboard
    resolver.update(with: HingeReading(posture), at: now)
    resolver.update(with: evidence, at: now)
    resolver.update(at: now)
  }

  @Test(
    arguments: [
      (nil, nil, .unknown, .unknown), (nil, nil, .laptop, .laptop), (nil, nil, .tablet, .tablet),
      (false, nil, .tablet, .laptop), (true, nil, .laptop, .tablet),
      (nil, false, .unknown, .unknown), (nil, true, .unknown, .docked), (false, true, .unknown, .docked),
      (true, true, .unknown, .tablet),
    ] as [(Bool?, Bool?, Posture, Posture)])
  func `switches have priority over the hinge`(tablet: Bool?, docked: Bool?, hinge: Posture, posture: Posture)
  {
    #expect(Self.resolver(tablet: tablet, docked: docked, hinge: hinge).posture == posture)
  }

  /// Two readings a second, only while they are needed.
  @Test func `the hinge stops once both have agreed both ways`() {
    var resolver = Self.resolver(tablet: false, hinge: .laptop)
    var now = Instant(seconds: 1)
    func fold(_ isTablet: Bool) {
      now = now + .seconds(10)
      Self.fold(&resolver, to: isTablet ? .tablet : .laptop, at: now)
    }
    #expect(resolver.needsHinge(at: now))
    fold(true)
    #expect(resolver.needsHinge(at: now + .seconds(9)))
    fold(false)
    #expect(resolver.needsHinge(at: now), "the switch has just changed")
    #expect(resolver.deadline(after: now) == now + PostureResolver.verifyingTime)
    #expect(!resolver.needsHinge(at: now + PostureResolver.verifyingTime))
    #expect(
      resolver.deadline(after: now + PostureResolver.verifyingTime) == nil, "there is no further wake-up")
    fold(true)
    #expect(resolver.needsHinge(at: now), "it is verified each time")
  }

  @Test func `a switch that contradicts the hinge is verified again`() {
    var resolver = Self.resolver(tablet: false, hinge: .laptop)
    for (second, posture) in [(10.0, Posture.tablet), (20, .laptop)] {
      Self.fold(&resolver, to: posture, at: Instant(seconds: second))
    }
    let changed = Instant(seconds: 40)
    #expect(!resolver.needsHinge(at: changed))
    resolver.update(with: PostureEvidence([Self.input(.tabletSwitch): .tablet]), at: changed)
    resolver.update(at: changed)
    resolver.update(at: changed + PostureResolver.contradictionTime)
    #expect(resolver.needsHinge(at: changed + PostureResolver.verifyingTime), "they do not agree")
  }

  /// Both ways were verified for the former one only.
  @Test func `a switch that replaces a verified one is verified as well`() {
    var resolver = Self.resolver(tablet: false, hinge: .laptop)
    for (second, posture) in [(10.0, Posture.tablet), (20, .laptop)] {
      Self.fold(&resolver, to: posture, at: Instant(seconds: second))
    }
    #expect(!resolver.needsHinge(at: Instant(seconds: 39)))
    let other = PostureInput(kind: .tabletSwitch, name: "other")
    resolver.update(with: PostureEvidence([other: .laptop]), at: Instant(seconds: 40))
    resolver.update(at: Instant(seconds: 41))
    #expect(resolver.posture == .laptop && resolver.needsHinge(at: Instant(seconds: 60)))
  }

  @Test func `a switch that the settings choose instead of a verified one is verified as well`() {
    var resolver = PostureResolver()
    let other = PostureInput(kind: .keys, name: "other")
    for (second, posture) in [(1.0, Posture.laptop), (10, .tablet), (20, .laptop)] {
      let now = Instant(seconds: second)
      resolver.update(with: HingeReading(posture), at: now)
      resolver.update(with: PostureEvidence([Self.input(.tabletSwitch): posture, other: posture]), at: now)
      resolver.update(at: now)
    }
    let later = Instant(seconds: 40)
    #expect(!resolver.needsHinge(at: later))
    resolver.choice = .automatic
    #expect(!resolver.needsHinge(at: later), "it is the same choice")
    resolver.choice = .named("other")
    resolver.update(at: later)
    #expect(resolver.posture == .laptop && resolver.needsHinge(at: later))
  }

  /// The switch of a tablet does not change when the tablet is put up as a tent.
  @Test func `the folded hinge is measured if tents matter`() {
    var resolver = Self.resolver(tablet: false, hinge: .laptop)
    for (second, posture) in [(10.0, Posture.tablet), (20, .laptop), (30, .tablet)] {
      Self.fold(&resolver, to: posture, at: Instant(seconds: second))
    }
    let later = Instant(seconds: 60)
    #expect(!resolver.needsHinge(at: later))
    resolver.needsTabletShape = true
    #expect(resolver.needsHinge(at: later))
    resolver.update(with: PostureEvidence([Self.input(.tabletSwitch): .laptop]), at: later)
    resolver.update(at: later)
    #expect(!resolver.needsHinge(at: later + .seconds(9)))
  }

  @Test func `a switch that reports a tent is used`() {
    var resolver = PostureResolver()
    resolver.update(with: PostureEvidence([Self.input(.tabletSwitch): .tent]), at: Instant(seconds: 1))
    resolver.update(at: Instant(seconds: 1))
    #expect(resolver.posture == .tent)
    #expect(resolver.readings(at: Instant(seconds: 1)).map(\.isUsed) == [true])
    let other = PostureInput(kind: .tabletSwitch, name: "other")
    resolver.update(
      with: PostureEvidence([Self.input(.tabletSwitch): .tent, other: .stand]), at: Instant(seconds: 2))
    resolver.update(at: Instant(seconds: 3))
    #expect(resolver.posture == .tablet || resolver.posture == .stand)
  }

  @Test func `the hinge is measured once a verified switch is ignored`() {
    var resolver = Self.resolver(tablet: false, hinge: .laptop)
    for (second, posture) in [(10.0, Posture.tablet), (20, .laptop)] {
      Self.fold(&resolver, to: posture, at: Instant(seconds: second))
    }
    let later = Instant(seconds: 40)
    #expect(!resolver.needsHinge(at: later))
    resolver.choice = .none
    #expect(resolver.needsHinge(at: later))
  }

  @Test func `without a switch the hinge is measured`() {
    #expect(Self.resolver().needsHinge(at: .never))
    #expect(Self.resolver(docked: true).needsHinge(at: .never))
    #expect(Self.resolver(isLidClosed: true).isLidClosed)
  }

  @Test func `a dead switch keeps the hinge measured`() {
    var resolver = Self.resolver(tablet: false, hinge: .laptop)
    for (second, posture) in [(10.0, Posture.tablet), (20, .laptop), (30, .tablet), (40, .laptop)] {
      resolver.update(with: HingeReading(posture), at: Instant(seconds: second))
      resolver.update(at: Instant(seconds: second))
      resolver.update(at: Instant(seconds: second + 5))
      #expect(resolver.posture == posture)
      #expect(resolver.needsHinge(at: Instant(seconds: second + 9)))
    }
  }

  @Test func `only the input that the posture comes from is reported as used`() {
    let docked = Self.resolver(tablet: false, docked: true, hinge: .laptop)
    let readings = docked.readings(at: Instant(seconds: 1))
    #expect(readings.filter(\.isUsed).map(\.input?.kind) == [.dock])
  }

  @Test func `switches are listed by their names`() {
    var resolver = PostureResolver()
    let switches = ["b", "d", "a", "c"].map { PostureInput(kind: .tabletSwitch, name: $0) }
    let postures = Dictionary(uniqueKeysWithValues: switches.map { ($0, Posture.tablet) })
    resolver.update(with: PostureEvidence(postures), at: Instant(seconds: 1))
    let names = resolver.readings(at: Instant(seconds: 1)).map { $0.input?.name ?? "" }
    #expect(names == ["a", "b", "c", "d"])
  }

  @Test func `a switch that the hinge overrides is reported as unused`() {
    var resolver = Self.resolver(tablet: false, hinge: .laptop)
    resolver.update(with: HingeReading(.tablet), at: Instant(seconds: 10))
    resolver.update(at: Instant(seconds: 10))
    let readings = resolver.readings(at: Instant(seconds: 10))
    #expect(readings.filter(\.isUsed).map(\.posture) == [.tablet])
  }

  @Test func `a switch whose state is unknown contradicts no hinge`() {
    var resolver = PostureResolver()
    resolver.update(with: PostureEvidence([Self.input(.tabletSwitch): .unknown]), at: Instant(seconds: 1))
    for (second, posture) in [(1.0, Posture.tablet), (10, .laptop), (20, .laptop)] {
      resolver.update(with: HingeReading(posture), at: Instant(seconds: second))
      resolver.update(at: Instant(seconds: second))
    }
    #expect(resolver.newProblems(at: Instant(seconds: 20)).isEmpty)
  }

  /// The second switch of some machines is dead.
  @Test func `only the switch that has changed is reported as used`() {
    var resolver = PostureResolver()
    let (dead, good) = (
      PostureInput(kind: .tabletSwitch, name: "a"), PostureInput(kind: .tabletSwitch, name: "b")
    )
    for (second, posture) in [(1.0, Posture.laptop), (10, .tablet)] {
      resolver.update(with: PostureEvidence([dead: .laptop, good: posture]), at: Instant(seconds: second))
      resolver.update(at: Instant(seconds: second))
    }
    #expect(resolver.readings(at: Instant(seconds: 10)).map(\.isUsed) == [false, true])
  }

  @Test func `keys that the settings name are reported as used`() {
    var resolver = PostureResolver()
    resolver.choice = .named("keys")
    let evidence = PostureEvidence([Self.input(.keys): .tablet, Self.input(.dock): .unknown])
    resolver.update(with: evidence, at: Instant(seconds: 1))
    resolver.update(at: Instant(seconds: 1))
    let readings = resolver.readings(at: Instant(seconds: 1))
    #expect(readings.filter(\.isUsed).map(\.input?.kind) == [.keys])
  }

  /// A keyboard is detached while the hinge is still measured after the switch has changed.
  @Test func `the next wake-up is the earliest of all inputs`() {
    var resolver = PostureResolver()
    for (second, posture) in [(1.0, Posture.laptop), (10, .tablet), (20, .laptop)] {
      Self.fold(&resolver, to: posture, keyboard: .laptop, at: Instant(seconds: second))
    }
    Self.fold(&resolver, to: .laptop, keyboard: .tablet, at: Instant(seconds: 21))
    let detached = Instant(seconds: 21) + DebouncedPosture.contactTime
    #expect(resolver.deadline(after: Instant(seconds: 21)) == detached)
    resolver.update(at: detached)
    #expect(resolver.deadline(after: detached) == Instant(seconds: 20) + PostureResolver.verifyingTime)
  }

  /// Two changes; the second one is used at once unless it comes within 0.3 s.
  @Test(arguments: [(0.299, Posture.tablet), (0.3, .laptop)])
  func `a switch that changes again at once is debounced`(_ seconds: Double, _ posture: Posture) {
    var state = DebouncedPosture(.laptop, isLate: false, at: Instant(seconds: 1))
    state.change(to: .tablet, at: Instant(seconds: 10))
    state.change(to: .laptop, at: Instant(seconds: 10 + seconds))
    #expect(state.debounced == posture)
  }

  /// Seconds: the first change, and the time from one to the next.
  @Test(arguments: [(0.1, 0.1, 10, false), (10, 0.5, 10, false), (10, 0.5, 11, true), (10, 0.51, 11, false)])
  func `eleven changes within five seconds are flapping`(
    _ first: Double, _ step: Double, _ count: Int, _ isFlapping: Bool
  ) {
    var state = DebouncedPosture(.laptop, isLate: false, at: Instant(seconds: 0))
    for number in 0..<count {
      let moment = Instant(seconds: first + step * Double(number))
      state.change(to: number % 2 == 0 ? .tablet : .laptop, at: moment)
    }
    #expect(state.isFlapping == isFlapping)
  }

  /// Each switch is verified when it changes.
  @Test func `the hinge is measured after the last of two switches has changed`() {
    var resolver = PostureResolver()
    let second = PostureInput(kind: .tabletSwitch, name: "second")
    func report(_ first: Posture, _ other: Posture, at seconds: Double) {
      let now = Instant(seconds: seconds)
      resolver.update(with: HingeReading(first), at: now)
      resolver.update(with: PostureEvidence([Self.input(.tabletSwitch): first, second: other]), at: now)
      resolver.update(at: now)
    }
    report(.laptop, .laptop, at: 1)
    report(.tablet, .tablet, at: 10)
    report(.laptop, .laptop, at: 20)
    report(.tablet, .laptop, at: 30)
    report(.tablet, .tablet, at: 32)
    #expect(resolver.needsHinge(at: Instant(seconds: 37)))
    #expect(!resolver.needsHinge(at: Instant(seconds: 38)))
  }
}

// SPDX-License-Identifier: MIT

import Autorotation

/// Which of two sensors is used: the accelerometer itself where it can be read, else iio-sensor-proxy. Events
/// go in, the choice comes out; it neither reads nor waits.
///
///     the accelerometer   the proxy    who runs
///     asked               unasked      the accelerometer
///     works               (forgotten)  the accelerometer
///     fails               asked        the accelerometer, and the proxy is watched
///     fails               works        the proxy, claimed
///     asked again         any          the accelerometer, and the proxy is watched (the claim may be what keeps
///                                      the accelerometer busy)
///     fails               fails        both: each tries again by itself, and the first that works is used
nonisolated struct SensorChooser: Equatable {
  enum Accelerometer: Equatable {
    case asked
    case works(name: String)
    case fails(Message)
  }

  enum Proxy: Equatable {
    case unasked, asked, works
    case fails(Message)
  }

  enum Event: Equatable {
    case found(name: String)
    case lost(Message)
    case proxyFound
    case proxyLost(Message)
    /// Sensors have come or gone, or enough time has passed: is the accelerometer free again?
    case askAgain
    /// It took too long to answer.
    case keptWaiting
  }

  /// How much of the proxy runs: nothing, only the watch for its presence, or everything.
  enum ProxyRole { case stopped, watched, claimed }

  enum Outcome: Equatable {
    case undecided
    case accelerometer(name: String)
    /// And why it is not the accelerometer.
    case proxy(Message)
    case nothing(Message)
  }

  private(set) var accelerometer = Accelerometer.asked
  private(set) var proxy = Proxy.unasked
  private var latestFailure = Message.noAccelerometer

  mutating func handle(_ event: Event) {
    switch event {
    case .found(let name):
      accelerometer = .works(name: name)
      proxy = .unasked
    case .lost(let failure): fail(failure)
    case .proxyFound: if proxy != .unasked { proxy = .works }
    case .proxyLost(let failure): loseProxy(failure)
    case .askAgain: if outcome.isProxy { accelerometer = .asked }
    case .keptWaiting: if isTrying { fail(latestFailure) }
    }
  }

  private mutating func fail(_ failure: Message) {
    latestFailure = failure
    accelerometer = .fails(failure)
    if proxy == .unasked { proxy = .asked }
  }

  private mutating func loseProxy(_ failure: Message) {
    guard proxy != .unasked else { return }
    if outcome.isProxy { accelerometer = .asked }
    proxy = .fails(failure)
  }

  /// The accelerometer is asked while the proxy stands by.
  var isTrying: Bool { accelerometer == .asked && proxy == .works }

  var runsAccelerometer: Bool { !outcome.isProxy }

  var proxyRole: ProxyRole {
    switch (accelerometer, proxy) {
    case (_, .unasked): .stopped
    case (.fails, .works), (.fails, .fails): .claimed
    default: .watched
    }
  }

  var outcome: Outcome {
    switch (accelerometer, proxy) {
    case (.works(let name), _): .accelerometer(name: name)
    case (.fails(let failure), .works): .proxy(failure)
    case (.fails(let failure), .fails(let proxyFailure)):
      .nothing(Self.message(failure, proxyFailure))
    default: .undecided
    }
  }

  /// Of the two next steps, the one that helps more: the proxy's, if we could get the proxy but not the accelerometer.
  private static func message(_ failure: Message, _ proxyFailure: Message) -> Message {
    proxyFailure.raisesSuspicion && [.sensorNone, .sensorBusy].contains(failure.code)
      ? proxyFailure : failure
  }
}

nonisolated extension SensorChooser.Outcome {
  var isProxy: Bool { if case .proxy = self { true } else { false } }
}

// SPDX-License-Identifier: MIT

import Autorotation

/// Chooses between the accelerometer, where it can be read, and iio-sensor-proxy. A pure state machine without I/O or
/// timers.
///
///     accelerometer   proxy       running
///     pending         unused      the accelerometer
///     works           (unused)    the accelerometer
///     fails           pending     the accelerometer, and the proxy is watched
///     fails           works       the proxy, claimed
///     pending again   any         the accelerometer, and the proxy is watched (the claim may keep the accelerometer
///                                 busy)
///     fails           fails       both: each retries, and the first that works is used
nonisolated struct SensorChooser: Equatable {
  enum Accelerometer: Equatable {
    case pending
    case works(name: String)
    case fails(Message)
  }

  enum Proxy: Equatable {
    case unused, pending, works
    case fails(Message)
  }

  enum Event: Equatable {
    case accelerometerFound(name: String)
    case accelerometerLost(Message)
    case proxyFound
    case proxyLost(Message)
    /// Sensors have been added or removed, or enough time has passed: the accelerometer may be free again.
    case retry
    /// The retried accelerometer has reported nothing in time.
    case timedOut
  }

  /// How the proxy is used: not at all, only watched for its presence, or claimed.
  enum ProxyRole { case stopped, watched, claimed }

  enum Outcome: Equatable {
    case undecided
    case accelerometer(name: String)
    /// The message says why the accelerometer is not used.
    case proxy(Message)
    case noSensor(Message)

    var isProxy: Bool { if case .proxy = self { true } else { false } }
  }

  private(set) var accelerometer = Accelerometer.pending
  private(set) var proxy = Proxy.unused
  private var latestFailure = Message.noAccelerometer

  mutating func handle(_ event: Event) {
    switch event {
    case .accelerometerFound(let name):
      accelerometer = .works(name: name)
      proxy = .unused
    case .accelerometerLost(let failure): fail(failure)
    case .proxyFound: if proxy != .unused { proxy = .works }
    case .proxyLost(let failure): loseProxy(failure)
    case .retry: if outcome.isProxy { accelerometer = .pending }
    case .timedOut: if isRetrying { fail(latestFailure) }
    }
  }

  private mutating func fail(_ failure: Message) {
    latestFailure = failure
    accelerometer = .fails(failure)
    if proxy == .unused { proxy = .pending }
  }

  private mutating func loseProxy(_ failure: Message) {
    guard proxy != .unused else { return }
    if outcome.isProxy { accelerometer = .pending }
    proxy = .fails(failure)
  }

  /// Whether the accelerometer is being retried while the proxy would work.
  var isRetrying: Bool { accelerometer == .pending && proxy == .works }

  var runsAccelerometer: Bool { !outcome.isProxy }

  var proxyRole: ProxyRole {
    switch (accelerometer, proxy) {
    case (_, .unused): .stopped
    case (.fails, .works), (.fails, .fails): .claimed
    default: .watched
    }
  }

  var outcome: Outcome {
    switch (accelerometer, proxy) {
    case (.works(let name), _): .accelerometer(name: name)
    case (.fails(let failure), .works): .proxy(failure)
    case (.fails(let failure), .fails(let proxyFailure)): .noSensor(Self.message(failure, proxyFailure))
    default: .undecided
    }
  }

  /// Chooses the failure that the user can do more about: the proxy's, if it runs and delivers nothing while the kernel
  /// offers no free accelerometer.
  private static func message(_ failure: Message, _ proxyFailure: Message) -> Message {
    proxyFailure.needsConfirmation && [.sensorNone, .sensorBusy].contains(failure.code)
      ? proxyFailure : failure
  }
}

// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// Reports the posture of the device: from the kernel's switches, which cost nothing, or, where there are none and
/// somebody needs it, from the angle that the sensor source measures.
package final class PostureSource {
  private let loop: EventLoop
  private let notice: (Message) -> Void
  private let watchHinge: (HingeWatch) -> Void

  private var report: ((Posture) -> Void)?
  private var monitor: UdevMonitor?
  private var devices: [SwitchDevice] = []
  private var refusal: Message?
  private var told: Set<Message> = []
  private var evidence = PostureEvidence()
  private var posture = Posture.unknown
  private var watch = HingeWatch.off

  /// - Parameters:
  ///   - notice: is told what is wrong but not fatal.
  ///   - watchHinge: lets the sensor source measure the hinge, which answers through `update(hinge:)`.
  package init(
    loop: EventLoop, notice: @escaping (Message) -> Void, watchHinge: @escaping (HingeWatch) -> Void
  ) {
    self.loop = loop
    self.notice = notice
    self.watchHinge = watchHinge
  }

  /// - Parameter report: is called once for each change; the posture is unknown at first.
  package func start(_ report: @escaping (Posture) -> Void) {
    self.report = report
    // Without udev (in a container), the switches found at the start have to suffice.
    monitor = try? UdevMonitor(subsystem: "input", loop: loop) { [weak self] in self?.look() }
    look()
  }

  package func stop() {
    report = nil
    monitor = nil
    devices = []
  }

  /// Whether anything depends on the posture now.
  package var isNeeded = false {
    didSet {
      guard isNeeded != oldValue else { return }
      // Permission may have come with the seat, which udev does not announce.
      if isNeeded, refusal != nil { look() } else { conclude() }
    }
  }

  /// The posture that the sensor source derives from the hinge.
  package func update(hinge: Posture) {
    evidence.hinge = hinge
    conclude()
  }

  private func look() {
    let candidates = SwitchCandidate.all()
    refusal = nil
    devices = candidates.compactMap { candidate in
      devices.first { $0.candidate == candidate } ?? open(candidate)
    }
    conclude()
  }

  private func open(_ candidate: SwitchCandidate) -> SwitchDevice? {
    do {
      return try SwitchDevice(candidate, loop: loop) { [weak self] device, isGone in
        if isGone { self?.devices.removeAll { $0 === device } }
        self?.conclude()
      }
    } catch {
      if candidate.switches.contains(.tablet) { refusal = Self.refusal(of: candidate, error) }
      return nil
    }
  }

  private static func refusal(of candidate: SwitchCandidate, _ error: any Error) -> Message {
    Message(
      .postureUnknown,
      "Whether this device is folded cannot be told: its tablet switch (\(candidate.name)) cannot be read "
        + "(\(error)). Until then it counts as a tablet. The udev rule 61-autorotate.rules lets the person at the "
        + "screen read it; it is in use once it is installed and the machine has been started again")
  }

  private func conclude() {
    evidence.present = SwitchSet(devices.map(\.candidate.switches))
    evidence.on = SwitchSet(devices.map(\.on))
    adjustHinge()
    if evidence.posture != posture {
      posture = evidence.posture
      report?(posture)
    }
    complain()
  }

  private func adjustHinge() {
    let needed = report == nil ? .off : evidence.hingeWatch(isNeeded: isNeeded)
    guard needed != watch else { return }
    watch = needed
    if needed == .off { evidence.hinge = .unknown }
    watchHinge(needed)
  }

  private func complain() {
    guard isNeeded, posture == .unknown, let refusal, told.insert(refusal).inserted else { return }
    notice(refusal)
  }
}

/// All that is known about the shape of the device.
nonisolated struct PostureEvidence: Equatable {
  /// The switches that can be read.
  var present: SwitchSet = []
  /// Those of them that are on.
  var on: SwitchSet = []
  /// What the angle between display and base says.
  var hinge = Posture.unknown

  /// The firmware comes first: it also knows a detached keyboard, and does not guess. Folded comes before docked,
  /// since some firmware calls any keyboard a dock.
  var posture: Posture {
    if on.contains(.tablet) { return .tablet }
    if on.contains(.docked) { return .docked }
    return present.contains(.tablet) ? .laptop : hinge
  }

  /// How the hinge is to be watched; not at all where a switch does it for nothing.
  func hingeWatch(isNeeded: Bool) -> HingeWatch {
    guard isNeeded, !present.contains(.tablet) else { return .off }
    return on.contains(.lidClosed) ? .lidClosed : .lidOpen
  }
}

/// Whether the angle between display and base is measured, which costs two readings a second.
nonisolated package enum HingeWatch: Equatable, Sendable {
  case off
  /// The lid is open, as far as is known.
  case lidOpen
  case lidClosed
}

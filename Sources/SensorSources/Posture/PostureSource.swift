// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// Reports the posture from input devices: the kernel's switches, which cause no wake-ups, and the keys of the device
/// that the settings name.
package final class PostureSource {
  private let loop: EventLoop
  private let notice: (Message) -> Void

  private var report: ((PostureEvidence) -> Void)?
  private var monitor: UdevMonitor?
  private var devices: [PostureDevice] = []
  private var refusal: Message?
  private var reportedProblems: Set<Message> = []
  private var evidence: PostureEvidence?

  /// - Parameter notice: called for problems that are not fatal.
  package init(loop: EventLoop, notice: @escaping (Message) -> Void) {
    self.loop = loop
    self.notice = notice
  }

  /// - Parameter report: called at once, and then for each change.
  package func start(_ report: @escaping (PostureEvidence) -> Void) {
    self.report = report
    // Without udev (in a container), only the devices found at the start are used.
    monitor = try? UdevMonitor(subsystem: "input", loop: loop) { [weak self] in self?.updateDevices() }
    updateDevices()
  }

  package func stop() {
    report = nil
    monitor = nil
    devices = []
  }

  /// Which device reports folding, from the settings.
  package var choice = TabletSwitchChoice.automatic {
    didSet { if choice != oldValue, report != nil { updateDevices() } }
  }

  /// The name of the keyboard or cover without which the device is a tablet.
  package var keyboard: String? {
    didSet { if keyboard != oldValue, report != nil { updateDevices() } }
  }
  private var isKeyboardConnected = false

  /// Whether anything uses the posture now.
  package var isNeeded = false {
    didSet {
      guard isNeeded != oldValue else { return }
      // Access may have been granted with the seat, which udev does not report.
      if isNeeded, refusal != nil { updateDevices() }
      reportRefusal()
    }
  }

  /// Call it when the session becomes active, since access to devices is granted with the seat, which udev does not
  /// report.
  package func recheck() {
    if report != nil { updateDevices() }
  }

  private func updateDevices() {
    refusal = nil
    isKeyboardConnected = keyboard.map(KernelInput.isConnected) ?? false
    devices = PostureCandidate.all(choice).compactMap { candidate in
      devices.first { $0.candidate == candidate } ?? open(candidate)
    }
    reportEvidence()
    reportRefusal()
  }

  private func open(_ candidate: PostureCandidate) -> PostureDevice? {
    do {
      return try PostureDevice(candidate, loop: loop) { [weak self] device, isGone in
        if isGone { self?.devices.removeAll { $0 === device } }
        self?.reportEvidence()
      }
    } catch {
      if candidate.reportsFolding { refusal = Self.refusal(of: candidate, error) }
      return nil
    }
  }

  private static func refusal(of candidate: PostureCandidate, _ error: any Error) -> Message {
    guard candidate.switches.contains(.tablet) else {
      return Message(
        .postureUnknown,
        "It is unknown whether this device is folded: the keys of “\(candidate.name)” cannot be "
          + "read (\(error))",
        next: "if you trust your programs with these keys, allow reading them with the udev rule in "
          + "autorotate(5), under switch")
    }
    return Message(
      .postureUnknown,
      "It is unknown whether this device is folded: its tablet switch (\(candidate.name)) cannot "
        + "be read (\(error)), so it is treated as a tablet",
      next: PostureInspection.stepIfRefused())
  }

  private func reportEvidence() {
    var now = PostureEvidence(
      Dictionary(devices.flatMap(\.readings)) { first, _ in first },
      isLidClosed: devices.contains { $0.on.contains(.lidClosed) })
    if let keyboard {
      now.postures[PostureInput(kind: .keyboard, name: keyboard)] = isKeyboardConnected ? .laptop : .tablet
    }
    guard now != evidence else { return }
    evidence = now
    report?(now)
  }

  private func reportRefusal() {
    guard isNeeded, let refusal, reportedProblems.insert(refusal).inserted else { return }
    notice(refusal)
  }
}

// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// Reports what the input devices tell of the posture: the kernel's switches, which cost nothing, and the keys that the
/// settings name.
package final class PostureSource {
  private let loop: EventLoop
  private let notice: (Message) -> Void

  private var report: ((PostureEvidence) -> Void)?
  private var monitor: UdevMonitor?
  private var devices: [PostureDevice] = []
  private var refusal: Message?
  private var told: Set<Message> = []
  private var evidence: PostureEvidence?

  /// - Parameter notice: is told what is wrong but not fatal.
  package init(loop: EventLoop, notice: @escaping (Message) -> Void) {
    self.loop = loop
    self.notice = notice
  }

  /// - Parameter report: is called at once, and then for each change.
  package func start(_ report: @escaping (PostureEvidence) -> Void) {
    self.report = report
    // Without udev (in a container), the devices found at the start have to suffice.
    monitor = try? UdevMonitor(subsystem: "input", loop: loop) { [weak self] in self?.look() }
    look()
  }

  package func stop() {
    report = nil
    monitor = nil
    devices = []
  }

  /// Which devices tell of folding, by the settings.
  package var choice = TabletSwitchChoice.automatic {
    didSet { if choice != oldValue, report != nil { look() } }
  }

  /// The name of the keyboard or cover without which the device is a tablet.
  package var keyboard: String? {
    didSet { if keyboard != oldValue, report != nil { look() } }
  }
  private var isKeyboardThere = false

  /// Whether anything depends on the posture now.
  package var isNeeded = false {
    didSet {
      guard isNeeded != oldValue else { return }
      // Permission may have come with the seat, which udev does not announce.
      if isNeeded, refusal != nil { look() }
      complain()
    }
  }

  private func look() {
    refusal = nil
    isKeyboardThere = keyboard.map(KernelInput.isThere) ?? false
    devices = PostureCandidate.all(choice).compactMap { candidate in
      devices.first { $0.candidate == candidate } ?? open(candidate)
    }
    tell()
    complain()
  }

  private func open(_ candidate: PostureCandidate) -> PostureDevice? {
    do {
      return try PostureDevice(candidate, loop: loop) { [weak self] device, isGone in
        if isGone { self?.devices.removeAll { $0 === device } }
        self?.tell()
      }
    } catch {
      if candidate.tellsOfFolding { refusal = Self.refusal(of: candidate, error) }
      return nil
    }
  }

  private static func refusal(of candidate: PostureCandidate, _ error: any Error) -> Message {
    guard candidate.switches.contains(.tablet) else {
      return Message(
        .postureUnknown,
        "Whether this device is folded cannot be told: the keys of “\(candidate.name)” cannot be read (\(error))",
        next:
          "if you trust your programs with them, give yourself the right by a udev rule: autorotate(5) has it "
          + "under switch")
    }
    return Message(
      .postureUnknown,
      "Whether this device is folded cannot be told: its tablet switch (\(candidate.name)) cannot be read "
        + "(\(error)). Until then it counts as a tablet. The udev rule 61-autorotate.rules lets the person at the "
        + "screen read it; it is in use once it is installed and the machine has been started again")
  }

  private func tell() {
    var now = PostureEvidence(
      Dictionary(devices.flatMap(\.words)) { first, _ in first },
      isLidClosed: devices.contains { $0.on.contains(.lidClosed) })
    if let keyboard {
      now.postures[PostureWitness(kind: .keyboard, name: keyboard)] = isKeyboardThere ? .laptop : .tablet
    }
    guard now != evidence else { return }
    evidence = now
    report?(now)
  }

  private func complain() {
    guard isNeeded, let refusal, told.insert(refusal).inserted else { return }
    notice(refusal)
  }
}

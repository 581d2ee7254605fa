// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// Reports when a pen comes near the screen, as the kernel tells it, where the person may read that. It costs nothing
/// while no pen comes or goes.
package final class PenSource {
  private let loop: EventLoop
  private let notice: (Message) -> Void
  /// Whether a pen of this name counts.
  private let counts: (String) -> Bool

  private var report: ((Event) -> Void)?
  private var monitor: UdevMonitor?
  private var devices: [PenDevice] = []
  private var told: Set<Message> = []
  private var isNear = false

  /// - Parameter notice: is told what is wrong but not fatal.
  package init(
    loop: EventLoop, notice: @escaping (Message) -> Void, counts: @escaping (String) -> Bool = { _ in true }
  ) {
    self.loop = loop
    self.notice = notice
    self.counts = counts
  }

  /// - Parameter report: is told `penCame` and `penLeft`.
  package func start(_ report: @escaping (Event) -> Void) {
    self.report = report
    // Without udev (in a container), the devices found at the start have to suffice.
    monitor = try? UdevMonitor(subsystem: "input", loop: loop) { [weak self] in self?.look() }
    look()
  }

  package func stop() {
    if isNear { report?(.penLeft) }
    isNear = false
    report = nil
    monitor = nil
    devices = []
  }

  private func look() {
    devices = PenCandidate.all.filter { counts($0.name) }.compactMap { candidate in
      devices.first { $0.candidate == candidate } ?? open(candidate)
    }
    tell()
  }

  private func open(_ candidate: PenCandidate) -> PenDevice? {
    do {
      return try PenDevice(candidate, loop: loop) { [weak self] device, isGone in
        if isGone { self?.devices.removeAll { $0 === device } }
        self?.tell()
      }
    } catch {
      let refusal = Message.penNotTold(candidate.name, candidate.path)
      if told.insert(refusal).inserted { notice(refusal) }
      return nil
    }
  }

  private func tell() {
    let isNear = devices.contains(where: \.isNear)
    guard isNear != self.isNear else { return }
    self.isNear = isNear
    report?(isNear ? .penCame : .penLeft)
  }
}

extension Message {
  /// The line of udev that lets the person at the screen read pens.
  nonisolated private static let rule =
    #"SUBSYSTEM=="input", KERNEL=="event*", ENV{ID_INPUT_TABLET}=="1", TAG+="uaccess""#

  nonisolated static func penNotTold(_ name: String, _ path: String) -> Self {
    Self(
      .penNotTold, "“\(name)” (\(path)) may not be read by your user, so touch stays on near it",
      next:
        "if you trust your programs with what you write, put this line into /etc/udev/rules.d/61-autorotate-pen.rules "
        + "and start the machine again: \(rule)")
  }
}

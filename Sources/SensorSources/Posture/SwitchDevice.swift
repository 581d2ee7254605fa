// SPDX-License-Identifier: MIT

import Autorotation
import CEvdev
import CSystemd
import Glibc
import System

/// An input device with switches, before it is opened.
struct SwitchCandidate: Equatable {
  /// "/dev/input/event6".
  let path: String
  /// "Intel HID switches".
  let name: String
  let switches: SwitchSet

  /// All that the kernel has now. The kernel is asked directly, so that this works without udev too.
  static func all() -> [Self] {
    var enumerator: OpaquePointer?
    guard sd_device_enumerator_new(&enumerator) >= 0, let enumerator else { return [] }
    defer { sd_device_enumerator_unref(enumerator) }
    sd_device_enumerator_allow_uninitialized(enumerator)
    sd_device_enumerator_add_match_subsystem(enumerator, "input", 1)
    sd_device_enumerator_add_match_sysname(enumerator, "event*")
    let devices = sequence(
      first: sd_device_enumerator_get_device_first(enumerator),
      next: { $0 == nil ? nil : .some(sd_device_enumerator_get_device_next(enumerator)) })
    return devices.compactMap { $0.flatMap(Self.init) }
  }

  /// - Parameter device: belongs to its enumerator.
  private init?(_ device: OpaquePointer) {
    var path: UnsafePointer<CChar>?
    var input: OpaquePointer?
    guard sd_device_get_devname(device, &path) >= 0, let path,
      sd_device_get_parent(device, &input) >= 0, let input
    else { return nil }
    switches = SwitchSet(capabilities: Self.attribute("capabilities/sw", of: input) ?? "")
    guard !switches.isEmpty else { return nil }
    self.path = String(cString: path)
    name = Self.attribute("name", of: input)?.printable() ?? self.path
  }

  private static func attribute(_ name: String, of device: OpaquePointer) -> String? {
    var value: UnsafePointer<CChar>?
    guard sd_device_get_sysattr_value(device, name, &value) >= 0, let value else { return nil }
    return String(cString: value)
  }
}

/// An input device whose switches the loop watches. Costs nothing while none of them moves.
final class SwitchDevice {
  let candidate: SwitchCandidate
  /// Those that are on.
  private(set) var on: SwitchSet = []

  private let descriptor: Int32
  private var source: EventSource?
  private let onChange: (SwitchDevice, _ isGone: Bool) -> Void

  /// - Throws: `SystemError`, with EACCES where the person may not read it.
  init(
    _ candidate: SwitchCandidate, loop: EventLoop, onChange: @escaping (SwitchDevice, _ isGone: Bool) -> Void
  ) throws {
    self.candidate = candidate
    self.onChange = onChange
    descriptor = open(candidate.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: "open \(candidate.path)", code: errno) }
    guard readStates() else { throw SystemError(call: "EVIOCGSW", code: errno) }
    source = try loop.watch(descriptor) { [weak self] in self?.receive() }
  }

  isolated deinit {
    source?.cancel()
    if descriptor >= 0 { close(descriptor) }
  }

  /// The events only tell that something has changed: the state itself cannot be missed, whatever
  /// was dropped from the queue.
  private func receive() {
    let isThere = drain() && readStates()
    if !isThere { source?.cancel() }
    onChange(self, !isThere)
  }

  /// - Returns: whether the device is still there.
  private func drain() -> Bool {
    let size = 64 * MemoryLayout<input_event>.stride
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { events in
      var count = size
      while count == size { count = read(descriptor, events.baseAddress, size) }
      return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
    }
  }

  private func readStates() -> Bool {
    let states = evdev_switch_states(descriptor)
    guard states >= 0 else { return false }
    on = SwitchSet(rawValue: UInt(states)).intersection(candidate.switches)
    return true
  }
}

/// Those of the kernel's switches that tell the shape of a device.
nonisolated struct SwitchSet: OptionSet {
  let rawValue: UInt

  static let lidClosed = Self(rawValue: 1 << UInt(SW_LID))
  static let tablet = Self(rawValue: 1 << UInt(SW_TABLET_MODE))
  static let docked = Self(rawValue: 1 << UInt(SW_DOCK))
  static let all: Self = [.lidClosed, .tablet, .docked]
}

nonisolated extension SwitchSet {
  /// - Parameter capabilities: the kernel's bit mask in hexadecimal words, the highest first: "1 0", "2".
  init(capabilities: String) {
    let lowest = capabilities.split(whereSeparator: \.isWhitespace).last
    self = Self(rawValue: lowest.flatMap { UInt($0, radix: 16) } ?? 0).intersection(.all)
  }
}

/// An input device that tells whether the machine is folded: the kernel's SW_TABLET_MODE.
nonisolated package struct TabletSwitch: Equatable, Sendable {
  package var name: String
  /// "/dev/input/event5"
  package var node: String
  /// Whether this user may read it.
  package var isReadable: Bool

  package init(name: String, node: String, isReadable: Bool) {
    self.name = name
    self.node = node
    self.isReadable = isReadable
  }

  /// All there are.
  @MainActor
  package static func look() -> [Self] {
    SwitchCandidate.all().filter { $0.switches.contains(.tablet) }.map {
      Self(name: $0.name, node: $0.path, isReadable: access($0.path, R_OK) == 0)
    }
  }
}

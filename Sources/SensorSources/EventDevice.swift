// SPDX-License-Identifier: MIT

import Autorotation
import CEvdev
import Glibc
package import System

/// An input device of the kernel, /dev/input/event*, whose events the loop receives.
/// It causes no wake-ups without events.
final class EventDevice {
  /// Events in one read.
  private static let batch = 64

  let descriptor: Int32
  private var source: EventSource?

  /// - Throws: `SystemError`, with EACCES if the user may not read it.
  init(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: "open \(path)", code: errno) }
  }

  isolated deinit {
    source?.cancel()
    if descriptor >= 0 { close(descriptor) }
  }

  /// - Parameters:
  ///   - receive: called for each event.
  ///   - changed: called once for all events that came together; `isConnected` is `false` when the device is gone. Then
  ///     it has to be released, since it would wake the loop without end.
  func watch(
    on loop: EventLoop, receive: @escaping (input_event) -> Void = { _ in },
    changed: @escaping (_ isConnected: Bool) -> Void
  ) throws {
    source = try loop.watch(descriptor) { [weak self] in
      guard let self else { return }
      changed(drain(receive))
    }
  }

  /// - Returns: whether the device is still there.
  private func drain(_ receive: (input_event) -> Void) -> Bool {
    let size = Self.batch * MemoryLayout<input_event>.stride
    return withUnsafeTemporaryAllocation(of: input_event.self, capacity: Self.batch) { events in
      var count = size
      while count == size {
        count = read(descriptor, events.baseAddress, size)
        for index in 0..<max(0, count / MemoryLayout<input_event>.stride) { receive(events[index]) }
      }
      return count > 0 || count < 0 && errno == EAGAIN
    }
  }
}

extension KernelInput {
  /// The names of accelerometers that older drivers register as input devices, which autorotate does not read.
  package static var accelerometerNames: [String] {
    all(quirks: nil).filter(\.isAccelerometer).map { $0.name.printable() }
  }

  /// Whether it has the property, or three axes and no keys, which is udev's rule. Game controllers, which are on USB
  /// or Bluetooth, are excluded.
  var isAccelerometer: Bool {
    let isController = [BUS_USB, BUS_BLUETOOTH].contains(Int32(bus))
    let hasAxes = absoluteAxes.isSuperset(of: Int(ABS_X)...Int(ABS_Z))
    let hasProperty = properties?.contains(Int(INPUT_PROP_ACCELEROMETER)) == true
    return !isController && (hasProperty || hasAxes && !events.contains(Int(EV_KEY)))
  }

  /// A removed device loses its node first; sysfs lists it for a moment longer.
  /// - Parameter wanted: a name, where `*` and `?` stand for any text and any character.
  static func isConnected(_ wanted: String) -> Bool {
    all(quirks: nil).contains {
      ApplicationRule.pattern(wanted, matches: $0.name) && access($0.node, F_OK) == 0
    }
  }
}

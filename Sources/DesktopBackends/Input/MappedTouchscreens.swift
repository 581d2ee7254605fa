// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The touchscreens and pens that the device manager knows, and whether its rules say on which output they lie:
/// compositors turn touch with the picture if they know that, and only stretch it if not.
struct MappedTouchscreens {
  struct Device: Equatable {
    var name: String
    /// The property `WL_OUTPUT`, which libinput hands to compositors.
    var output: String?
    /// Whether it is wired to the machine itself: compositors that look for the panel's touchscreen look for that.
    var isWiredIn: Bool
    /// Whether one touches what one sees (INPUT_PROP_DIRECT): a pen's tablet on the desk is none of a panel's.
    var isDirect = true
  }

  let panel: String
  /// Where udev keeps what it knows.
  var database = "/run/udev/data"
  var devicesByNumber = "/sys/dev/char"

  /// Character devices of input.
  private static let prefix = "c13:"

  func devices() -> [Device] {
    SystemFile.names(in: database).filter { $0.hasPrefix(Self.prefix) }
      .map { String($0.dropFirst()) }.sorted().compactMap(device)
  }

  private func device(_ number: String) -> Device? {
    let lines = text(of: "\(database)/c\(number)").split(separator: "\n")
    let value = { (key: String) -> String? in
      lines.first { $0.hasPrefix("E:\(key)=") }.map { String($0.dropFirst(key.utf8.count + 3)) }
    }
    guard value("ID_INPUT_TOUCHSCREEN") == "1" || value("ID_INPUT_TABLET") == "1",
      // The others (`mouse1`, `js0`) are older ways to the same device.
      text(of: "\(devicesByNumber)/\(number)/uevent").contains("DEVNAME=input/event"),
      let name = text(of: "\(devicesByNumber)/\(number)/device/name").split(separator: "\n").first
    else { return nil }
    let path = value("ID_PATH") ?? ""
    let isWiredIn = path.hasPrefix("platform-") || (path.hasPrefix("pci-") && path.contains("-platform-"))
    let properties = text(of: "\(devicesByNumber)/\(number)/device/properties").split(
      whereSeparator: \.isWhitespace)
    let isDirect = properties.last.flatMap { Int($0, radix: 16) }.map { $0 & 1 << 1 != 0 } ?? true
    return Device(
      name: String(name).printable(), output: value("WL_OUTPUT")?.printable(), isWiredIn: isWiredIn,
      isDirect: isDirect)
  }

  private func text(of path: String) -> String {
    SystemFile.text(of: path, mostBytes: 16384) ?? ""
  }
}

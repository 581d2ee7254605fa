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
    /// "/dev/input/event4"
    var node = ""
    /// How large it is, as udev has it from the kernel.
    var size: PhysicalSize?
  }

  let panel: String
  /// Whether that is the only one that a device may lie on.
  var isOnlyPanel = true
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
      let node = text(of: "\(devicesByNumber)/\(number)/uevent").split(separator: "\n").first(where: {
        $0.hasPrefix("DEVNAME=input/event")
      }),
      let name = text(of: "\(devicesByNumber)/\(number)/device/name").split(separator: "\n").first
    else { return nil }
    let path = value("ID_PATH") ?? ""
    let isWiredIn = path.hasPrefix("platform-") || (path.hasPrefix("pci-") && path.contains("-platform-"))
    let properties = text(of: "\(devicesByNumber)/\(number)/device/properties").split(
      whereSeparator: \.isWhitespace)
    let isDirect = properties.last.flatMap { Int($0, radix: 16) }.map { $0 & 1 << 1 != 0 } ?? true
    return Device(
      name: String(name).printable(), output: value("WL_OUTPUT")?.printable(), isWiredIn: isWiredIn,
      isDirect: isDirect, node: "/dev/" + node.dropFirst("DEVNAME=".count),
      size: PhysicalSize(
        width: value("ID_INPUT_WIDTH_MM").flatMap { Int($0) } ?? 0,
        height: value("ID_INPUT_HEIGHT_MM").flatMap { Int($0) } ?? 0))
  }

  private func text(of path: String) -> String {
    SystemFile.text(of: path, mostBytes: 16384) ?? ""
  }
}

extension MappedTouchscreens.Device {
  var described: TouchPlacement.Device { TouchPlacement.Device(names: [name], output: output, size: size) }
}

extension MappedTouchscreens {
  /// What a compositor makes of each device, where it lies as far as that is known.
  static func remarks(
    on outputs: [Output], _ settings: DisplaySettings, compositor: String?
  ) -> [Message] {
    let placement = TouchPlacement(outputs, settings)
    let isOnly = outputs.touchPanels(chosen: settings.output).count < 2
    return MappedTouchscreens(panel: "").devices().map { device in
      let place = placement.place(of: device.described)
      if !isOnly, let complaint = place.complaint(device.name) { return complaint }
      let known = MappedTouchscreens(panel: place.output ?? "eDP-1", isOnlyPanel: isOnly)
      return known.remark(on: device, compositor: compositor)
    }
  }

  /// What a compositor makes of a device.
  /// - Parameter compositor: the name of its program, if it is known.
  func remark(on device: Device, compositor: String?) -> Message {
    let who: Phrase = compositor.map { "\($0)" } ?? "the compositor"
    if let output = device.output {
      guard output == panel else {
        return Message(
          .touchAstray, "“\(device.name)” follows \(output), by the udev property WL_OUTPUT",
          next: "if it lies on \(panel), set WL_OUTPUT to that")
      }
      return Message(.touchFollows, "“\(device.name)” follows \(output), by the udev property WL_OUTPUT")
    }
    if finds(compositor) {
      return Message(.touchFollows, "“\(device.name)”: \(who) lets it follow the panel by itself")
    }
    return Message(
      .touchAstray,
      "“\(device.name)”: \(who) turns it with the picture only if it is told that it lies on \(panel)",
      next: next(compositor, device))
  }

  /// Whether a compositor finds out by itself that a device lies on the panel: as of phoc 0.24. sway does since 1.10.1,
  /// which nobody can tell from here; to tell it does no harm then.
  private func finds(_ compositor: String?) -> Bool {
    isOnlyPanel && (compositor == "phoc" || compositor == "niri")
  }

  private func next(_ compositor: String?, _ device: Device) -> Phrase {
    switch compositor {
    case "sway": "swaymsg input type:touch map_to_output \(panel), also in the configuration of sway"
    case "labwc":
      "unless rc.xml has it already, add to it <touch deviceName=\"\(device.name)\" mapToOutput=\"\(panel)\"/>"
    case "wayfire":
      "unless wayfire.ini has it already, add to it [input-device:\(device.name)] output = \(panel)"
    default:
      "see how to map it to \(panel) in the compositor's manual, or set the udev property WL_OUTPUT=\(panel)"
    }
  }
}

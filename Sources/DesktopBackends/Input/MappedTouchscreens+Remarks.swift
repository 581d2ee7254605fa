// SPDX-License-Identifier: MIT

import Autorotation

extension MappedTouchscreens {
  /// What a compositor makes of a device.
  /// - Parameter compositor: the name of its program, if it is known.
  func remark(on device: Device, compositor: String?) -> DisplayInspection.Remark {
    let who: Phrase = compositor.map { "\($0)" } ?? "the compositor"
    if let output = device.output {
      guard output == panel else {
        return .init(
          "“\(device.name)” follows \(output), by the udev property WL_OUTPUT",
          next: "if it lies on \(panel), set WL_OUTPUT to that")
      }
      return .init("“\(device.name)” follows \(output), by the udev property WL_OUTPUT")
    }
    if finds(compositor) {
      return .init("“\(device.name)”: \(who) lets it follow the panel by itself")
    }
    return .init(
      "“\(device.name)”: \(who) turns it with the picture only if it is told that it lies on \(panel)",
      next: next(compositor, device))
  }

  /// Whether a compositor finds out by itself that a device lies on the panel: as of phoc 0.24. sway does since 1.10.1,
  /// which nobody can tell from here; to tell it does no harm then.
  private func finds(_ compositor: String?) -> Bool {
    compositor == "phoc" || compositor == "niri"
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

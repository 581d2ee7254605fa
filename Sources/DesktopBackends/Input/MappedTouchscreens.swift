// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The touchscreens and pens that udev knows, and whether its rules assign them to an output. Compositors rotate touch
/// input with an assigned output; without one they only scale it.
struct MappedTouchscreens {
  nonisolated struct Device: Equatable, Sendable {
    var name: String
    /// The udev property `WL_OUTPUT`, which libinput reports to compositors.
    var output: String?
    /// Whether it is wired to the mainboard: compositors that search for the panel's touchscreen check that.
    var isWiredIn = false
    /// Whether the user touches a screen (INPUT_PROP_DIRECT).
    var isDirect = true
    /// "/dev/input/event4"
    var node = ""
    /// Its size, which udev has from the kernel.
    var size: PhysicalSize?
    /// Whether it is wired to the board by its bus. Without udev (in a container), it counts as built in.
    var isOnBoard = true
    /// From libwacom; `nil` if it does not know the device, or was not asked.
    var integration: TabletIntegration?
    var isPen = false
    /// Vendor and product, in hexadecimal: "04f3:4447".
    var hardware = "0000:0000"
  }

  /// udev's database.
  var database = "/run/udev/data"
  var kernelDirectory = KernelInput.usualDirectory
  var integration: (TabletIdentity) -> TabletIntegration? = { LibWacom.shared.integration(of: $0) }
  /// Where compositors have the user's configuration.
  var configHome = BaseDirectories().configHome

  /// INPUT_PROP_DIRECT of linux/input-event-codes.h.
  private static let direct = 0x01

  func devices() -> [Device] {
    SystemFile.names(in: kernelDirectory).filter { $0.hasPrefix("event") }.sorted().compactMap(device)
  }

  private func device(_ event: String) -> Device? {
    let number = SystemFile.line(of: "\(kernelDirectory)/\(event)/dev") ?? ""
    let known = SystemFile.text(of: "\(database)/c\(number)", maximumBytes: 16384) ?? ""
    let lines = known.split(separator: "\n")
    let value = { (key: String) -> String? in
      lines.first { $0.hasPrefix("E:\(key)=") }.map { String($0.dropFirst(key.utf8.count + 3)) }
    }
    guard value("ID_INPUT_TOUCHSCREEN") == "1" || value("ID_INPUT_TABLET") == "1",
      let input = KernelInput(node: event, in: kernelDirectory, quirks: nil), !input.name.isEmpty
    else { return nil }
    let path = value("ID_PATH") ?? ""
    let isWiredIn = path.hasPrefix("platform-") || (path.hasPrefix("pci-") && path.contains("-platform-"))
    var device = Device(
      name: input.name.printable(), output: value("WL_OUTPUT")?.printable(), isWiredIn: isWiredIn,
      isDirect: input.properties?.contains(Self.direct) ?? true, node: input.node,
      size: PhysicalSize(
        width: value("ID_INPUT_WIDTH_MM").flatMap { Int($0) } ?? 0,
        height: value("ID_INPUT_HEIGHT_MM").flatMap { Int($0) } ?? 0),
      isOnBoard: KernelInput.isOnBoard(bus: input.bus, path: path, usbPorts: input.usbPorts))
    device.isPen = value("ID_INPUT_TABLET") == "1"
    device.hardware = [input.vendor, input.product].map(\.hexadecimal).joined(separator: ":")
    // libwacom is asked only where the bus does not suffice.
    if !KernelInput.isOnBoard(bus: input.bus, path: path) || !device.isDirect {
      device.integration = integration(
        TabletIdentity(node: device.node, name: device.name, vendor: input.vendor, product: input.product))
    }
    return device
  }

  /// Doctor's finding for each device: whether the compositor makes it follow its output.
  func remarks(on outputs: [Output], _ settings: DisplaySettings, compositor: String?) -> [Message] {
    let placement = TouchPlacement(outputs: outputs, settings: settings)
    let isOnly = outputs.touchPanels(chosen: settings.output).count < 2
    // niri maps touchscreens to its first output, which may be a monitor.
    let isMapped = compositor == NiriDialect.profile.name ? outputs.count(where: \.isActive) < 2 : isOnly
    return devices().map { device in
      let place = placement.place(of: device, named: [device.name])
      if !isOnly, case .unknown(let panels) = place { return device.remark(among: panels, by: compositor) }
      if !isOnly || place == .external, let remark = place.remark(device.name) { return remark }
      let panel = place.output ?? outputs.touchPanels(chosen: settings.output).first
      return device.remark(
        on: panel ?? "eDP-1", isOnlyPanel: isMapped, by: compositor, configHome: configHome)
    }
  }
}

extension MappedTouchscreens.Device {
  /// The compositors that map a touchscreen to the only panel, as phoc does since 0.24. sway does since 1.10.1, but its
  /// version is not known here; an explicit mapping does no harm there.
  private static let detectors: [String?] = ["phoc", "niri"]

  /// - Parameters:
  ///   - panels: several, on any of which it may lie.
  ///   - compositor: the name of the compositor's program, if it is known.
  func remark(among panels: [String], by compositor: String?) -> Message {
    let who: Phrase = compositor.map { "\($0)" } ?? "the compositor"
    return Message(
      .touchMisplaced,
      "“\(name)” may lie on any of \(panels.joined(separator: ", ")), and \(who) does not know which",
      next: "\(next(panels[0], compositor)), or the right one of them")
  }

  /// - Parameters:
  ///   - panel: on which it lies, if it is part of the machine.
  ///   - configHome: where the compositor has the user's configuration.
  func remark(
    on panel: String, isOnlyPanel: Bool = true, by compositor: String?, configHome: String? = nil
  ) -> Message {
    let who: Phrase = compositor.map { "\($0)" } ?? "the compositor"
    let isNiri = compositor == NiriDialect.profile.name
    // niri does not read that property.
    if let output, !isNiri {
      let isRight = output == panel
      return Message(
        isRight ? .touchFollows : .touchMisplaced,
        "“\(name)” follows \(output), by the udev property WL_OUTPUT",
        next: isRight ? nil : "if it lies on \(panel), set WL_OUTPUT to that")
    }
    // niri maps pens to all outputs, without their rotation.
    if isOnlyPanel, Self.detectors.contains(compositor), !(isNiri && isPen) {
      return Message(.touchFollows, "“\(name)”: \(who) makes it follow the panel automatically")
    }
    if isMapped(to: panel, by: compositor, in: configHome) {
      return Message(.touchFollows, "“\(name)” is mapped to \(panel) by the configuration of \(who)")
    }
    return Message(
      .touchMisplaced, "“\(name)”: \(who) rotates it with the screen only if it is mapped to \(panel)",
      next: next(panel, compositor))
  }

  /// Where niri's settings for all devices of its kind are.
  private var niriSection: String { isPen ? "tablet" : "touch" }

  /// Whether the user's configuration of the compositor maps it to this panel. Included files are not read.
  private func isMapped(to panel: String, by compositor: String?, in configHome: String?) -> Bool {
    guard let configHome, let section = section(panel, compositor),
      let text = SystemFile.text(of: "\(configHome)/\(section.file)", maximumBytes: 1 << 18, onlyFiles: true)
    else { return false }
    let uncommented = text.removingComments(from: "<!--", to: "-->").removingComments(from: "/*", to: "*/")
    let lines = uncommented.split(whereSeparator: \.isNewline).map { $0.filter { !$0.isWhitespace } }
      .filter { !$0.hasPrefix("#") && !$0.hasPrefix("//") }
    let start = section.start.filter { !$0.isWhitespace }
    let words = section.words.map { $0.filter { $0 != " " } }
    let enabled = lines.joined(separator: "\n").removingDisabledNodes()
    return enabled.components(separatedBy: start).dropFirst().contains { found in
      let inside = found.prefix { $0 != section.end } + "\n"
      return words.allSatisfy { inside.contains($0) }
    }
  }

  /// The place of the mapping in the compositor's configuration: what begins and ends it, and what it contains.
  private func section(_ panel: String, _ compositor: String?)
    -> (file: String, start: String, end: Character, words: [String])?
  {
    let mapping = "mapToOutput=\"\(panel)\""
    return switch compositor {
    case "labwc" where isPen: ("labwc/rc.xml", "<tablet", ">", [mapping])
    case "labwc": ("labwc/rc.xml", "<touch", ">", ["deviceName=\"\(Markup.escaped(name))\"", mapping])
    case "niri": ("niri/config.kdl", "\(niriSection){", "}", ["map-to-output\"\(panel)\""])
    case "wayfire": ("wayfire.ini", "[input-device:\(name)]", "[", ["\noutput=\(panel)\n"])
    default: nil
    }
  }

  private func next(_ panel: String, _ compositor: String?) -> Phrase {
    switch compositor {
    case "sway":
      "swaymsg input type:touch map_to_output \(panel.asArgument), also in the configuration of sway"
    case "labwc" where isPen:
      "unless rc.xml has it already, add to it <tablet mapToOutput=\"\(panel)\"/>"
    case "labwc":
      "unless rc.xml has it already, add to it "
        + "<touch deviceName=\"\(Markup.escaped(name))\" mapToOutput=\"\(panel)\"/>"
    case "niri":
      "niri maps all devices of this kind to one output: unless config.kdl has it already, add to its input section "
        + "\(niriSection) { map-to-output \"\(panel)\"; }"
    case "wayfire":
      "unless wayfire.ini has it already, add to it [input-device:\(name)] output = \(panel)"
    default:
      "see how to map it to \(panel) in the compositor's manual, or set the udev property WL_OUTPUT=\(panel)"
    }
  }
}

nonisolated extension String {
  /// Without the comments between these. What is never closed is no comment: a path may have "/*".
  fileprivate func removingComments(from start: String, to end: String) -> String {
    let parts = components(separatedBy: start)
    let rest = parts.dropFirst().map { part in
      part.firstRange(of: end).map { part[$0.upperBound...] } ?? part
    }
    return (parts.prefix(1) + rest).joined()
  }

  /// Without what KDL's /- disables: the node that follows, on the same line or the next, with what is inside it. Needs
  /// lines without white space.
  fileprivate func removingDisabledNodes() -> String {
    var (kept, rest) = ("", self[...])
    while let mark = rest.firstRange(of: "/-") {
      kept += rest[..<mark.lowerBound]
      rest = rest[mark.upperBound...]
      // Elsewhere it may be part of a string.
      if kept.last.map({ "\n{};".contains($0) }) ?? true {
        rest = rest.drop(while: \.isNewline)
        rest = rest[rest.endOfNode...]
      } else {
        kept += "/-"
      }
    }
    return kept + rest
  }
}

nonisolated extension Substring {
  /// Where the first node of KDL ends: at the end of its line, or behind its children.
  fileprivate var endOfNode: Index {
    var depth = 0
    for index in indices {
      switch self[index] {
      case "{": depth += 1
      case "}" where depth > 1: depth -= 1
      case "}": return depth == 0 ? index : self.index(after: index)
      case "\n" where depth == 0, ";" where depth == 0: return index
      default: break
      }
    }
    return endIndex
  }
}

/// The size of a panel or a touchscreen, in millimetres.
nonisolated struct PhysicalSize: Equatable, Sendable {
  private let longer: Int
  private let shorter: Int

  /// `nil` unless the size is plausible.
  init?(width: Int, height: Int) {
    let sides = 1...10_000
    guard sides.contains(width), sides.contains(height) else { return nil }
    // Width and height may be swapped on a panel that is mounted sideways.
    (longer, shorter) = (max(width, height), min(width, height))
  }

  /// Whether two sizes may be of the same glass. Touchscreens extend beyond the lit area, and EDIDs round to
  /// centimetres: as in Mutter, the tolerance is 5 %, and at least a centimetre.
  func fits(_ other: Self) -> Bool {
    abs(longer - other.longer) <= max(10, longer / 20)
      && abs(shorter - other.shorter) <= max(10, shorter / 20)
  }

  /// The size in the EDID of a connector's panel; `nil` if the kernel knows no connector of this name.
  init?(connector: String, in directory: String = "/sys/class/drm") {
    // A name with a slash is the end of no entry.
    guard let card = SystemFile.names(in: directory).sorted().first(where: { $0.hasSuffix("-\(connector)") }),
      let edid = SystemFile.bytes(of: "\(directory)/\(card)/edid", maximumBytes: 128)
    else { return nil }
    self.init(edid: edid)
  }

  /// - Parameter edid: VESA E-EDID 1.4: the first detailed timing has millimetres, the head whole centimetres.
  init?(edid: [UInt8]) {
    guard edid.count >= 128, edid.starts(with: [0, 255, 255, 255, 255, 255, 255, 0]) else { return nil }
    let timing = 54
    let (low, high) = (Int(edid[timing + 12]), Int(edid[timing + 14] >> 4) << 8)
    let (lowHeight, highHeight) = (Int(edid[timing + 13]), Int(edid[timing + 14] & 15) << 8)
    let isTiming = edid[timing] != 0 || edid[timing + 1] != 0
    if isTiming, let exact = Self(width: low | high, height: lowHeight | highHeight) {
      self = exact
    } else {
      self.init(width: Int(edid[21]) * 10, height: Int(edid[22]) * 10)
    }
  }
}

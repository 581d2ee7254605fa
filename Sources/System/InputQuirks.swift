// SPDX-License-Identifier: MIT

import Glibc

/// libinput's quirks of an input device.
nonisolated package struct InputQuirks: Equatable, Sendable {
  /// AttrKeyboardIntegration: whether a keyboard is part of the machine, regardless of its bus; `nil` if unknown.
  package var isInternal: Bool?
  /// ModelTabletModeNoSuspend: it has buttons that are needed in tablet mode, or its firmware disables the rest.
  package var staysOnInTabletMode = false
  /// ModelTabletModeSwitchUnreliable: its tablet switch must be ignored.
  package var isTabletSwitchUnreliable = false
}

/// The properties by which libinput matches a machine.
nonisolated package struct MachineIdentity: Equatable, Sendable {
  /// "dmi:bvnLENOVO:…"; empty if the firmware has none.
  package var dmi = ""
  /// The names in the device tree, most specific first.
  package var deviceTree: [String] = []

  static var current: Self {
    let tree = SystemFile.text(of: "/sys/firmware/devicetree/base/compatible") ?? ""
    return Self(
      dmi: SystemFile.line(of: "/sys/class/dmi/id/modalias") ?? "",
      deviceTree: tree.split(separator: "\0").map(String.init))
  }
}

/// libinput's quirks for the devices of one machine: those of its installed files, whose format is the same since 1.12,
/// after a few that older versions lack.
nonisolated package struct QuirkDatabase: Sendable {
  private var sections: [QuirkSection]

  /// For this machine, read at the first use.
  package static let installed = Self(of: .current, texts: installedTexts(directory: nil))

  /// - Parameters:
  ///   - machine: sections of other machines are left out.
  ///   - texts: of files; later ones override earlier ones.
  ///   - known: texts before those.
  package init(of machine: MachineIdentity, texts: [String], known: [String] = [QuirkSection.known]) {
    sections = (known + texts).flatMap { QuirkSection.sections(of: $0, for: machine) }
  }

  package func quirks(of device: KernelInput) -> InputQuirks {
    let changes = sections.filter { $0.matches(device) }.flatMap(\.changes)
    return changes.reduce(into: InputQuirks()) { quirks, change in change(&quirks) }
  }

  /// The files that libinput reads, in its order.
  /// - Parameter directory: overrides that, like libinput's variable LIBINPUT_QUIRKS_DIR.
  package static func installedTexts(directory: String?) -> [String] {
    if let directory = directory ?? Environment.variable("LIBINPUT_QUIRKS_DIR") {
      return texts(in: directory)
    }
    let directories = [
      "/usr/share/libinput", "/usr/local/share/libinput", "/run/current-system/sw/share/libinput",
    ]
    let shipped = directories.lazy.map(texts).first { !$0.isEmpty } ?? []
    return shipped + [text(of: "/etc/libinput/local-overrides.quirks")].compactMap(\.self)
  }

  private static func texts(in directory: String) -> [String] {
    let names = SystemFile.names(in: directory).filter { $0.hasSuffix(".quirks") }.sorted()
    return names.compactMap { text(of: "\(directory)/\($0)") }
  }

  private static func text(of path: String) -> String? {
    SystemFile.text(of: path, maximumBytes: 1 << 20, onlyFiles: true)
  }
}

/// One section of a file of libinput's quirks: the conditions for a device, and its quirks. Only the quirks that are
/// used here are kept.
nonisolated package struct QuirkSection: Sendable {
  /// Numbers of linux/input.h.
  private static let buses: [String: UInt16] = [
    "usb": 0x03, "bluetooth": 0x05, "virtual": 0x06, "ps2": 0x11, "i2c": 0x18, "spi": 0x1c, "rmi": 0x1d,
  ]

  /// Whether its conditions for the machine hold. One that is not supported here never holds, since it may exclude this
  /// device.
  private var isForMachine = true
  private var conditions: [@Sendable (KernelInput) -> Bool] = []
  private(set) var changes: [@Sendable (inout InputQuirks) -> Void] = []

  func matches(_ device: KernelInput) -> Bool { conditions.allSatisfy { $0(device) } }

  /// With fnmatch(3), as libinput does.
  private static func isMatch(_ pattern: String, _ text: String) -> Bool { fnmatch(pattern, text, 0) == 0 }

  /// Those for a machine that have quirks.
  /// - Parameter text: of a file; other lines are skipped.
  static func sections(of text: String, for machine: MachineIdentity) -> [Self] {
    var sections = [Self()]
    for line in text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
      if line.first == "[" {
        sections.append(Self())
      } else if let equals = line.firstIndex(of: "=") {
        let value = line[line.index(after: equals)...]
        sections[sections.count - 1].read(line[..<equals].trimmed, value.trimmed, machine)
      }
    }
    return sections.filter { $0.isForMachine && !$0.changes.isEmpty }
  }

  /// - Parameter key: of a comment, one that starts with "#" and has no meaning.
  private mutating func read(_ key: String, _ value: String, _ machine: MachineIdentity) {
    switch key {
    case "AttrKeyboardIntegration":
      if let isInternal = ["internal": true, "external": false][value] {
        changes.append { $0.isInternal = isInternal }
      }
    case "ModelTabletModeNoSuspend": changes.append { $0.staysOnInTabletMode = value == "1" }
    case "ModelTabletModeSwitchUnreliable": changes.append { $0.isTabletSwitchUnreliable = value == "1" }
    case "MatchName": conditions.append { Self.isMatch(value, $0.name) }
    case "MatchBus": conditions.append { $0.bus == Self.buses[value] }
    case "MatchVendor": conditions.append { Self.numbers(value).contains($0.vendor) }
    case "MatchProduct": conditions.append { Self.numbers(value).contains($0.product) }
    case "MatchVersion": conditions.append { Self.numbers(value).contains($0.version) }
    case "MatchUdevType": conditions.append { $0.kinds.contains(value) }
    case "MatchDMIModalias": isForMachine = isForMachine && Self.isMatch(value, machine.dmi)
    case "MatchDeviceTree":
      isForMachine = isForMachine && machine.deviceTree.contains { Self.isMatch(value, $0) }
    default: if key.hasPrefix("Match") { isForMachine = false }
    }
  }

  /// "0x05AC", or several separated by semicolons.
  private static func numbers(_ text: String) -> [UInt16] {
    text.split(separator: ";").compactMap { UInt16($0.hasPrefix("0x") ? $0.dropFirst(2) : $0, radix: 16) }
  }

  /// The sections for 2-in-1s of libinput 1.28.1 (quirks/*.quirks, MIT licence, © Red Hat and the other authors of
  /// libinput), for machines whose libinput is older or keeps its files elsewhere. libinput names the
  /// `cros_ec` keyboard of one machine, but all keyboards of that driver are internal.
  package static let known =
    facts.map { "[]\nMatchName=\($0.name)\nMatchDMIModalias=dmi:*\($0.machine):*\n\($0.quirk)\n" }.joined()
    + "[]\nMatchName=*cros_ec*\nMatchUdevType=keyboard\n\(isInternal)\n"

  private static let isInternal = "AttrKeyboardIntegration=internal"
  private static let translated = "AT Translated Set 2 keyboard"
  private static let raw = "AT Raw Set 2 keyboard"

  private static let staysOn: [(keyboard: String, machine: String)] = [
    (translated, "svnAcer:pnSwitchSA5-271"), (translated, "svnAcer:pnSpinSP513-52N"),
    (translated, "svnDellInc.:pn*2-in-1"), ("*\(translated)*", "svnDellInc.:pnLatitude7275"),
    (translated, "svnHewlett-Packard:pnHPStreamx360ConvertiblePC11"),
    (translated, "svnHP:pnHPSpectrex360Convertible15-bl0XX"),
    (translated, "svnHP:pnHPSpectrex360Convertible15-ch0xx"),
    (translated, "svnLENOVO:*pvrThinkPad*Yoga*"), (translated, "svnIBM:*pvrThinkPadX41Tablet"),
    (translated, "svnLENOVO:*pvrThinkPadX60Tablet"), (translated, "svnLENOVO:*pvrThinkPadX61Tablet"),
    (translated, "svnLENOVO:*pvrThinkPadX220Tablet"), (translated, "svnLENOVO:*pvrThinkPadX230Tablet"),
    (translated, "svnLENOVO:*pvrThinkPadX200Tablet"), (translated, "svnLENOVO:*pvrThinkPadX201Tablet"),
    (raw, "svnLENOVO:*pvrLenovoMIIX720-12IKB"), (raw, "svnLENOVO:*pvrThinkPadX1Tablet"),
    (raw, "svnLENOVO:*pvrYogaDuet713IML05"), (raw, "svnLENOVO:*pvrIdeaPadDuet3*"),
    (translated, "svnMicroComputer(HK)TechLimited:pnV3"),
  ]

  private static let unreliable = [
    "svnASUSTeKCOMPUTERINC.:pnVivoBookFlip14_ASUSFlipTP412UA", "svnHP:pnHPElitex21013G3",
  ]

  private static let facts: [(name: String, machine: String, quirk: String)] =
    staysOn.map { ($0.keyboard, $0.machine, "ModelTabletModeNoSuspend=1") }
    + unreliable.map { ("*Intel Virtual Button*", $0, "ModelTabletModeSwitchUnreliable=1") } + [
      ("*Microsoft Surface *Keyboard*", "svnMicrosoftCorporation", isInternal),
      ("*Microsoft Surface *Cover*", "svnMicrosoftCorporation", isInternal),
      ("USB Keyboard", "svnMicroComputer(HK)TechLimited:pnV3", isInternal),
      // This device has only the volume keys of the screen; the keyboard is on USB.
      (translated, "svnHP:pnHPElitex21013G3", "AttrKeyboardIntegration=external"),
    ]
}

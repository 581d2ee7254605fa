// SPDX-License-Identifier: MIT

import Glibc

/// One section of a file of libinput's quirks: the conditions for a device, and its quirks. Only the quirks that are used
/// here are kept.
nonisolated package struct QuirkSection: Sendable {
  private enum Condition: Sendable {
    case name(String)
    case bus(UInt16?)
    case vendor(Set<UInt16>)
    case product(Set<UInt16>)
    case version(Set<UInt16>)
    case kind(String)
    case dmi(String)
    case deviceTree(String)
    /// Not supported here. It never holds, since it may exclude this device.
    case unknown
  }

  /// Numbers of linux/input.h.
  private static let buses: [String: UInt16] = [
    "usb": 0x03, "bluetooth": 0x05, "virtual": 0x06, "ps2": 0x11, "i2c": 0x18, "spi": 0x1c, "rmi": 0x1d,
  ]

  private var conditions: [Condition] = []
  private var isInternal: Bool?
  private var staysOn: Bool?
  private var isUnreliable: Bool?

  private init() {}

  private init(name: String, dmi: String?, kind: String?) {
    conditions = [.name(name)] + [dmi.map { .dmi($0) }, kind.map { .kind($0) }].compactMap(\.self)
  }

  private var hasQuirks: Bool { isInternal != nil || staysOn != nil || isUnreliable != nil }

  func appliesTo(_ machine: MachineIdentity) -> Bool {
    conditions.allSatisfy { condition in
      switch condition {
      case .dmi(let pattern): Self.isMatch(pattern, machine.dmi)
      case .deviceTree(let pattern): machine.deviceTree.contains { Self.isMatch(pattern, $0) }
      case .unknown: false
      default: true
      }
    }
  }

  func matches(_ device: InputIdentity) -> Bool {
    conditions.allSatisfy { condition in
      switch condition {
      case .name(let pattern): Self.isMatch(pattern, device.name)
      case .bus(let bus): bus == device.bus
      case .vendor(let numbers): numbers.contains(device.vendor)
      case .product(let numbers): numbers.contains(device.product)
      case .version(let numbers): numbers.contains(device.version)
      case .kind(let kind): device.kinds.contains(kind)
      case .dmi, .deviceTree: true
      case .unknown: false
      }
    }
  }

  func apply(to quirks: inout InputQuirks) {
    if let isInternal { quirks.isInternal = isInternal }
    if let staysOn { quirks.staysOnInTabletMode = staysOn }
    if let isUnreliable { quirks.isTabletSwitchUnreliable = isUnreliable }
  }

  /// With fnmatch(3), as libinput does.
  private static func isMatch(_ pattern: String, _ text: String) -> Bool { fnmatch(pattern, text, 0) == 0 }
}

nonisolated extension QuirkSection {
  /// - Parameter text: of a file; other lines are skipped.
  static func sections(of text: String) -> [Self] {
    var sections: [Self] = []
    var section = Self()
    for line in text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
      if line.first == "[" {
        if section.hasQuirks { sections.append(section) }
        section = Self()
      } else if line.first != "#", let equals = line.firstIndex(of: "=") {
        let value = line[line.index(after: equals)...]
        section.read(line[..<equals].trimmed, value.trimmed)
      }
    }
    return section.hasQuirks ? sections + [section] : sections
  }

  private mutating func read(_ key: String, _ value: String) {
    switch key {
    case "AttrKeyboardIntegration": isInternal = ["internal": true, "external": false][value] ?? isInternal
    case "ModelTabletModeNoSuspend": staysOn = value == "1"
    case "ModelTabletModeSwitchUnreliable": isUnreliable = value == "1"
    case "MatchName": conditions.append(.name(value))
    case "MatchBus": conditions.append(.bus(Self.buses[value]))
    case "MatchVendor": conditions.append(.vendor(Self.numbers(value)))
    case "MatchProduct": conditions.append(.product(Self.numbers(value)))
    case "MatchVersion": conditions.append(.version(Self.numbers(value)))
    case "MatchUdevType": conditions.append(.kind(value))
    case "MatchDMIModalias": conditions.append(.dmi(value))
    case "MatchDeviceTree": conditions.append(.deviceTree(value))
    default: if key.hasPrefix("Match") { conditions.append(.unknown) }
    }
  }

  /// "0x05AC", or several separated by semicolons.
  private static func numbers(_ text: String) -> Set<UInt16> {
    Set(
      text.split(separator: ";").compactMap { UInt16($0.hasPrefix("0x") ? $0.dropFirst(2) : $0, radix: 16) })
  }
}

nonisolated extension QuirkSection {
  /// The sections for 2-in-1s of libinput 1.28.1 (quirks/*.quirks, MIT licence, © Red Hat and the other authors of libinput), for
  /// machines whose libinput is older or keeps its files elsewhere. libinput names the
  /// `cros_ec` keyboard of one machine, but all keyboards of that driver are internal.
  package static let known =
    staysOn.map { stayingOn($0.keyboard, $0.machine) } + unreliable.map(withUnreliableSwitch)
    + integrated.map { keyboard($0.name, $0.machine, $0.kind, $0.isInternal) }

  private static func stayingOn(_ keyboard: String, _ machine: String) -> Self {
    var section = Self(name: keyboard, dmi: "dmi:*\(machine):*", kind: nil)
    section.staysOn = true
    return section
  }

  private static func withUnreliableSwitch(_ machine: String) -> Self {
    var section = Self(name: "*Intel Virtual Button*", dmi: "dmi:*\(machine):*", kind: nil)
    section.isUnreliable = true
    return section
  }

  private static func keyboard(_ name: String, _ machine: String?, _ kind: String?, _ isInternal: Bool)
    -> Self
  {
    var section = Self(name: name, dmi: machine.map { "dmi:*\($0):*" }, kind: kind)
    section.isInternal = isInternal
    return section
  }

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

  private static let integrated: [(name: String, machine: String?, kind: String?, isInternal: Bool)] = [
    ("*Microsoft Surface *Keyboard*", "svnMicrosoftCorporation", nil, true),
    ("*Microsoft Surface *Cover*", "svnMicrosoftCorporation", nil, true),
    ("USB Keyboard", "svnMicroComputer(HK)TechLimited:pnV3", nil, true),
    ("*cros_ec*", nil, "keyboard", true),
    // This device has only the volume keys of the screen; the keyboard is on USB.
    (translated, "svnHP:pnHPElitex21013G3", nil, false),
  ]
}

nonisolated extension Substring {
  fileprivate var trimmed: String {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? start
    return String(self[start..<end])
  }
}

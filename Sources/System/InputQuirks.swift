// SPDX-License-Identifier: MIT

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
  package init(of machine: MachineIdentity, texts: [String], known: [QuirkSection] = QuirkSection.known) {
    sections = (known + texts.flatMap(QuirkSection.sections)).filter { $0.appliesTo(machine) }
  }

  package func quirks(of device: KernelInput) -> InputQuirks {
    sections.reduce(into: InputQuirks()) { quirks, section in
      if section.matches(device) { section.apply(to: &quirks) }
    }
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

// SPDX-License-Identifier: MIT

import System

/// A program that shows the login screen.
enum DisplayManager: String, CaseIterable {
  case lightdm, greetd, sddm, gdm
  /// Of plasma-login-manager.
  case plasmalogin
  case cosmicGreeter = "cosmic-greeter"
  case phrog

  private static let aliases = ["gdm3": Self.gdm, "plasma-login-manager": .plasmalogin]

  /// - Parameter name: of its program or its unit. Distributions add a number to GDM's name, and a suffix.
  init?(name: String) {
    let plain = name.hasSuffix(".service") ? String(name.dropLast(".service".count)) : name
    guard let found = Self.aliases[plain] ?? Self(rawValue: plain) else { return nil }
    self = found
  }

  /// The one that this machine starts: Debian names it in a file, systemd in an alias.
  /// - Parameter root: a directory that replaces /.
  static func ofMachine(root: String) -> Self? {
    let path = SystemFile.line(of: "\(root)/etc/X11/default-display-manager")
    let named = path?.split(separator: "/").last.map(String.init)
    let alias = SystemFile.linkName(of: "\(root)/etc/systemd/system/display-manager.service")
    let found = [named, alias].lazy.compactMap(\.self).compactMap(Self.init(name:)).first
    return found == .greetd && isDebiansPhrog(root: root) ? .phrog : found
  }

  /// Debian's phrog gives greetd another settings file, without a unit of its own.
  private static func isDebiansPhrog(root: String) -> Bool {
    SystemFile.exists("\(root)/usr/lib/systemd/system/greetd.service.d/phrog.conf")
  }

  /// The destination of our configuration file, and its shipped name; `nil` for those that greetd starts, which has a
  /// single file.
  var configuration: (path: String, name: String)? {
    switch self {
    case .lightdm: ("/etc/lightdm/lightdm.conf.d/90-autorotate.conf", "lightdm.conf")
    case .sddm: ("/etc/sddm.conf.d/90-autorotate.conf", "sddm.conf")
    case .gdm: ("/etc/dconf/db/gdm.d/90-autorotate", "gdm")
    case .plasmalogin: ("/etc/systemd/user/plasma-login.service.d/90-autorotate.conf", "plasmalogin.conf")
    case .greetd, .cosmicGreeter, .phrog: nil
    }
  }

  /// Where distributions have the settings of greetd for it; empty for others.
  var greetdSettings: [String] {
    switch self {
    case .greetd: ["/etc/greetd/config.toml"]
    case .cosmicGreeter: ["/etc/greetd/cosmic-greeter.toml"]
    case .phrog: ["/etc/phrog/greetd-config.toml", "/etc/greetd/phrog.toml"]
    case .lightdm, .sddm, .gdm, .plasmalogin: []
    }
  }

  /// The command that applies the file; `nil` if none is needed.
  var update: String? { self == .gdm ? "dconf update" : nil }
}

// SPDX-License-Identifier: MIT

import Glibc
import System

/// A program that shows the login screen.
enum DisplayManager: String, CaseIterable {
  case lightdm, greetd, sddm, gdm

  /// - Parameter name: of its program or its unit. Distributions add a number to GDM's name, and a suffix.
  init?(name: String) {
    let plain = name.hasSuffix(".service") ? String(name.dropLast(".service".count)) : name
    guard let found = Self(rawValue: plain == "gdm3" ? "gdm" : plain) else { return nil }
    self = found
  }

  /// The one that this machine starts: Debian names it in a file, systemd in an alias.
  /// - Parameter root: a directory that replaces /.
  static func ofMachine(root: String) -> Self? {
    let named = SystemFile.line(of: "\(root)/etc/X11/default-display-manager")
    let alias = SystemFile.linkTarget(of: "\(root)/etc/systemd/system/display-manager.service")
    return [named, alias].lazy.compactMap(\.self).compactMap(lastPart).compactMap(Self.init(name:)).first
  }

  private static func lastPart(of path: String) -> String? {
    path.split(separator: "/").last.map(String.init)
  }

  /// The destination of our configuration file, and its shipped name; `nil` for greetd, which has a single file.
  var configuration: (path: String, name: String)? {
    switch self {
    case .lightdm: ("/etc/lightdm/lightdm.conf.d/90-autorotate.conf", "lightdm.conf")
    case .sddm: ("/etc/sddm.conf.d/90-autorotate.conf", "sddm.conf")
    case .gdm: ("/etc/dconf/db/gdm.d/90-autorotate", "gdm")
    case .greetd: nil
    }
  }

  /// The command that applies the file; `nil` if none is needed.
  var update: String? { self == .gdm ? "dconf update" : nil }
}

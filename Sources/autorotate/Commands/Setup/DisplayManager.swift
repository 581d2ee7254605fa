// SPDX-License-Identifier: MIT

import Glibc
import System

/// A program that shows the login screen.
enum DisplayManager: String, CaseIterable {
  case lightdm, greetd, sddm, gdm

  /// - Parameter name: of its program or its unit: distributions put a number behind GDM's, and a suffix.
  init?(name: String) {
    let plain = name.hasSuffix(".service") ? String(name.dropLast(".service".count)) : name
    guard let found = Self(rawValue: plain == "gdm3" ? "gdm" : plain) else { return nil }
    self = found
  }

  /// The one that this machine starts: Debian tells it in a file, systemd in an alias.
  /// - Parameter root: a directory that stands for /.
  static func ofMachine(root: String) -> Self? {
    let told = SystemFile.line(of: "\(root)/etc/X11/default-display-manager")
    let alias = SystemFile.linkTarget(of: "\(root)/etc/systemd/system/display-manager.service")
    return [told, alias].lazy.compactMap(\.self).compactMap(lastPart).compactMap(Self.init(name:)).first
  }

  private static func lastPart(of path: String) -> String? {
    path.split(separator: "/").last.map(String.init)
  }

  /// Where a file of ours goes, and which of those that come with us; `nil` where there is one file for all.
  var piece: (path: String, name: String)? {
    switch self {
    case .lightdm: ("/etc/lightdm/lightdm.conf.d/90-autorotate.conf", "lightdm.conf")
    case .sddm: ("/etc/sddm.conf.d/90-autorotate.conf", "sddm.conf")
    case .gdm: ("/etc/dconf/db/gdm.d/90-autorotate", "gdm")
    case .greetd: nil
    }
  }

  /// The command that makes it known; `nil` if nothing has to.
  var update: String? { self == .gdm ? "dconf update" : nil }
}

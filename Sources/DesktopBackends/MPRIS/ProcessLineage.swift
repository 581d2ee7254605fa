// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// A process and its ancestors, as the kernel reports them. A process can change its `comm`, but not its executable.
struct ProcessLineage: Equatable {
  /// A browser's helpers are grandchildren; the limit also ends malicious lineages.
  private static let longest = 8
  /// Programs that connect to the bus for sandboxed applications.
  private static let proxies = ["xdg-dbus-proxy"]

  /// Itself, its parent and so on, without process 1.
  private(set) var ids: [Int32] = []
  /// The file name of its executable.
  private(set) var program = ""
  /// Whether it is only the bus proxy of a sandboxed application.
  private(set) var isSandboxProxy = false

  /// - Parameter isInstalled: whether the executable belongs to root, so that no user has created it.
  init(program: String = "", isInstalled: Bool = false) {
    self.program = program
    isSandboxProxy = isInstalled && Self.proxies.contains(program)
  }

  init(of process: Int32) {
    let executable = "/proc/\(process)/exe"
    var status = stat()
    let isInstalled = stat(executable, &status) == 0 && status.st_uid == 0
    self.init(program: SystemFile.linkName(of: executable) ?? "", isInstalled: isInstalled)
    var next = process
    while next > 1, ids.count < Self.longest, !ids.contains(next) {
      ids.append(next)
      next = Self.parent(of: next)
    }
  }

  /// The possible names of a player's application, whose process this is.
  /// - Parameters:
  ///   - bus: its name on the bus, "org.mpris.MediaPlayer2.chromium.instance9116".
  ///   - entry: its `DesktopEntry`; browsers based on Chromium have none.
  func names(ofPlayer bus: String, entry: String) -> [String] {
    let parts = bus.dropFirst(PlayerWatch.prefix.count + 1).split(separator: ".")
    // The part between MPRIS's prefix and the instance.
    let application = parts.prefix { $0 != "Sandboxed" && !$0.hasPrefix("instance") }.joined(separator: ".")
    let names = [application, entry.withoutDesktopSuffix, isSandboxProxy ? "" : program]
    return names.filter { !$0.isEmpty }.eachOnce
  }

  /// 0 if the process has ended.
  private static func parent(of process: Int32) -> Int32 {
    let fields = ProcessIdentity.fields(of: process)
    return fields.count > 1 ? Int32(fields[1]) ?? 0 : 0
  }
}

// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import Glibc
import System

/// Allows only one daemon of a user per display, even where no bus reports that there is another. The kernel releases
/// the lock however its holder ends.
@MainActor enum DisplayLock {
  /// Held until the end of the process; by display.
  private static var held: [String: Int32] = [:]

  /// Without a directory for it, no lock is acquired.
  /// - Throws: `Message` if another daemon rotates the display.
  static func acquire(of kind: BackendKind, variable: (String) -> String? = Environment.variable) throws {
    let isUsable = { mkdir($0, 0o700) == 0 || isOurs($0) }
    guard kind != .print, let directory = places(variable).first(where: isUsable) else { return }
    let name = "\(fileName(ofDisplay: display(kind, variable))).lock"
    guard held[name] == nil else { return }
    held[name] = try acquire(at: "\(directory)/\(name)")
  }

  /// - Returns: the file that is locked as long as it is open; `nil` if it cannot be locked.
  static func acquire(at path: String) throws -> Int32? {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let file = open(path, flags, 0o600)
    guard file >= 0 else { return nil }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      defer { close(file) }
      guard isTaken else { return nil }
      // It may be on another bus, where `autorotate quit` does not reach it.
      let process = SystemFile.line(of: path).flatMap { UInt32($0) }
      throw Message.alreadyRunning(
        process, stop: process.map { "kill \($0)" } ?? "systemctl --user stop autorotate")
    }
    // The sticky bit keeps the file from periodic clean-up (specification of XDG_RUNTIME_DIR).
    fchmod(file, 0o1600)
    ftruncate(file, 0)
    Console.write("\(getpid())\n", to: file)
    return file
  }

  /// - Returns: the process ID of the daemon that rotates a display of this session; `nil` if there is none.
  static func holder(variable: (String) -> String? = Environment.variable) -> UInt32? {
    let displays = [BackendKind.x11, .wlroots].map { fileName(ofDisplay: display($0, variable)) }
    let paths = places(variable).filter(isOurs).flatMap { place in displays.map { "\(place)/\($0).lock" } }
    return paths.lazy.compactMap(holder(at:)).first
  }

  /// Reads what the kernel knows of the locks of the process in the file, which may be that of an earlier boot. Trying
  /// the lock instead could prevent the start of a daemon at the same time.
  static func holder(at path: String) -> UInt32? {
    var file = stat()
    guard stat(path, &file) == 0, let process = SystemFile.line(of: path).flatMap({ UInt32($0) }) else {
      return nil
    }
    let descriptors = "/proc/\(process)/fdinfo"
    let isHeld = SystemFile.names(in: descriptors).contains { name in
      // "lock: 1: FLOCK  ADVISORY  WRITE 1668 00:1a:12345 0 EOF", with the inode.
      let text = SystemFile.text(of: "\(descriptors)/\(name)") ?? ""
      return text.contains("FLOCK") && text.contains(":\(file.st_ino) ")
    }
    return isHeld ? process : nil
  }

  /// Displays whose names differ only in the screen number are the same display.
  static func display(_ kind: BackendKind, _ variable: (String) -> String?) -> String {
    let x11 = variable("DISPLAY").map { name in
      let name = name.hasPrefix("unix:") ? String(name.dropFirst(4)) : name
      guard let colon = name.lastIndex(of: ":"), let dot = name[colon...].firstIndex(of: ".") else {
        return name
      }
      return String(name[..<dot])
    }
    let wayland = variable("WAYLAND_DISPLAY").flatMap { name in
      name.isEmpty ? nil : name.split(separator: "/").last.map(String.init)
    }
    return (kind == .x11 ? x11 : wayland ?? x11) ?? "display"
  }

  private static func fileName(ofDisplay display: String) -> String {
    String(String.UnicodeScalarView(display.unicodeScalars.map { $0 == "/" ? "_" : $0 }.prefix(100)))
  }

  /// Directories for the files, best first. Only the daemon creates one: if root asked for the status in a user's
  /// session, the directory would be root's.
  private static func places(_ variable: (String) -> String?) -> [String] {
    let runtime = BaseDirectories(variable).runtime.map { [$0] } ?? []
    let usual = ["/run/user/\(getuid())"].filter(isOurs)
    return (runtime + usual).map { "\($0)/autorotate" } + ["/tmp/autorotate-\(getuid())"]
  }

  static func isOurs(_ path: String) -> Bool {
    var file = stat()
    return lstat(path, &file) == 0 && file.st_mode & S_IFMT == S_IFDIR && file.st_uid == getuid()
      && file.st_mode & (S_IWGRP | S_IWOTH) == 0
  }
}

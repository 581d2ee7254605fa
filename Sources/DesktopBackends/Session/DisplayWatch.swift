// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
package import System

/// Reports when to try the display system again: after a socket was created, or after a busy server has answered.
/// Otherwise it retries after growing intervals.
package final class DisplayWatch {
  /// In nanoseconds. While no socket exists, it stops polling after `maximumSocketInterval`:
  /// inotify reports new sockets.
  private static let minimumInterval: Int64 = 50_000_000
  private static let maximumInterval: Int64 = 60_000_000_000
  private static let maximumSocketInterval: Int64 = 2_000_000_000

  private let loop: EventLoop
  private let variable: (String) -> String?
  private let retry: () -> Void
  private var timer: EventTimer?
  private var changes: DirectoryChanges?
  private var arrivals: EventSource?
  private var probe: CompositorSocket?
  private var interval = minimumInterval

  /// - Parameter retry: called from the loop, never from within a call of this.
  package init(
    loop: EventLoop, variable: @escaping (String) -> String? = Environment.variable,
    retry: @escaping () -> Void
  ) throws {
    self.loop = loop
    self.variable = variable
    self.retry = retry
    timer = try loop.timer { retry() }
    watchDirectories()
  }

  /// To be called after each failed attempt.
  /// - Parameter isBusy: whether a server is running that does not answer at the moment.
  package func scheduleRetry(isBusy: Bool) {
    closeProbe()
    // Waits for the reply to a short message in the loop: a full attempt would block the loop.
    if isBusy, sendProbe() { return }
    // inotify will report a new socket.
    if !isBusy, arrivals != nil, interval > Self.maximumSocketInterval, hasNoSocket { return }
    timer?.arm(at: EventLoop.now + interval)
    interval = min(2 * interval, Self.maximumInterval)
  }

  /// False for a display of another machine, where inotify reports nothing.
  private var hasNoSocket: Bool {
    let isRemote = variable("DISPLAY").map { !$0.isEmpty && DisplaySocket.x11Path($0) == nil } ?? false
    return !isRemote && !DisplaySocket.named(variable).contains { access($0.path, F_OK) == 0 }
  }

  // MARK: New sockets

  private func watchDirectories() {
    changes = try? DirectoryChanges()
    let named = DisplaySocket.named(variable).map { $0.path.split(separator: "/") }
    let directories = Set(
      named.map { "/" + $0.dropLast().joined(separator: "/") }
        + [variable("XDG_RUNTIME_DIR")].compactMap(\.self))
    let names = Set(named.compactMap(\.last).map(String.init))
    for directory in directories { _ = try? changes?.add(directory, IN_CREATE | IN_MOVED_TO) }
    guard let changes else { return }
    arrivals = try? loop.watch(changes.descriptor) { [unowned self] in
      if changes.take().contains(where: { names.contains($0.name) || Self.mayBeSocket($0.name) }) {
        // A new socket accepts connections soon.
        retrySoon(at: EventLoop.now + Self.minimumInterval)
      }
    }
  }

  private static func mayBeSocket(_ name: String) -> Bool {
    let beginnings = ["wayland-"] + BackendKind.compositors.map(\.words.socketPrefix)
    return !name.hasSuffix(".lock") && beginnings.contains { name.hasPrefix($0) }
  }

  private func retrySoon(at time: Int64) {
    interval = Self.minimumInterval
    timer?.arm(at: time)
  }

  // MARK: Servers that do not answer

  /// - Returns: whether a server has accepted the connection.
  private func sendProbe() -> Bool {
    for socket in DisplaySocket.named(variable) {
      do {
        let probe = try CompositorSocket(connectingTo: socket.path)
        try probe.send(socket.probe)
        try probe.watch(on: loop) { [unowned self] in
          closeProbe()
          retrySoon(at: 0)
        }
        self.probe = probe
        return true
      } catch { continue }
    }
    return false
  }

  private func closeProbe() {
    probe?.close()
    probe = nil
  }
}

/// The socket of the session's display system, which may not exist yet.
struct DisplaySocket: Equatable {
  var path: String
  /// A message that every server answers, without authentication.
  var probe: [UInt8]

  /// The sockets that the environment names: `WAYLAND_DISPLAY`'s, else `DISPLAY`'s.
  static func named(_ variable: (String) -> String?) -> [Self] {
    let wayland = try? WaylandSocket.path(display: nil, variable: variable)
    let x11 = variable("DISPLAY").flatMap(x11Path)
    return [wayland.map { Self(path: $0, probe: waylandProbe) }, x11.map { Self(path: $0, probe: x11Probe) }]
      .compactMap(\.self)
  }

  /// - Parameter display: ":0" or "unix:0.1"; a display of another machine has no socket.
  static func x11Path(_ display: String) -> String? {
    let parts = display.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].isEmpty || parts[0] == "unix",
      let number = parts[1].split(separator: ".").first, number.allSatisfy(\.isNumber)
    else { return nil }
    return "/tmp/.X11-unix/X\(number)"
  }

  /// The path of this user's only Wayland socket with a compositor behind it, for a program that was started before the
  /// session has set WAYLAND_DISPLAY.
  static func onlyCompositor(in directory: String) -> String? {
    let names = SystemFile.names(in: directory).filter { $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock") }
    let connectable = names.map { "\(directory)/\($0)" }.filter {
      (try? CompositorSocket(connectingTo: $0)) != nil
    }
    return connectable.count == 1 ? connectable[0] : nil
  }

  /// wl_display.sync: wl_display is object 1; its request 0 (sync), of 12 bytes, creates object 2.
  static let waylandProbe: [UInt8] =
    withUnsafeBytes(of: (UInt32(1), UInt32(12 << 16), UInt32(2))) { Array($0) }

  /// The connection setup: the byte order, protocol version 11.0, and no authorization data.
  static let x11Probe: [UInt8] =
    (1.littleEndian == 1 ? [0x6C, 0, 11, 0, 0, 0] : [0x42, 0, 0, 11, 0, 0]) + [0, 0, 0, 0, 0, 0]
}

nonisolated extension Message {
  /// Whether a display system may start later, or is running and does not answer at the moment.
  package var waitingMayHelp: Bool {
    [.displayNone, .displayUnreachable, .displaySilent].contains(code)
  }
}

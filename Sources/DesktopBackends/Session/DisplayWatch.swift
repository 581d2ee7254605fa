// SPDX-License-Identifier: MIT

import Glibc
import System

/// Tells when it may be worth the while to look for the display system again: a socket has come, or who listens
/// there answers. Where nothing tells, time does, ever more seldom.
final class DisplayWatch {
  /// In nanoseconds.
  private static let shortestPause: Int64 = 50_000_000
  private static let longestPause: Int64 = 60_000_000_000
  private static let longestPauseForNothing: Int64 = 2_000_000_000

  private let loop: EventLoop
  private let variable: (String) -> String?
  private let tell: () -> Void
  private var timer: EventTimer?
  private var changes: DirectoryChanges?
  private var arrivals: EventSource?
  private var asked: CompositorSocket?
  private var pause = shortestPause

  /// - Parameter tell: called from the loop, never from within a call of this.
  init(loop: EventLoop, variable: @escaping (String) -> String?, tell: @escaping () -> Void) throws {
    self.loop = loop
    self.variable = variable
    self.tell = tell
    timer = try loop.timer { tell() }
    watchDirectories()
  }

  func stop() {
    timer?.cancel()
    timer = nil
    arrivals?.cancel()
    arrivals = nil
    forgetQuestion()
  }

  /// To be called when a look was in vain.
  func waitOn(_ outlook: Outlook) {
    forgetQuestion()
    // Asking for long what does not answer would hold up the loop; its answer to a short question does not.
    if outlook == .busy, ask() { return }
    // A socket that comes is told of, so nobody has to look for it.
    if outlook == .absent, arrivals != nil, pause > Self.longestPauseForNothing, isNothingThere { return }
    timer?.arm(at: EventLoop.now + pause)
    pause = min(2 * pause, Self.longestPause)
  }

  /// Nor on another machine, from where nothing is told.
  private var isNothingThere: Bool {
    let isElsewhere = variable("DISPLAY").map { !$0.isEmpty && DisplaySocket.x11Path($0) == nil } ?? false
    return !isElsewhere && !DisplaySocket.named(variable).contains { access($0.path, F_OK) == 0 }
  }

  // MARK: Sockets that come

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
        hasCome()
      }
    }
  }

  private static func mayBeSocket(_ name: String) -> Bool {
    let beginnings = ["wayland-"] + BackendKind.compositors.map(\.words.socketPrefix)
    return !name.hasSuffix(".lock") && beginnings.contains { name.hasPrefix($0) }
  }

  /// Who has made a socket listens there soon.
  private func hasCome() {
    pause = Self.shortestPause
    timer?.arm(at: EventLoop.now + Self.shortestPause)
  }

  // MARK: Who listens and does not answer

  /// - Returns: whether there is somebody to ask.
  private func ask() -> Bool {
    for socket in DisplaySocket.named(variable) {
      guard let asked = try? CompositorSocket(connectingTo: socket.path) else { continue }
      guard (try? asked.send(socket.question)) != nil,
        (try? asked.watch(on: loop, readable: { [unowned self] in hasAnswered() })) != nil
      else { continue }
      self.asked = asked
      return true
    }
    return false
  }

  private func hasAnswered() {
    forgetQuestion()
    pause = Self.shortestPause
    timer?.arm(at: 0)
  }

  private func forgetQuestion() {
    asked?.close()
    asked = nil
  }
}

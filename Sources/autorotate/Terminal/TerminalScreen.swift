// SPDX-License-Identifier: MIT

import Glibc

/// The whole terminal for a while; its old contents come back at the end.
///
/// Nothing here blocks: what a stopped terminal does not accept is kept, and dropped when newer output comes.
@MainActor
final class TerminalScreen {
  private let output: Int32
  private let hasOwnOutput: Bool
  private var former: termios?
  private var shown: [String] = []
  /// What the terminal has not taken yet.
  private var pending: [UInt8] = []
  private(set) var isGone = false

  /// How long a stopped terminal may take to accept what restores it.
  private static let attempts = 10
  private static let attemptMilliseconds: Int32 = 50

  private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  private static let leave = "\u{1B}[?25h\u{1B}[?1049l"

  init() {
    // A file description of our own, since others do not want theirs to be non-blocking.
    let own = open("/proc/self/fd/\(STDOUT_FILENO)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    hasOwnOutput = own >= 0
    output = hasOwnOutput ? own : STDOUT_FILENO
    readKeys()
    send(Self.enter)
  }

  /// Columns and rows; 80×24 where the terminal does not tell.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  var isBehind: Bool { !pending.isEmpty }

  /// Shows these rows; sends what has changed.
  func draw(_ rows: [String]) {
    send("")
    guard !isBehind else { return }
    var text = ""
    for (index, row) in rows.enumerated() where index >= shown.count || shown[index] != row {
      text += "\u{1B}[\(index + 1);1H\(row)\u{1B}[K"
    }
    if rows.count < shown.count { text += "\u{1B}[\(rows.count + 1);1H\u{1B}[J" }
    shown = rows
    if !text.isEmpty { send(text) }
  }

  /// To be called when the size has changed: terminals differ in what they leave standing.
  func clear() {
    shown = []
    send("\u{1B}[2J")
  }

  func end() {
    send(Self.leave)
    // The rest of what was begun goes first: half a sequence would spoil ours.
    var room = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    for _ in 0..<Self.attempts where isBehind && !isGone {
      poll(&room, 1, Self.attemptMilliseconds)
      send("")
    }
    if var former { tcsetattr(STDIN_FILENO, TCSANOW, &former) }
    former = nil
    if hasOwnOutput { close(output) }
  }

  /// Keys come at once and are not shown. Signals still come from their keys, but nothing suspends us with
  /// the terminal in our hands.
  private func readKeys() {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    former = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &settings.c_cc) { keys in
      keys[Int(VSUSP)] = 0
      keys[Int(VMIN)] = 1
      keys[Int(VTIME)] = 0
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  private func send(_ text: String) {
    pending += text.utf8
    while !pending.isEmpty {
      let count = pending.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        isGone = isGone || errno != EAGAIN
        return
      }
      pending.removeFirst(count)
    }
  }
}

// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Glibc
import Language
import System

/// Output for users and pipes, unbuffered: a status bar needs each line at once. Paths and texts of other programs are
/// printed without control characters.
enum Console {
  /// Whether a message is dropped rather than waited for until its reader goes on: a terminal after Ctrl-S,
  /// a full pipe.
  nonisolated(unsafe) static var dropsUnread = false
  /// The error code if standard output has lost something that somebody still reads.
  nonisolated(unsafe) private(set) static var outputFailure: Int32?
  /// At most this many bytes fit if a pipe or terminal accepts anything (PIPE_BUF).
  private static let chunk = 4096

  /// Whether standard output is a terminal.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  static func print(_ text: String) { write(text.printableLines + "\n") }

  /// Writes to standard error, with the program's name.
  static func log(_ text: String) {
    var rest = Array("autorotate: \(text.printableLines)\n".utf8)[...]
    while !rest.isEmpty, !dropsUnread || accepts(STDERR_FILENO) {
      try? SystemFile.write(Array(rest.prefix(chunk)), to: STDERR_FILENO, "output")
      rest = rest.dropFirst(chunk)
    }
  }

  static func log(_ message: Message) { log(localized(message)) }

  private static func accepts(_ descriptor: Int32) -> Bool {
    var question = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&question, 1, 0) == 1
  }

  /// As it is, with control characters.
  /// - Returns: whether all of it was written.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) -> Bool {
    do {
      try SystemFile.write(Array(text.utf8), to: descriptor, "output")
      return true
    } catch {
      // If the reader has gone, nobody can be notified.
      if descriptor == STDOUT_FILENO, error.code != EPIPE { outputFailure = error.code }
      return false
    }
  }
}

/// The capabilities of the terminal or pipe that is written to.
struct TerminalStyle: Equatable {
  enum Paint: Int {
    case faint = 2
    case red = 31
    case green = 32
  }

  /// Whether characters beyond ASCII can be shown.
  var isUnicode: Bool
  var hasColour: Bool
}

extension TerminalStyle {
  /// - Parameters:
  ///   - descriptor: of the output.
  ///   - environment: looks up a variable. NO_COLOR is that of no-color.org.
  init(of descriptor: Int32 = STDOUT_FILENO, environment: (String) -> String? = Environment.variable) {
    isUnicode = Environment.isUTF8(environment)
    let wantsNone = !(environment("NO_COLOR") ?? "").isEmpty || Self.isDumb(environment)
    hasColour = !wantsNone && isatty(descriptor) == 1
  }

  /// Whether the terminal cannot move the cursor.
  static func isDumb(_ environment: (String) -> String?) -> Bool {
    ["", "dumb"].contains(environment("TERM") ?? "")
  }

  /// The terminal's width; `nil` if `descriptor` is no terminal, or one that does not report it.
  static func columns(of descriptor: Int32 = STDOUT_FILENO) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  func painted(_ text: String, _ paint: Paint) -> String {
    hasColour ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// The text as it can be shown, without control characters.
  func shown(_ text: String) -> String {
    let shown = text.unicodeScalars.map { scalar -> String in
      if scalar.isDisruptive { return scalar == "\n" ? " " : "?" }
      return isUnicode || scalar.isASCII ? String(scalar) : Self.substitutes[scalar] ?? "?"
    }
    return shown.joined()
  }

  /// ASCII substitutes for the characters in our messages.
  private static let substitutes: [Unicode.Scalar: String] = [
    "“": "\"", "”": "\"", "’": "'", "…": "...", "–": "-", "—": "-", "→": "->", "·": "-", "²": "2",
    "°": " deg", "×": "x", "−": "-",
  ]
}

extension String {
  /// The number of terminal columns.
  var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

  /// In lines of at most this many columns, broken at spaces; a longer word is a line of its own. At least one line.
  func wrapped(to columns: Int) -> [String] {
    split(separator: " ").reduce(into: [""]) { lines, word in
      let last = lines[lines.count - 1]
      if last.isEmpty || "\(last) \(word)".columns <= columns {
        lines[lines.count - 1] += last.isEmpty ? String(word) : " \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }

  /// The longest prefix that fits into this many columns.
  func clipped(to columns: Int) -> String {
    var left = columns
    let fitting = unicodeScalars.prefix { scalar in
      left -= scalar.columns
      return left >= 0
    }
    return String(String.UnicodeScalarView(fitting))
  }
}

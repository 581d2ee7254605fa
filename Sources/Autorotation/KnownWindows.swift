// SPDX-License-Identifier: MIT

/// Which applications have windows, as far as is known: those that the display system lists, else those that had
/// focus lately.
struct KnownWindows: Sendable {
  /// As many windows as a person works with.
  private static let remembered = 16

  /// All names of each application that has a window open; `nil` if the display system does not tell.
  var listed: [[String]]?
  /// Those that had focus, the last one first.
  private var focused: [[String]] = []

  mutating func note(_ window: Window?) {
    guard let window, window.role == .application, !window.identifiers.isEmpty else { return }
    focused.removeAll { $0 == window.identifiers }
    focused.insert(window.identifiers, at: 0)
    if focused.count > Self.remembered { focused.removeLast() }
  }

  private var all: [[String]] { listed ?? focused }

  /// - Parameter pattern: a name, or a pattern with `*` and `?`.
  func contain(_ pattern: String) -> Bool {
    all.joined().contains { ApplicationRule.pattern(pattern, matches: $0) }
  }

  /// One name of each application, in order, each once.
  var names: [String] {
    all.compactMap(\.first).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }
}

// SPDX-License-Identifier: MIT

/// The active window, with the properties that rules depend on.
package struct Window: Equatable, Sendable {
  package enum Role: Sendable {
    /// An application's window, or a dialog of one (then the rest describes the dialog's owner).
    case application
    /// Dock, menu, notification, on-screen keyboard, desktop: ignored.
    case auxiliary
  }

  /// The display system's own identifier.
  package var id: UInt64
  package var role: Role
  /// All names the application goes by: both parts of WM_CLASS, or the Wayland app_id. Cleaned, since any client
  /// may call itself anything.
  package var identifiers: [String]
  /// Its title, of `maximumTitleLength` characters at most; `nil` if the display system does not report it, or while no
  /// rule depends on titles.
  package var title: String?
  package var isFullscreen: Bool
  /// The output that shows most of it; `nil` if the display system does not report it.
  package var output: String?
  /// The orientations that the application's desktop file declares, if it does.
  package var declared: [OrientationName]?
  /// The process that owns it; `nil` if the display system does not report it.
  package var process: Int32?

  /// In Unicode scalars, of which each has four bytes at most. Titles are longer only by mistake or malice.
  package static let maximumTitleLength = 256

  package init(
    id: UInt64, role: Role = .application, identifiers: [String], title: String? = nil,
    isFullscreen: Bool = false,
    output: String? = nil, declared: [OrientationName]? = nil, process: Int32? = nil
  ) {
    self.id = id
    self.role = role
    self.identifiers = identifiers.map { $0.printable() }
    self.title = title?.printable(limit: Self.maximumTitleLength)
    self.isFullscreen = isFullscreen
    self.output = output
    self.declared = declared
    self.process = process
  }

  /// - Parameter application: a name, or a pattern with `*` and `?`.
  func belongs(to application: String) -> Bool {
    identifiers.contains { ApplicationRule.pattern(application, matches: $0) }
  }

  /// The same window with its new title, unless one of these rules distinguishes it from the present one.
  func retitled(like new: Window, by rules: [ApplicationRule]) -> Window {
    let isDistinguished = rules.contains { $0.names(new) && $0.fitsTitle(of: self) != $0.fitsTitle(of: new) }
    guard id == new.id, !isDistinguished else { return self }
    var window = self
    window.title = new.title
    return window
  }
}

/// The applications that have windows, as far as is known: those that the display system lists, else those that had
/// focus recently.
struct KnownWindows: Sendable {
  /// As many windows as a user works with.
  private static let remembered = 16

  /// All names of each application that has a window open; `nil` if the display system does not list them.
  var listed: [[String]]?
  /// The last window of each application that had focus, the last one first.
  private var focused: [Window] = []

  mutating func add(_ window: Window?) {
    guard let window, window.role == .application, !window.identifiers.isEmpty else { return }
    let others = focused.filter { $0.identifiers != window.identifiers }
    focused = Array(([window] + others).prefix(Self.remembered))
  }

  /// All names of each application, each once.
  var all: [[String]] { (listed ?? focused.map(\.identifiers)).filter { !$0.isEmpty }.eachOnce }

  /// A window as if it had focus. What its desktop file declares is known if the application had focus before.
  func window(of names: [String], isFullscreen: Bool = false) -> Window {
    var window = Window(id: 0, identifiers: names, isFullscreen: isFullscreen)
    window.declared = focused.first { $0.identifiers == window.identifiers }?.declared
    return window
  }

  /// - Parameter pattern: a name, or a pattern with `*` and `?`.
  func contain(_ pattern: String) -> Bool {
    all.joined().contains { ApplicationRule.pattern(pattern, matches: $0) }
  }

  /// All names of the application that goes by this one.
  func names(of application: String) -> [String]? {
    all.first { names in names.contains { $0.lowercased() == application.lowercased() } }
  }

  /// One name of each application, in order, each once.
  var names: [String] { all.compactMap(\.first).eachOnce }
}

extension Sequence where Element: Hashable {
  /// The elements in their order, without those that occurred before.
  package var eachOnce: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

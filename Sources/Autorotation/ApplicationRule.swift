// SPDX-License-Identifier: MIT

/// The orientations of one application: a row of the policy table.
package struct ApplicationRule: Equatable, Sendable {
  /// Where a rule comes from; the first has the highest precedence.
  package enum Layer: Comparable, Sendable {
    case user, administrator, shipped, desktopFile
  }

  /// Where it is written, for messages: "apps/mpv.toml:3".
  package var source: String
  package var layer: Layer
  /// Names of applications, without regard to case; `*` and `?` stand for any text and any character.
  package var matches: [String]
  /// Only while the title of its window matches one of these, as in `matches`, or always.
  package var titles: [String]?
  /// Only while fullscreen (true), only while not (false), or always.
  package var fullscreen: Bool?
  /// Only in these postures and their kinds, or always.
  package var postures: [Posture]?
  /// Only while it plays (true), only while not (false), or always.
  package var playing: Bool?
  /// `nil` for all.
  package var supported: [OrientationName]?
  package var preferred: InterfaceOrientation?
  /// False keeps the present orientation while the application has focus.
  package var autoRotate: Bool

  package init(
    source: String, layer: Layer = .user, matches: [String], titles: [String]? = nil, fullscreen: Bool? = nil,
    postures: [Posture]? = nil, playing: Bool? = nil,
    supported: [OrientationName]? = nil, preferred: InterfaceOrientation? = nil, autoRotate: Bool = true
  ) {
    self.source = source
    self.layer = layer
    self.matches = matches
    self.titles = titles
    self.fullscreen = fullscreen
    self.postures = postures
    self.playing = playing
    self.supported = supported
    self.preferred = preferred
    self.autoRotate = autoRotate
  }

  /// Whether it has conditions.
  package var isConditional: Bool {
    titles != nil || fullscreen != nil || postures != nil || playing != nil
  }

  /// The lowest applies first: by layer, and within a layer rules for a title before the others.
  fileprivate var precedence: (Layer, Int) { (layer, titles == nil ? 1 : 0) }

  package func applies(to window: Window, in posture: Posture = .unknown, isPlaying: Bool = false) -> Bool {
    (fullscreen == nil || fullscreen == window.isFullscreen) && (playing == nil || playing == isPlaying)
      && applies(in: posture) && names(window) && fitsTitle(of: window)
  }

  package func applies(in posture: Posture) -> Bool {
    postures.map { $0.contains(where: posture.isKind) } ?? true
  }

  /// Whether it is for this application, fullscreen or not.
  func names(_ window: Window) -> Bool { window.identifiers.contains(where: names) }

  /// Whether it is for windows with this title. An unknown title fits only rules for all titles.
  func fitsTitle(of window: Window) -> Bool {
    guard let titles else { return true }
    return titles.contains { pattern in window.title.map { Self.pattern(pattern, matches: $0) } ?? false }
  }

  /// Whether it is for an application of this name.
  package func names(_ application: String) -> Bool {
    matches.contains { Self.pattern($0, matches: application) }
  }

  /// Matches the whole name as a shell does, without regard to case.
  package static func pattern(_ pattern: String, matches name: String) -> Bool {
    let name = Array(name.lowercased().unicodeScalars)
    // For each prefix of the name, whether the pattern so far matches it.
    var matches = [true] + name.map { _ in false }
    for scalar in pattern.lowercased().unicodeScalars {
      guard let first = matches.firstIndex(of: true) else { return false }
      matches = matches.indices.map { end in
        scalar == "*"
          ? end >= first : end > 0 && matches[end - 1] && (scalar == "?" || scalar == name[end - 1])
      }
    }
    return matches[name.count]
  }
}

extension [ApplicationRule] {
  /// The rule for a window: the first that applies in the layer of highest precedence, there preferably one for its
  /// title, then the window's own desktop file.
  package func rule(
    for window: Window, in posture: Posture = .unknown, isPlaying: Bool = false
  ) -> ApplicationRule? {
    let written = filter { $0.applies(to: window, in: posture, isPlaying: isPlaying) }
      .min { $0.precedence < $1.precedence }
    return written
      ?? window.declared.map {
        ApplicationRule(
          source: "its desktop file", layer: .desktopFile, matches: window.identifiers, supported: $0)
      }
  }

  /// The rules that may apply to an application, by precedence, up to the first without conditions.
  package func candidates(for application: String) -> [ApplicationRule] {
    let named = filter { $0.names(application) }.sorted { $0.precedence < $1.precedence }
    let always = named.firstIndex { !$0.isConditional }
    return Array(named.prefix((always ?? named.count) + 1))
  }
}

// SPDX-License-Identifier: MIT

/// How Hyprland takes settings while it runs: `keyword` where it is configured by hyprland.conf, `eval` where by
/// hyprland.lua, which came with 0.55 and is the only one from 0.57 on.
enum HyprlandLanguage: Equatable {
  case keywords
  case lua

  /// Asked for a chunk that does nothing, Hyprland says `ok` only if it speaks Lua: the others do not know the
  /// request, or say that it is only for the Lua configuration.
  static let question = "/eval return 1"

  init(answer: [UInt8]) {
    self = answer.elementsEqual("ok".utf8) ? .lua : .keywords
  }
}

/// What is said at once.
struct HyprlandCommand: Equatable {
  /// The request.
  var text: String
  /// How many answers it has.
  var count: Int

  /// - Parameter rules: to be in force.
  init(_ rules: [HyprlandRule], in language: HyprlandLanguage) {
    switch language {
    case .keywords: self.init(keywords: rules.map(\.keyword))
    case .lua: self.init(lua: rules.map(\.lua))
    }
  }

  init(keywords: [String]) {
    count = keywords.count
    text = count == 1 ? "/\(keywords[0])" : "[[BATCH]]" + keywords.map { "/\($0)" }.joined(separator: ";")
  }

  init(lua statements: [String]) {
    count = 1
    text = "/eval " + statements.joined(separator: " ")
  }

  /// - Returns: what Hyprland has against it; `nil` if nothing.
  func complaint(in answer: [UInt8]) -> String? {
    let lines = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isNewline)
    let others = lines.filter { $0 != "ok" }
    if let first = others.first { return String(first.prefix(200)) }
    return lines.isEmpty ? "nothing" : nil
  }
}

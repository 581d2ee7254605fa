// SPDX-License-Identifier: MIT

/// Checks that elements are closed in order, and that there is no bare `&` or `<`.
struct XMLCheck {
  private(set) var problem: String?

  var isWellFormed: Bool { problem == nil }

  init(_ text: String) {
    problem = Self.fault(in: text)
  }

  private static func fault(in text: String) -> String? {
    var open: [Substring] = []
    for piece in text.split(separator: "<") {
      guard let end = piece.firstIndex(of: ">") else { return "<\(piece.prefix(40))" }
      let tag = piece[..<end]
      let name = tag.drop { $0 == "/" }.prefix { !" /\n".contains($0) }
      if tag.hasPrefix("?") || tag.hasSuffix("/") { continue }
      if !tag.hasPrefix("/") {
        open.append(name)
      } else if open.popLast() != name {
        return "</\(name)>"
      }
    }
    for piece in text.split(separator: "&").dropFirst() where !piece.prefix(6).contains(";") {
      return "&\(piece.prefix(10))"
    }
    return open.isEmpty ? nil : "open: \(open)"
  }
}

// SPDX-License-Identifier: MIT

import Foundation

/// A Swift file under Sources.
struct SourceFile {
  var path: String
  var target: String
  var text: String

  static func all() throws -> [SourceFile] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
      .standardized
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path())
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      let target = String(path.prefix { $0 != "/" })
      return SourceFile(path: "Sources/\(path)", target: target, text: text)
    }
  }

  /// The modules of all import lines ("func M" for a single function), with line numbers.
  var imports: [(line: Int, module: String)] {
    let kinds: Set = ["typealias", "struct", "class", "enum", "protocol", "let", "var", "func"]
    return code.enumerated().compactMap { number, line in
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let keyword = words.firstIndex(of: "import"), words[..<keyword].allSatisfy(Self.mayPrecedeImport)
      else { return nil }
      guard let name = words[(keyword + 1)...].first(where: { !kinds.contains(String($0)) }) else {
        return nil
      }
      let module = String(name.prefix { $0 != "." && $0 != ";" })
      return (number + 1, words[keyword + 1] == "func" ? "func \(module)" : module)
    }
  }

  private static func mayPrecedeImport(_ word: Substring) -> Bool {
    ["public", "package", "internal", "fileprivate", "private"].contains(word) || word.hasPrefix("@")
  }

  /// All words of the code, with line numbers.
  var words: [(line: Int, word: String)] {
    code.enumerated().flatMap { number, line in
      line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { (number + 1, String($0)) }
    }
  }

  /// The lines without comments and string literals.
  private var code: [Substring] {
    let patterns = [#"(?s)/\*.*?\*/"#, #"(?s)""".*?""""#, #""(\\.|[^"\\\n])*""#, #"//[^\n]*"#]
    // The first match hides the others: a URL in a string, a quote in a comment.
    let pattern = patterns.map { "(?:\($0))" }.joined(separator: "|")
    var code = ""
    var rest = text[...]
    while let range = rest.range(of: pattern, options: .regularExpression) {
      code += rest[..<range.lowerBound]
      code += " "
      code += rest[range].filter(\.isNewline)
      rest = rest[range.upperBound...]
    }
    return (code + rest).split(separator: "\n", omittingEmptySubsequences: false)
  }
}

// SPDX-License-Identifier: MIT

/// Suggestions for mistyped words.
enum Spelling {
  /// The candidate nearest to a mistyped word, if one is similar enough.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let word = plain(word)
    guard !word.isEmpty, word.count <= 40 else { return nil }
    let distances = candidates.map { ($0, distance(word, plain($0))) }
    guard let (candidate, edits) = distances.min(by: { $0.1 < $1.1 }) else { return nil }
    return edits <= max(1, min(word.count, candidate.count) / 3) ? candidate : nil
  }

  /// Ignores case, hyphens, underscores and blanks.
  private static func plain(_ word: String) -> [Unicode.Scalar] {
    word.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" && $0 != " " }
  }

  /// The edit distance of two words: letters added, missing, wrong or swapped (Damerau–Levenshtein, optimal string
  /// alignment).
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var edits = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { edits = min(edits, beforeLast[j - 1] + 1) }
        row.append(edits)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}

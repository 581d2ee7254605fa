// SPDX-License-Identifier: MIT

import Autorotation

/// The value of X-Lomiri-Supported-Orientations, as Lomiri's qtmir reads it (`parseOrientations` in
/// desktopfilereader.cpp): words between semicolons or commas, without regard to case, blanks, `-` and `_`;
/// one word that is unknown makes it mean nothing; `primary` stands alone.
enum DesktopFileOrientations {
  /// - Returns: `nil` if the value does not say anything.
  static func words(_ value: String) -> [OrientationWord]? {
    let words = value.lowercased().split(whereSeparator: { $0 == ";" || $0 == "," })
      .map { $0.filter { !$0.isWhitespace && $0 != "-" && $0 != "_" } }
      .filter { !$0.isEmpty }
    if words == ["primary"] { return [.natural] }
    let known = words.compactMap(word)
    return known.isEmpty || known.count < words.count ? nil : known
  }

  /// Lomiri takes `landscape` and `portrait` for the one that is not inverted. Who writes them means that
  /// the picture shall be wide, or high; on a tablet that may stand on either edge, insisting on one of the
  /// two would show it upside down to half of the people. So each is both.
  private static func word(_ word: String) -> OrientationWord? {
    switch word {
    case "landscape": .landscape
    case "portrait": .portrait
    case "invertedlandscape": .landscapeSecondary
    case "invertedportrait": .portraitSecondary
    default: nil
    }
  }
}

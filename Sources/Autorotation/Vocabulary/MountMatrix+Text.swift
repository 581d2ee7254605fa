// SPDX-License-Identifier: MIT

extension MountMatrix {
  /// As the kernel and udev's hwdb write it: "1, 0, 0; 0, -1, 0; 0, 0, 1".
  package var text: String {
    let cells = elements.map { Int(exactly: $0).map { "\($0)" } ?? "\($0)" }
    return [0, 3, 6].map { cells[$0..<$0 + 3].joined(separator: ", ") }.joined(separator: "; ")
  }
}

// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc

/// The pens of this machine that one draws on the screen with, and whether the kernel's word of them can be read.
/// Looking changes nothing.
package enum PenInspection {
  @MainActor package static var remarks: [Message] {
    PenCandidate.all.map { pen in
      access(pen.path, R_OK) == 0
        ? Message(.penTold, "“\(pen.name)” (\(pen.path)) tells when it is near")
        : .penNotTold(pen.name, pen.path)
    }
  }
}

// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
import System

/// An input device that tells of the posture, as it stands now.
nonisolated package struct PostureInspection: Equatable, Sendable {
  package var witness: PostureWitness
  /// Whether this user may read it.
  package var isReadable: Bool
  package var says: Posture
  /// Whether it is ignored, since libinput calls it unreliable.
  package var isUnreliable = false

  package init(
    _ witness: PostureWitness, isReadable: Bool, says: Posture = .unknown, isUnreliable: Bool = false
  ) {
    self.witness = witness
    self.isReadable = isReadable
    self.says = says
    self.isUnreliable = isUnreliable
  }

  /// All there are, which for keys and a keyboard are those that the settings name.
  @MainActor
  package static func look(_ choice: TabletSwitchChoice, keyboard: String?) -> [Self] {
    let cover = keyboard.map { name in
      let says = KernelInput.isThere(name) ? Posture.laptop : .tablet
      return Self(PostureWitness(kind: .keyboard, name: name), isReadable: true, says: says)
    }
    let ignored = PostureCandidate.ignored(choice).map { Self($0, isReadable: true, isUnreliable: true) }
    return PostureCandidate.all(choice).flatMap(look) + ignored + [cover].compactMap(\.self)
  }

  @MainActor
  private static func look(at candidate: PostureCandidate) -> [Self] {
    let descriptor = open(candidate.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    let states = candidate.switchStates(of: descriptor)
    return candidate.witnesses.map { witness in
      Self(
        witness, isReadable: descriptor >= 0,
        says: states.map { candidate.word(of: witness.kind, on: $0, keys: .unknown) } ?? .unknown)
    }
  }
}

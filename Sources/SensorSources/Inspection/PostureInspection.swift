// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
import System

/// An input device that reports the posture, with its current value.
nonisolated package struct PostureInspection: Equatable, Sendable {
  package var witness: PostureInput
  /// Whether this user may read it.
  package var isReadable: Bool
  package var says: Posture
  /// Whether it is ignored, since libinput marks it as unreliable.
  package var isUnreliable = false

  package init(
    _ witness: PostureInput, isReadable: Bool, says: Posture = .unknown, isUnreliable: Bool = false
  ) {
    self.witness = witness
    self.isReadable = isReadable
    self.says = says
    self.isUnreliable = isUnreliable
  }

  /// All of them; keys and a keyboard only if the settings name them.
  @MainActor
  package static func inspect(_ choice: TabletSwitchChoice, keyboard: String?) -> [Self] {
    let cover = keyboard.map { name in
      let says = KernelInput.isThere(name) ? Posture.laptop : .tablet
      return Self(PostureInput(kind: .keyboard, name: name), isReadable: true, says: says)
    }
    let ignored = PostureCandidate.ignored(choice).map { Self($0, isReadable: true, isUnreliable: true) }
    return PostureCandidate.all(choice).flatMap(inspect) + ignored + [cover].compactMap(\.self)
  }

  @MainActor
  private static func inspect(at candidate: PostureCandidate) -> [Self] {
    let descriptor = open(candidate.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    let states = candidate.switchStates(of: descriptor)
    return candidate.inputs.map { witness in
      Self(
        witness, isReadable: descriptor >= 0,
        says: states.map { candidate.reading(of: witness.kind, on: $0, keys: .unknown) } ?? .unknown)
    }
  }
}

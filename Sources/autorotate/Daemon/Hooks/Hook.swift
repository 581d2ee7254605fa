// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Glibc
import System

/// When hooks run, by their directory.
enum HookKind: String, CaseIterable {
  /// Before a rotation, which waits two seconds for them.
  case will = "will-rotate.d"
  /// After a rotation.
  case did = "did-rotate.d"
  /// After a change of posture.
  case posture = "posture.d"
}

/// A program of the user or the administrator that runs at each rotation or change of posture.
struct Hook: Equatable {
  var kind: HookKind
  var name: String
  var path: String
  /// Whether it is in the user's directory, not in the administrator's.
  var isOfUser = true

  /// For the log: "did-rotate.d/10-recorder".
  var title: String { "\(kind.rawValue)/\(name.printable())" }

  /// Why it is not run: another user could have written it, or it is not executable.
  var problem: Message? {
    if let problem = FileTrust().problem(onWayTo: path) { return .notTrusted(self, problem) }
    guard access(path, X_OK) != 0, errno == EACCES else { return nil }
    return .notStarted(self, SystemError(call: path, code: EACCES))
  }
}

/// What a hook's environment describes.
struct HookContext: Equatable {
  /// The rotation; `nil` for a change of posture.
  var rotation: Rotation?
  var posture = Posture.unknown
  var previousPosture: Posture?
  /// The application in focus, by its first name; "" if there is none.
  var application: String

  var variables: [(name: String, value: String)] {
    let orientations = rotation.map { rotation in
      [
        ("ORIENTATION", rotation.to.word), ("PREVIOUS_ORIENTATION", rotation.from.word),
        ("OUTPUT", rotation.output),
        ("OUTPUTS", rotation.outputs.joined(separator: " ")),
        ("WIDTH", "\(rotation.width)"), ("HEIGHT", "\(rotation.height)"),
      ]
    }
    let before = previousPosture.map { [("AUTOROTATE_PREVIOUS_POSTURE", $0.rawValue)] }
    return (orientations ?? []) + [("AUTOROTATE_POSTURE", posture.rawValue)] + (before ?? []) + [
      ("APP", application)
    ]
  }

  /// The same rotation or change, for hooks that did not run at an earlier one.
  func following(_ skipped: HookContext?) -> HookContext {
    var whole = self
    if let from = skipped?.rotation?.from { whole.rotation?.from = from }
    if let before = skipped?.previousPosture { whole.previousPosture = before }
    return whole
  }
}

/// Finds hooks in the user's directory, then in the administrator's. A hook overrides those of the same name in later
/// directories; an empty file or a link to /dev/null disables them.
struct HookFinder {
  /// The directories that contain `will-rotate.d` and the others, the user's first.
  var directories: [String]

  /// The present hooks, in the order in which they run.
  func hooks(_ kind: HookKind) -> [Hook] {
    let layers = directories.map { directory in
      let path = "\(directory)/\(kind.rawValue)"
      let isOfUser = directory == directories.first
      return SystemFile.names(in: path).map {
        Hook(kind: kind, name: $0, path: "\(path)/\($0)", isOfUser: isOfUser)
      }
    }
    return Self.merge(layers).filter { !Self.isDisabled($0.path) }
  }

  /// The first hook of each name, sorted by the bytes of their names.
  static func merge(_ layers: [[Hook]]) -> [Hook] {
    let hooks = layers.joined().filter { isHook($0.name) }.map { ($0.name, $0) }
    let first = Dictionary(hooks) { first, _ in first }
    return first.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Editors and package managers leave copies, which must not run.
  static func isHook(_ name: String) -> Bool {
    let leftovers = ["~", ".bak", ".swp", ".dpkg-old", ".dpkg-new", ".dpkg-dist", ".rpmsave", ".rpmnew"]
    return !name.hasPrefix(".") && !name.hasPrefix("#") && !leftovers.contains { name.hasSuffix($0) }
  }

  private static func isDisabled(_ path: String) -> Bool {
    var file = stat()
    // If the file has gone, its start will fail and be reported.
    guard stat(path, &file) == 0 else { return false }
    return file.st_mode & S_IFMT != S_IFREG || file.st_size == 0
  }
}

extension HookFinder {
  /// - Parameter variable: looks an environment variable up.
  init(_ variable: (String) -> String? = Environment.variable) {
    self.init(directories: BaseDirectories(variable).config.map { "\($0)/autorotate" })
  }
}

extension Message {
  /// - Parameter error: what posix_spawn answered.
  static func notStarted(_ hook: Hook, _ error: any Error) -> Self {
    let failure = error as? SystemError
    if failure?.code == EACCES {
      let command = (hook.isOfUser ? "" : "sudo ") + "chmod +x \(hook.path.asArgument)"
      return Self(
        .hookNotStarted, "\(hook.title) cannot be started", next: "make it executable with: \(command)")
    }
    let reason: Phrase =
      switch failure?.code {
      case ENOENT: "the file, or the program in its first line, does not exist"
      case ENOEXEC: "its first line names no program, such as #!/bin/sh"
      default: Phrase(verbatim: failure?.reason ?? "\(error)")
      }
    return Self(.hookNotStarted, "\(hook.title) cannot be started: \(reason)")
  }

  /// Another user could have written it.
  static func notTrusted(_ hook: Hook, _ problem: FileTrust.Problem) -> Self {
    let (reason, next) = problem.words(isOfUser: hook.isOfUser)
    return Self(.hookNotTrusted, "\(hook.title) is not run, because \(reason)", next: next)
  }

  /// - Returns: `nil` if it succeeded.
  static func failure(of hook: Hook, _ end: ProcessEnd) -> Self? {
    end == .exited(status: 0) ? nil : Self(.hookFailed, "\(hook.title) \(end.words)")
  }

  /// It ran for so many seconds and was stopped.
  static func overdue(_ hook: Hook, seconds: Double) -> Self {
    let number = Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    return Self(.hookFailed, "\(hook.title) did not end within \(number) s and was stopped")
  }

  /// The rotation did not wait for it any longer; `skipped` are the hooks after it.
  static func late(_ hook: Hook, skipped: [String]) -> Self {
    let others: Phrase = skipped.isEmpty ? "" : " (skipped: \(skipped.joined(separator: ", ")))"
    return Self(
      .hookTimedOut, "\(hook.title) took too long, so the screen was rotated without waiting for it\(others)")
  }
}

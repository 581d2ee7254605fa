// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The desktop's orientation lock, which stops its own auto-rotation: switched on while autorotate takes over, and off
/// again afterwards unless it was on before.
///
/// A file records that autorotate has switched it on, so that a start after a crash knows.
final class OrientationLock {
  private let key: [String]
  private let program: SettingsProgram
  private let stateFile: StateFile
  private var isWanted = false { didSet { if !isWanted { isHeld = false } } }
  private(set) var isHeld = false
  private let steps = StepQueue()

  init(loop: EventLoop, program: String, schema: String, stateFile: StateFile) {
    key = [schema, "orientation-lock"]
    self.program = SettingsProgram(program, loop: loop)
    self.stateFile = stateFile
  }

  /// - Parameter completion: receives the error, if any; not called if `release` comes in between.
  func acquire(_ completion: @escaping (Phrase?) -> Void) {
    isWanted = true
    guard !isHeld else { return completion(nil) }
    steps.add { [weak self] in self?.acquireIfWanted(completion) }
  }

  func release(_ completion: @escaping (Phrase?) -> Void) {
    isWanted = false
    steps.add { [weak self] in self?.restore(completion) }
  }

  /// - Parameter completion: receives whether it is on; `nil` if unknown.
  func read(_ completion: @escaping (Bool?) -> Void) {
    steps.add { [weak self, key] in
      self?.program.run(["get"] + key) { answer in
        completion((try? answer.get()).flatMap { Bool($0) })
        self?.steps.next()
      }
    }
  }

  /// Called when the user has switched it off: nothing has to be restored any more.
  func wasSwitchedOff() {
    isWanted = false
    try? stateFile.remove()
  }

  /// Releases it before this process ends, which would end the program with it.
  func releaseAndWait() {
    isWanted = false
    steps.removeAll()
    program.cancel()
    guard stateFile.exists else { return }
    if program.readAndWait(["set"] + key + ["false"]) != nil { try? stateFile.remove() }
  }

  private func acquireIfWanted(_ completion: @escaping (Phrase?) -> Void) {
    guard isWanted, !isHeld else { return steps.next() }
    program.run(["get"] + key) { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .failure(let failure): finish(completion, "\(failure)")
      case .success(let text) where text == "true":
        isHeld = isWanted
        finish(completion, nil)
      case .success(let text) where text == "false": switchOn(completion)
      case .success(let text): finish(completion, Phrase("gsettings answers “\(text.prefix(80))”"))
      }
    }
  }

  private func switchOn(_ completion: @escaping (Phrase?) -> Void) {
    do {
      try stateFile.write("")
    } catch {
      return finish(completion, Phrase("the state of the lock could not be saved: \(error)"))
    }
    set(true, completion)
  }

  private func restore(_ completion: @escaping (Phrase?) -> Void) {
    guard !isWanted, stateFile.exists else { return steps.next() }
    set(false, completion)
  }

  private func set(_ isOn: Bool, _ completion: @escaping (Phrase?) -> Void) {
    program.run(["set"] + key + ["\(isOn)"]) { [weak self] answer in
      guard let self else { return }
      if case .failure(let failure) = answer { return finish(completion, "\(failure)") }
      if isOn { isHeld = isWanted } else { try? stateFile.remove() }
      finish(completion, nil)
    }
  }

  private func finish(_ completion: (Phrase?) -> Void, _ failure: Phrase?) {
    completion(failure)
    steps.next()
  }
}

/// Reports that a setting of the desktop may have changed: dconf, which stores them, sends a signal.
enum SettingsWatch {
  nonisolated static let writer = BusTarget(
    service: "ca.desrt.dconf", path: "/ca/desrt/dconf/Writer/user", interface: "ca.desrt.dconf.Writer")

  static func start(
    _ bus: Bus, schema: String, _ changed: @escaping () -> Void
  ) throws(BusError) -> Subscription {
    let key = "/\(schema.replacing(".", with: "/"))/orientation-lock"
    return try bus.match(SignalRule(writer, "Notify")) { signal in
      guard let arguments = try? signal.arguments(),
        let prefix: String = try? arguments.read(0), let changes: [String] = try? arguments.read(1)
      else { return }
      // A change that ends with a slash, or is empty, covers all keys below it.
      if changes.contains(where: { key.hasPrefix(prefix + $0) }) { changed() }
    }
  }
}

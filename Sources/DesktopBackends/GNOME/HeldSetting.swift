// SPDX-License-Identifier: MIT

import Autorotation
import System

/// A setting of the desktop that has one value while autorotate needs it, and afterwards the former one again.
///
/// A file keeps the former value if autorotate has changed it, so that a start after a crash knows.
final class HeldSetting {
  private let key: [String]
  private let held: String
  private let others: [String]
  private let program: SettingsProgram
  private let stateFile: StateFile
  private var isWanted = false { didSet { if !isWanted { isHeld = false } } }
  private(set) var isHeld = false
  private let steps = StepQueue()

  /// - Parameters:
  ///   - key: the schema and the name of the setting.
  ///   - held: the value while it is needed.
  ///   - others: all other values; the usual one first.
  init(
    _ key: [String], held: String, others: [String], loop: EventLoop, program: String, stateFile: StateFile
  ) {
    self.key = key
    self.held = held
    self.others = others
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

  /// - Parameter completion: receives the value; `nil` if unknown.
  func read(_ completion: @escaping (String?) -> Void) {
    steps.add { [weak self, key] in
      self?.program.run(["get"] + key) { answer in
        completion(try? answer.get())
        self?.steps.next()
      }
    }
  }

  /// Called when the user has changed it: nothing has to be restored any more.
  func wasChanged() {
    isWanted = false
    try? stateFile.remove()
  }

  /// Releases it before this process ends, which would end the program with it.
  func releaseAndWait() {
    isWanted = false
    steps.removeAll()
    program.cancel()
    guard let former else { return }
    if program.readAndWait(["set"] + key + [former]) != nil { try? stateFile.remove() }
  }

  /// The value to restore; `nil` if it was not changed here. Earlier versions wrote a word more to the touchpad's file,
  /// and nothing to that of the orientation lock.
  private var former: String? {
    stateFile.read().map { text in others.first { text.contains($0) } ?? others[0] }
  }

  private func acquireIfWanted(_ completion: @escaping (Phrase?) -> Void) {
    guard isWanted, !isHeld else { return steps.next() }
    program.run(["get"] + key) { [weak self] answer in
      guard let self else { return }
      switch answer.map({ text in text.filter { $0 != "'" } }) {
      case .failure(let failure): finish(completion, "\(failure)")
      case .success(held):
        isHeld = isWanted
        finish(completion, nil)
      case .success(let text) where others.contains(text): hold(insteadOf: text, completion)
      case .success(let text): finish(completion, Phrase("gsettings answers “\(text.prefix(80))”"))
      }
    }
  }

  private func hold(insteadOf former: String, _ completion: @escaping (Phrase?) -> Void) {
    do {
      try stateFile.write(former)
    } catch {
      return finish(completion, Phrase("the former state could not be saved: \(error)"))
    }
    set(held, completion)
  }

  private func restore(_ completion: @escaping (Phrase?) -> Void) {
    guard !isWanted, let former else { return steps.next() }
    set(former, completion)
  }

  private func set(_ value: String, _ completion: @escaping (Phrase?) -> Void) {
    program.run(["set"] + key + [value]) { [weak self] answer in
      guard let self else { return }
      switch (value == held, answer.failure) {
      case (true, nil): isHeld = isWanted
      case (false, nil): try? stateFile.remove()
      // A program that was killed may have set it all the same.
      case (true, let failure?) where failure.code != .displaySilent: try? stateFile.remove()
      default: break
      }
      finish(completion, answer.failure.map { "\($0)" })
    }
  }

  private func finish(_ completion: (Phrase?) -> Void, _ failure: Phrase?) {
    completion(failure)
    steps.next()
  }
}

// SPDX-License-Identifier: MIT

/// Reads something when it has changed: one reading at a time, and one more if it changed meanwhile.
final class CoalescedReader {
  private let read: (_ finish: @escaping () -> Void) -> Void
  private var isReading = false
  private var isStale = false

  /// - Parameter read: must call `finish` when it has read, or failed.
  init(_ read: @escaping (_ finish: @escaping () -> Void) -> Void) {
    self.read = read
  }

  func callAsFunction() {
    isStale = true
    readIfStale()
  }

  private func readIfStale() {
    guard isStale, !isReading else { return }
    isStale = false
    isReading = true
    read { [weak self] in
      self?.isReading = false
      self?.readIfStale()
    }
  }
}

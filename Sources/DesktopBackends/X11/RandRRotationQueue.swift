// SPDX-License-Identifier: MIT

import Autorotation

/// Requested rotations. The first one is under way and continues when the server has answered.
final class RandRRotationQueue {
  private struct Entry {
    var rotation: RandRRotation
    var completion: (Result<Void, Message>) -> Void
    /// The result, if it was known at once: it is reported in the next pass of the loop, before any later event.
    var result: Result<Void, Message>?
  }

  private let report: Reporter
  private var entries: [Entry] = []
  /// Called before the failure of a begun rotation is reported, but not by `fail`.
  var willReportFailure: () -> Void = {}

  init(_ report: Reporter) {
    self.report = report
  }

  var isEmpty: Bool { entries.isEmpty }
  /// Whether requests were sent that cannot be cancelled.
  var hasSentRequests: Bool { entries.contains(where: \.rotation.hasSentRequests) }

  func add(_ rotation: RandRRotation, _ completion: @escaping (Result<Void, Message>) -> Void) {
    entries.append(Entry(rotation: rotation, completion: completion))
  }

  /// Begins the added rotation, if it is the only one and the server answers.
  /// - Returns: whether it has ended; `reportResult` reports its result.
  func beginIfFirst(_ replies: X11Replies) -> Bool {
    guard entries.count == 1, replies.beginPass(), let result = entries[0].rotation.advance() else {
      return false
    }
    entries[0].result = result
    return true
  }

  /// Needs no server: it works even after the connection has ended.
  func reportResult() {
    if let result = entries.first?.result { finish(result) }
  }

  /// - Returns: whether a rotation has ended.
  @discardableResult
  func advance() -> Bool {
    var hasEnded = false
    while let entry = entries.first, let result = entry.result ?? entry.rotation.advance() {
      finish(result)
      hasEnded = true
    }
    return hasEnded
  }

  private func finish(_ result: Result<Void, Message>) {
    let entry = entries.removeFirst()
    switch result {
    case .success: report.rotated(entry.rotation.rotations)
    case .failure: willReportFailure()
    }
    entry.completion(result)
  }

  /// Removes rotations and reports that they failed.
  /// - Parameter onlyUnsent: keeps rotations whose requests were sent. The others may be out of date when the server
  ///   answers again.
  func fail(onlyUnsent: Bool, _ message: (_ outputs: String) -> Message) {
    let failed = entries.filter { !onlyUnsent || !$0.rotation.hasSentRequests }
    entries.removeAll { !onlyUnsent || !$0.rotation.hasSentRequests }
    for entry in failed { entry.completion(.failure(message(entry.rotation.rotations.names))) }
  }
}

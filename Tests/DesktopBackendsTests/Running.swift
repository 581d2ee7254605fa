// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

/// A backend with its loop and its reports.
@MainActor
final class Running<Backend: DesktopBackend> {
  let loop: EventLoop
  let backend: Backend
  private(set) var events: [Event] = []
  let notes = Notes()
  private(set) var gone: [String] = []
  /// An object that must live as long.
  var other: AnyObject?

  /// - Parameter make: receives the loop, and a closure for messages to the user.
  init(_ make: (EventLoop, @escaping (Message) -> Void) throws -> Backend) throws {
    loop = try EventLoop()
    let notes = notes
    backend = try make(loop) { notes.sentences.append($0.description) }
    try backend.start(
      report: { [unowned self] in events.append($0) }, gone: { [unowned self] in gone.append($0.description) }
    )
    try wait("the first report") { !self.events.isEmpty }
  }

  isolated deinit {
    backend.stop()
  }

  func wait(
    _ what: String, file: StaticString = #fileID, line: UInt = #line, until condition: () throws -> Bool
  ) throws {
    try loop.wait(for: what, file: file, line: line, until: condition)
  }

  @discardableResult
  func rotate(_ output: String, _ transform: DisplayTransform) throws -> Result<Void, Message> {
    try rotate([PanelRotation(output, to: transform)])
  }

  func rotate(_ rotations: [PanelRotation]) throws -> Result<Void, Message> {
    var result: Result<Void, Message>?
    backend.apply(rotations) { result = $0 }
    try wait("the end of a rotation") { result != nil }
    return try #require(result)
  }

  var outputs: [Output] {
    events.reversed().lazy.compactMap { event -> [Output]? in
      if case .outputsChanged(let outputs) = event { outputs } else { nil }
    }.first ?? []
  }

  /// All reports of the active window.
  var focusReports: [Window?] {
    events.compactMap { event -> Window?? in
      if case .focusChanged(let window) = event { .some(window) } else { nil }
    }
  }

  var focused: Window? { focusReports.last ?? nil }
}

/// A backend's messages for the user.
@MainActor
final class Notes {
  var sentences: [String] = []
}

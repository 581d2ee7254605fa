// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

/// A backend, its loop, and what it has reported.
@MainActor
final class RunningDesktop {
  let loop: EventLoop
  let backend: any DesktopBackend
  private(set) var events: [Event] = []
  private(set) var notes: [String] = []
  private(set) var gone: [String] = []
  /// An object that must live as long.
  var other: AnyObject?
  private var isStopped = false

  /// - Parameter make: creates the backend from the loop and the function for notes.
  init(_ make: (EventLoop, @escaping (Message) -> Void) throws -> any DesktopBackend) throws {
    loop = try EventLoop()
    let sink = NoteSink()
    backend = try make(loop) { sink.receive($0) }
    sink.receive = { [unowned self] in notes.append($0.description) }
    try backend.start(
      report: { [unowned self] in events.append($0) }, gone: { [unowned self] in gone.append($0.description) }
    )
    #expect(events.isEmpty, "nothing is reported from within start")
  }

  isolated deinit {
    stop()
  }

  func stop() {
    if !isStopped { backend.stop() }
    isStopped = true
  }

  func wait(
    _ what: String, file: StaticString = #fileID, line: UInt = #line, until condition: () throws -> Bool
  ) throws {
    try loop.wait(for: what, file: file, line: line, until: condition)
  }

  @discardableResult
  func rotate(
    _ output: String, _ transform: DisplayTransform, location: SourceLocation = #_sourceLocation
  ) throws -> Result<Void, Message> {
    var result: Result<Void, Message>?
    backend.apply(transform, to: output) { result = $0 }
    #expect(result == nil, "completed from within apply", sourceLocation: location)
    try wait("the end of a rotation") { result != nil }
    return try #require(result)
  }

  /// Rotates the panel and lets another program rotate it back before the next queued rotation, which fails; expects
  /// a report of that.
  func rotateBackBetweenRotations(location: SourceLocation = #_sourceLocation, _ action: @escaping () -> Void)
    throws
  {
    var eventCount: Int?
    var isOver = false
    backend.apply(.rotated90, to: "eDP-1") { [unowned self] result in
      #expect(result.isSuccess, sourceLocation: location)
      action()
      eventCount = events.count
    }
    backend.apply(.rotated90, to: "DP-9") { _ in isOver = true }
    try wait("both rotations") { isOver }
    try wait("the rotation by another program") { events.count > eventCount ?? 0 }
    #expect(output("eDP-1")?.transform == DisplayTransform.none, sourceLocation: location)
  }

  var outputs: [Output] {
    events.reversed().lazy.compactMap { event -> [Output]? in
      if case .outputsChanged(let outputs) = event { outputs } else { nil }
    }.first ?? []
  }

  func output(_ name: String) -> Output? { outputs.first { $0.name == name } }

  /// All reports of the active window.
  var focusReports: [Window?] {
    events.compactMap { event -> Window?? in
      if case .focusChanged(let window) = event { .some(window) } else { nil }
    }
  }

  var focused: Window? { focusReports.last ?? nil }

  @MainActor
  private final class NoteSink {
    var receive: (Message) -> Void = { _ in }
  }
}

extension Result where Success == Void, Failure == Message {
  var isSuccess: Bool {
    if case .success = self { true } else { false }
  }

  /// The failure; empty for a success.
  var sentence: String {
    if case .failure(let failure) = self { failure.description } else { "" }
  }
}

@MainActor
extension DesktopBackend {
  func apply(
    _ transform: DisplayTransform, to output: String,
    completion: @escaping (Result<Void, Message>) -> Void
  ) {
    apply([PanelRotation(output, to: transform)], completion: completion)
  }
}

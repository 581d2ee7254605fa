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
  /// What has to live as long.
  var other: AnyObject?
  private var isStopped = false

  /// - Parameter make: takes the loop and where to note.
  init(_ make: (EventLoop, @escaping (Message) -> Void) throws -> any DesktopBackend) throws {
    loop = try EventLoop()
    let book = NoteBook()
    backend = try make(loop) { book.take($0) }
    book.take = { [unowned self] in notes.append($0.description) }
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
  func turn(
    _ output: String, _ transform: DisplayTransform, location: SourceLocation = #_sourceLocation
  ) throws -> Result<Void, Message> {
    var result: Result<Void, Message>?
    backend.apply(transform, to: output) { result = $0 }
    #expect(result == nil, "completed from within apply", sourceLocation: location)
    try wait("the end of a rotation") { result != nil }
    return try #require(result)
  }

  /// Turns the panel, lets somebody turn it back before the next turn in the queue, which fails, and expects to be told.
  func turnBackBetweenTwoTurns(location: SourceLocation = #_sourceLocation, _ turnBack: @escaping () -> Void)
    throws
  {
    var told: Int?
    var isOver = false
    backend.apply(.turned90, to: "eDP-1") { [unowned self] result in
      #expect(result.isSuccess, sourceLocation: location)
      turnBack()
      told = events.count
    }
    backend.apply(.turned90, to: "DP-9") { _ in isOver = true }
    try wait("both turns") { isOver }
    try wait("what somebody has turned") { events.count > told ?? 0 }
    #expect(output("eDP-1")?.transform == DisplayTransform.none, sourceLocation: location)
  }

  var outputs: [Output] {
    events.reversed().lazy.compactMap { event -> [Output]? in
      if case .outputsChanged(let outputs) = event { outputs } else { nil }
    }.first ?? []
  }

  func output(_ name: String) -> Output? { outputs.first { $0.name == name } }

  /// What has been told of the active window.
  var focusReports: [Window?] {
    events.compactMap { event -> Window?? in
      if case .focusChanged(let window) = event { .some(window) } else { nil }
    }
  }

  var focused: Window? { focusReports.last ?? nil }

  @MainActor
  private final class NoteBook {
    var take: (Message) -> Void = { _ in }
  }
}

extension Result where Success == Void, Failure == Message {
  var isSuccess: Bool {
    if case .success = self { true } else { false }
  }

  /// Why not; empty if it was.
  var sentence: String {
    if case .failure(let failure) = self { failure.description } else { "" }
  }
}

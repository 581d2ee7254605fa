// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
package import System

/// Stands in for the display system's backend until that can be made: before the session has started it, or while it
/// is busy.
package final class AwaitedBackend: DesktopBackend {
  private let loop: EventLoop
  private let make: () throws -> any DesktopBackend
  private var outlook: Outlook
  private var backend: (any DesktopBackend)?
  private var watch: DisplayWatch?
  private var start: EventTimer?
  private var settings: DisplaySettings?
  private var disabled: DisabledInput?
  private var watchesForDark = false
  private var isSeen = true
  private var report: (Event) -> Void = { _ in }
  private var gone: (Message) -> Void = { _ in }
  /// Told of what makes it pointless to wait on.
  package var hopeless: ((any Error) -> Void)?

  /// - Parameters:
  ///   - outlook: why there is none yet.
  ///   - make: tried whenever something may have changed; throws a `Message` as long as it has not.
  package init(loop: EventLoop, outlook: Outlook, make: @escaping () throws -> any DesktopBackend) {
    self.loop = loop
    self.outlook = outlook
    self.make = make
  }

  package var name: String { backend?.name ?? "the display" }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) throws {
    self.report = report
    self.gone = gone
    let watch = try DisplayWatch(loop: loop, variable: Environment.variable) { [unowned self] in look() }
    self.watch = watch
    watch.waitOn(outlook)
    start = try loop.timer { [unowned self] in if backend == nil { report(.outputsChanged([])) } }
    start?.arm(at: 0)
  }

  package func use(_ settings: DisplaySettings) {
    self.settings = settings
    backend?.use(settings)
  }

  package func apply(_ turns: [PanelTurn], completion: @escaping (Result<Void, Message>) -> Void) {
    guard let backend else {
      return completion(.failure(Message(.displayNone, "there is no display yet", next: "it is waited for")))
    }
    backend.apply(turns, completion: completion)
  }

  package func repair() { backend?.repair() }

  package func sessionChanged(isActive: Bool) { backend?.sessionChanged(isActive: isActive) }

  package var applications: [[String]]? { backend?.applications }

  package func disable(_ devices: DisabledInput?) -> Bool {
    disabled = devices
    // Whether it can be done shows when there is somebody to do it.
    return backend?.disable(devices) ?? true
  }

  package func askWhetherItStays(_ completion: @escaping (Bool) -> Void) {
    guard let backend else { return completion(true) }
    backend.askWhetherItStays(completion)
  }

  package var canTakeOver: Bool { backend?.canTakeOver ?? false }

  package func watchForDark(_ isWanted: Bool) {
    watchesForDark = isWanted
    backend?.watchForDark(isWanted)
  }

  package func sessionChanged(isSeen: Bool) {
    self.isSeen = isSeen
    backend?.sessionChanged(isSeen: isSeen)
  }

  package func stop() {
    watch?.stop()
    watch = nil
    start?.cancel()
    start = nil
    backend?.stop()
  }

  private func look() {
    do {
      let backend = try make()
      watch?.stop()
      watch = nil
      self.backend = backend
      if let settings { backend.use(settings) }
      try backend.start(report: report, gone: gone)
      if let disabled { _ = backend.disable(disabled) }
      backend.sessionChanged(isSeen: isSeen)
      backend.watchForDark(watchesForDark)
    } catch let error as Message where error.outlook != .hopeless && backend == nil {
      watch?.waitOn(error.outlook)
    } catch {
      hopeless?(error)
    }
  }
}

extension SessionDescription {
  /// Nanoseconds. A compositor that does not answer so soon is asked again from the loop, which has to run by then.
  private static let patienceToBegin: Int64 = 400_000_000

  /// As `look`, for one that was started before the session had handed on where it is: then the only compositor of
  /// this person is taken, and named in the environment for all that follows.
  @MainActor
  package static func lookBeyondTheEnvironment() -> Self {
    let session = look(patience: patienceToBegin)
    guard (try? session.choice()) == nil, case .none = session.wayland,
      let directory = BaseDirectories().runtime,
      let socket = DisplaySocket.onlyOne(in: directory)
    else { return session }
    setenv("WAYLAND_DISPLAY", socket.path, 1)
    return look(patience: patienceToBegin)
  }
}

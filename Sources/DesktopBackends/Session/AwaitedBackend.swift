// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
package import System

/// Takes the place of the display system's backend until that can be created: before the session has started the display
/// system, or while it is busy.
package final class AwaitedBackend: DesktopBackend {
  private let loop: EventLoop
  private let make: () throws -> any DesktopBackend
  private var availability: DisplayAvailability
  private var backend: (any DesktopBackend)?
  private var watch: DisplayWatch?
  private var firstReport: EventTimer?
  private var settings: DisplaySettings?
  private var disabled: DisabledInput?
  private var watchesForBlanking = false
  private var watchesTitles = false
  private var isSeen = true
  private var report: (Event) -> Void = { _ in }
  private var gone: (Message) -> Void = { _ in }
  /// Receives the error that makes further waiting pointless.
  package var onUnsupported: ((any Error) -> Void)?

  /// - Parameters:
  ///   - availability: why there is no backend yet.
  ///   - make: called whenever something may have changed; throws a `Message` while there is no backend.
  package init(
    loop: EventLoop, availability: DisplayAvailability, make: @escaping () throws -> any DesktopBackend
  ) {
    self.loop = loop
    self.availability = availability
    self.make = make
  }

  package var name: String { backend?.name ?? "the display" }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) throws {
    self.report = report
    self.gone = gone
    let watch = try DisplayWatch(loop: loop, variable: Environment.variable) { [unowned self] in retry() }
    self.watch = watch
    watch.scheduleRetry(availability)
    firstReport = try loop.timer { [unowned self] in if backend == nil { report(.outputsChanged([])) } }
    firstReport?.arm(at: 0)
  }

  package func use(_ settings: DisplaySettings) {
    self.settings = settings
    backend?.use(settings)
  }

  package func apply(_ rotations: [PanelRotation], completion: @escaping (Result<Void, Message>) -> Void) {
    guard let backend else {
      return completion(.failure(Message(.displayNone, "no display yet", next: "autorotate waits for it")))
    }
    backend.apply(rotations, completion: completion)
  }

  package func repair() { backend?.repair() }

  package func sessionChanged(isActive: Bool) { backend?.sessionChanged(isActive: isActive) }

  package var applications: [[String]]? { backend?.applications }

  package func disable(_ devices: DisabledInput?) -> Bool {
    disabled = devices
    // Only the backend will know whether it can disable devices.
    return backend?.disable(devices) ?? true
  }

  package func askWhetherOrientationIsKept(_ completion: @escaping (Bool) -> Void) {
    guard let backend else { return completion(true) }
    backend.askWhetherOrientationIsKept(completion)
  }

  package var canTakeOver: Bool { backend?.canTakeOver ?? false }

  package func watchForBlanking(_ isWanted: Bool) {
    watchesForBlanking = isWanted
    backend?.watchForBlanking(isWanted)
  }

  package func watchTitles(_ isWanted: Bool) {
    watchesTitles = isWanted
    backend?.watchTitles(isWanted)
  }

  package func sessionChanged(isSeen: Bool) {
    self.isSeen = isSeen
    backend?.sessionChanged(isSeen: isSeen)
  }

  package func stop() {
    watch?.stop()
    watch = nil
    firstReport?.cancel()
    firstReport = nil
    backend?.stop()
  }

  private func retry() {
    do {
      let backend = try make()
      watch?.stop()
      watch = nil
      self.backend = backend
      if let settings { backend.use(settings) }
      try backend.start(report: report, gone: gone)
      if let disabled { _ = backend.disable(disabled) }
      backend.sessionChanged(isSeen: isSeen)
      backend.watchForBlanking(watchesForBlanking)
      backend.watchTitles(watchesTitles)
    } catch let error as Message where error.availability != .unsupported && backend == nil {
      watch?.scheduleRetry(error.availability)
    } catch {
      onUnsupported?(error)
    }
  }
}

extension SessionDescription {
  /// Nanoseconds. A compositor that does not answer within this time is asked again from the loop, which has to run soon.
  private static let startTimeout: Int64 = 400_000_000

  /// Like `current`, also for a daemon that was started before the session has set WAYLAND_DISPLAY: it then uses the only
  /// compositor of this user, and sets the variable for later steps.
  @MainActor
  package static func adoptingOnlyCompositor() -> Self {
    let session = current(timeout: startTimeout)
    guard (try? session.choice()) == nil, case .none = session.wayland,
      let directory = BaseDirectories().runtime,
      let socket = DisplaySocket.onlyCompositor(in: directory)
    else { return session }
    setenv("WAYLAND_DISPLAY", socket.path, 1)
    return current(timeout: startTimeout)
  }
}

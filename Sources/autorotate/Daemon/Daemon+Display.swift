// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import Language
import SensorSources

/// The connection to the display: at once, or as soon as there is one.
extension Daemon {
  /// - Throws: the error to exit with, if there is no display to use or to wait for.
  func connect() throws {
    do {
      backend = try options.makeBackend(loop: loop, displaySettings)
    } catch let error as Message where options.waits && error.waitingMayHelp {
      Console.log(localized("Waiting for a display to rotate: \(error)"))
      displayWatch = try DisplayWatch(loop: loop) { [unowned self] in connectAgain() }
      displayWatch?.scheduleRetry(isBusy: error.code == .displaySilent)
    } catch {
      throw options.ending(for: error)
    }
  }

  private func connectAgain() {
    do {
      let backend = try options.makeBackend(loop: loop, displaySettings)
      displayWatch = nil
      self.backend = backend
      try start(backend)
    } catch let error as Message where error.waitingMayHelp && backend == nil {
      displayWatch?.scheduleRetry(isBusy: error.code == .displaySilent)
    } catch {
      let ending = options.ending(for: error) as? Message
      exit(ending?.status ?? .done, because: ending)
    }
  }

  /// Lets it report, and requests of it what is needed now.
  func start(_ backend: any DesktopBackend) throws {
    try backend.start(
      report: { [unowned self] event in
        if case .focusChanged = event, autorotator.needsWindows {
          post(.windowsListed(self.backend?.applications))
        }
        post(event)
      },
      gone: { [unowned self] reason in
        // `failed` makes the session's starter start it again with the next session. A display that never was there is
        // awaited only with --wait.
        let isLasting = !exitPolicy.hadOutputs && !options.wait
        exit(options.greeter ? .done : isLasting ? .notPossible : .failed, because: reason)
      })
    backend.use(displaySettings)
    tabletFeatures.backend = backend
    if let sleep { backend.visibilityChanged(isVisible: sleep.isSessionVisible) }
    if let sensor { backend.watchForBlanking(sensor.demand != .off) }
    backend.watchTitles(autorotator.needsTitles)
  }
}

/// Decides whether the daemon exits because it has no sensor, or no display that can be rotated.
struct ExitPolicy {
  private var hadSensor = false
  private(set) var hadOutputs = false

  /// A sensor or display that was there once may come back, so its loss is no reason to exit.
  mutating func shouldExit(after event: Event, hasNothingToRotate: Bool) -> Bool {
    switch event {
    case .sensorFound: hadSensor = true
    case .sensorLost: return !hadSensor
    case .outputsChanged where !hadOutputs:
      hadOutputs = true
      return hasNothingToRotate
    default: break
    }
    return false
  }
}

// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import Glibc
import Language
import System

/// What can be done for a person who has just installed autorotate. Each is one question.
enum SetupOffer: Equatable {
  case calibrate
  /// - Parameter desktop: what the desktop does, as the doctor says it.
  case takeOver(desktop: String)
  case unit
  case autostart(path: String)
  case tray(path: String)

  var question: Phrase {
    switch self {
    case .calibrate:
      "Calibrate the sensor now? It takes a minute, and helps if the picture turns the wrong way."
    case .takeOver(let desktop):
      "\(desktop). Shall autorotate turn it instead? This writes take-over = true into config.toml."
    case .unit:
      "Start autorotate with the session, and now? This does: systemctl --user enable --now autorotate"
    case .autostart(let path): "Start autorotate with the session, and now? This writes \(path)"
    case .tray(let path): "Show an icon in the tray with the session, and now? This writes \(path)"
    }
  }

  /// - Parameter program: the path of this program.
  @MainActor
  func perform(program: String) throws {
    switch self {
    case .calibrate: try Calibrate.perform()
    case .takeOver: Console.say(TakeOver.write())
    case .unit: try Self.enableUnit()
    case .autostart:
      try AutostartFile.daemon().perform(program: program)
      Console.say(localized("autorotate runs, and starts with the next session."))
    case .tray:
      try AutostartFile.tray().perform(program: program)
      Console.say(localized("The icon comes where there is a tray, and with the next session."))
    }
  }

  private static func enableUnit() throws {
    guard system("systemctl --user enable --now autorotate") == 0 else {
      throw Message(
        .commandFailed, "the user unit has not started", next: "see: systemctl --user status autorotate")
    }
    Console.say(localized("autorotate runs, and starts with the next session."))
  }
}

extension SetupOffer {
  /// Those that make a difference here, in the order in which they are made.
  static func all(for examination: Examination, directories: BaseDirectories = .init()) -> [Self] {
    [
      calibration(examination), takeOver(examination.display),
      start(examination.program.start, directories),
      tray(examination.program.start, directories),
    ].compactMap(\.self)
  }

  private static func calibration(_ examination: Examination) -> Self? {
    guard case .values = examination.sensor.reading, examination.configuration.machine.mountMatrix == nil
    else { return nil }
    return .calibrate
  }

  private static func takeOver(_ display: DisplayFacts) -> Self? {
    guard let own = try? display.inspection.get().ownRotation, own.code == .desktopTurns else { return nil }
    return .takeOver(desktop: localized(own.what))
  }

  private static func start(_ start: SessionStart, _ directories: BaseDirectories) -> Self? {
    if case .yes = start.answer { return nil }
    switch start.method {
    case .unit: return .unit
    case .autostart: return (try? AutostartFile.daemon(directories)).map { .autostart(path: $0.path) }
    case .line: return nil
    }
  }

  private static func tray(_ start: SessionStart, _ directories: BaseDirectories) -> Self? {
    guard start.methodWithoutUnit == .autostart, let file = try? AutostartFile.tray(directories),
      !file.isThere
    else { return nil }
    return .tray(path: file.path)
  }
}

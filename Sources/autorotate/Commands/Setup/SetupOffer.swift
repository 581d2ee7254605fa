// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import DesktopBackends
import Language
import System

/// What `autorotate setup` can do for the user. Each offer is one question.
enum SetupOffer: Equatable {
  case calibrate
  /// - Parameter desktop: what the desktop does, as `autorotate doctor` reports it.
  case takeOver(desktop: String)
  case unit
  case autostart(path: String)
  /// - Parameter path: of the file that switches the start off.
  case autostartAgain(path: String)
  case tray(path: String)

  var question: Phrase {
    switch self {
    case .calibrate:
      "Calibrate the sensor now? It takes a minute, and helps if the screen rotates the wrong way."
    case .takeOver(let desktop):
      "\(desktop). Should autorotate do it instead? This writes take-over = true to config.toml."
    case .unit:
      "Start autorotate now and at every login? This runs: systemctl --user enable --now autorotate"
    case .autostart(let path): "Start autorotate now and at every login? This writes \(path)"
    case .autostartAgain(let path): "Start autorotate now and at every login? This removes \(path)"
    case .tray(let path): "Show a tray icon now and after every login? This writes \(path)"
    }
  }

  /// - Parameter program: the path of this program.
  @MainActor
  func perform(program: String) throws {
    switch self {
    case .calibrate: try Calibrate.parse([]).perform()
    case .takeOver: Console.print(try TakeOver.write())
    case .unit:
      _ = try UnitMask().remove()
      try UserManager.run("systemctl --user enable --now autorotate")
      Console.print(localized("autorotate is running, and starts at every login."))
    case .autostart, .autostartAgain:
      try SessionSwitch.beginAutostart()
      try AutostartFile.daemon().start(program: program)
      Console.print(localized("autorotate is running, and starts at every login."))
    case .tray:
      let file = try AutostartFile.tray()
      try file.write(program: program)
      try file.start(program: program)
      Console.print(localized("The icon appears if there is a tray, and after every login."))
    }
  }

  // MARK: The choice of offers

  /// The offers that make a difference here, in order.
  static func all(for examination: Examination, directories: BaseDirectories = .init()) -> [Self] {
    [
      calibration(examination), takeOver(examination), start(examination.start, directories),
      tray(examination.start, directories),
    ].compactMap(\.self)
  }

  private static func calibration(_ examination: Examination) -> Self? {
    guard case .success = examination.reading?.values,
      examination.configuration.machine.accelerometer.mountMatrix == nil
    else { return nil }
    return .calibrate
  }

  private static func takeOver(_ examination: Examination) -> Self? {
    guard let own = try? examination.display.get().ownRotation, own.code == .desktopRotates else {
      return nil
    }
    return .takeOver(desktop: localized(own.what))
  }

  static func start(_ start: SessionStart, _ directories: BaseDirectories) -> Self? {
    switch (start.answer, start.method) {
    case (.yes, _), (_, .line): nil
    case (_, .unit): start.isMaskedForAll ? nil : .unit
    case (_, .autostart): autostart(directories)
    }
  }

  /// What `SessionSwitch.beginAutostart` does.
  private static func autostart(_ directories: BaseDirectories) -> Self? {
    guard let files = try? AutostartFile.ofDaemon(directories) else { return nil }
    for file in files {
      guard let entry = try? file.entrySwitchedOff else { continue }
      return entry.hasCommand ? .autostart(path: file.path) : .autostartAgain(path: file.path)
    }
    return .autostart(path: files[0].path)
  }

  private static func tray(_ start: SessionStart, _ directories: BaseDirectories) -> Self? {
    guard start.methodWithoutUnit == .autostart, let file = try? AutostartFile.tray(directories),
      !file.exists
    else { return nil }
    return .tray(path: file.path)
  }
}

/// Writes `take-over = true` into the user's settings. The daemon then reads it like any other change.
enum TakeOver {
  /// - Returns: what was done.
  /// - Throws: what to do instead.
  static func write(_ directories: ConfigurationDirectories = .init()) throws(Message) -> String {
    do throws(Message) {
      let settings = try UserSettings(directories)
      _ = try settings.set(SettingKey(named: "display.take-over"), to: ["true"])
      return localized("take-over = true was written to \(settings.path), as you chose.")
    } catch {
      throw Message(error.code, "Write take-over = true under [display] in config.toml by hand: \(error)")
    }
  }
}

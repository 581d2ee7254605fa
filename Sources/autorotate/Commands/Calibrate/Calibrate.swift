// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import DesktopBackends
import Glibc
import Language
import SensorSources

/// Finds the mount matrix by four holds, and writes it into the person's settings.
struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Find and save how the sensor is mounted."),
    discussion: localized(
      """
      Asks you to hold the device still in four ways, works out the mount matrix and writes it into your \
      config.toml, where it applies at once. It also prints the lines that tell systemd's hardware database, \
      and so everybody with the same machine.
      """))

  @Option(
    help: .said(
      "Instead of asking, read four lines of x,y,z, m/s² in the sensor's own frame: upright, left edge up, "
        + "upside down, flat with the screen up; - is standard input.", valueName: "file"),
    completion: .file())
  var holds: String?

  @Flag(help: .said("Only print the matrix; write nothing."))
  var dryRun = false

  @Flag(help: .said("For a program that shows it: each step as a line of JSON."))
  var json = false

  mutating func run() throws {
    let (holds, dryRun, json) = (holds, dryRun, json)
    try MainActor.assumeIsolated { try Self.perform(holds: holds, isDry: dryRun, isForProgram: json) }
  }

  /// - Parameter holds: a file to read them from; `nil` asks the person.
  @MainActor
  static func perform(holds: String? = nil, isDry: Bool = false, isForProgram: Bool = false) throws {
    var voice: any CalibrationVoice =
      isForProgram ? ReportedCalibration() : SpokenCalibration(style: TerminalStyle(of: STDOUT_FILENO))
    func save(_ matrix: MountMatrix) throws -> (CalibrationOutcome, [String]) {
      let outcome = CalibrationOutcome(ofCasing: matrix, configuration: Configuration.read(from: .init()))
      return (outcome, isDry ? [] : [try outcome.save()])
    }
    let (outcome, saved) =
      try holds.map { try save(matrix(ofHolds: $0)) } ?? GuidedCalibration.run(voice, thenSave: save)
    voice.end(with: outcome.matrix, saved + outcome.advice)
  }

  private static func matrix(ofHolds path: String) throws(Message) -> MountMatrix {
    let means = try HoldsFile(path: path).means
    do {
      return try Calibration.matrix(of: means)
    } catch {
      throw Message(.commandFailed, "no mount matrix fits these holds: \(error)")
    }
  }
}

/// What becomes of a matrix that was found.
@MainActor
private struct CalibrationOutcome {
  private let casing: MountMatrix
  private let configuration: Configuration
  /// How the panel is built in.
  private let mount: PanelMount

  /// - Parameter casing: the holds are those of the casing, which is all that a person sees.
  init(ofCasing casing: MountMatrix, configuration: Configuration) {
    self.casing = casing
    self.configuration = configuration
    mount =
      configuration.settings.panelMount ?? Self.mountOfPanel(chosen: configuration.settings.output) ?? .topUp
  }

  private static func mountOfPanel(chosen: OutputChoice) -> PanelMount? {
    guard let seen = DisplayInspection.ofThisSession() else { return nil }
    let name = chosen.names.first ?? seen.panel
    return seen.outputs.first { $0.name == name }?.mount
  }

  /// For the settings: in the panel's frame, unless they say that the sensor is in the casing's.
  var matrix: MountMatrix { configuration.settings.panelMount == nil ? ofPanel : casing }

  private var ofPanel: MountMatrix { casing.inFrame(ofPanelMounted: mount) }

  /// - Returns: what was done, for the person.
  func save() throws -> String {
    guard let path = ConfigurationDirectories().personalSettings else {
      throw Message(.commandFailed, "no place to write it: set HOME or XDG_CONFIG_HOME")
    }
    let file = SettingsFile(path: path)
    do {
      let old = try file.found()
      let new = try SettingsEdit.settingMountMatrix(matrix, in: old ?? [], path: path)
      guard new != old else { return localized("It is in \(path) already.") }
      try file.write(new, over: old)
    } catch let failure as SettingsEdit.Failure {
      throw refusal(failure, path)
    } catch {
      throw Message(
        .commandFailed, "\(error); write it by hand: mount-matrix = \"\(matrix.text)\" under [sensor]")
    }
    return localized("Written to \(path), where it applies at once.")
  }

  private func refusal(_ failure: SettingsEdit.Failure, _ path: String) -> Message {
    switch failure {
    case .broken(let diagnostics), .mistaken(let diagnostics):
      let faults = diagnostics.map { "\($0)" }.joined(separator: "\n\n")
      return Message(
        .commandMistaken, "the matrix is \(matrix.text), but it was not written: first mend this\n\n\(faults)"
      )
    case .unusual:
      return Message(
        .commandFailed,
        "\(path) is laid out in a way that is better edited by hand: under [sensor], write "
          + "mount-matrix = \"\(matrix.text)\"")
    }
  }

  var advice: [String] {
    // Where the system has this matrix already, there is nothing to send.
    guard let sensor = try? AccelerometerInspection.inspect(), sensor.mountMatrix != ofPanel,
      let modalias = sensor.modalias
    else { return [] }
    let entry = HardwareDatabaseEntry(
      modalias: modalias, machine: sensor.machine, matrix: ofPanel, mount: mount)
    return [
      "",
      localized(
        "For everybody with this machine, send these lines for hwdb.d/60-sensor.hwdb to "
          + "https://github.com/systemd/systemd:"), "",
    ] + entry.lines
  }
}

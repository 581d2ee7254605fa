// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import DesktopBackends
import Glibc
import Language
import SensorSources
import System

struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Find and save how the sensor is mounted."),
    discussion: localized(
      """
      Hold the device still in four orientations when asked. The mount matrix is computed and written to your \
      config.toml, where it applies at once. The entry for systemd's hardware database is printed, too: \
      with it, the matrix can reach everyone who has the same machine.
      """))

  @Option(
    help: .localized(
      "Calibrate this accelerometer, and use it from then on: its name, label or kernel name, such as iio:device1.",
      valueName: "name"))
  var device: String?

  @Flag(help: .localized("Calibrate the accelerometer in the base, for the angle of the hinge."))
  var base = false

  @Option(
    name: .customLong("holds"),
    help: .localized(
      "Read four lines of x,y,z (m/s², in the sensor's own frame) instead of asking: upright, left edge up, "
        + "upside down, flat with the screen up; - is standard input.", valueName: "file"),
    completion: .file())
  var positionsFile: String?

  @Flag(help: .localized("Only print the matrix; write nothing."))
  var dryRun = false

  @Flag(help: .localized("Print each step as a line of JSON, for other programs."))
  var json = false

  func validate() throws {
    guard device == nil || !base else {
      throw misuse("--device names the display's accelerometer, --base means the other.")
    }
  }

  mutating func run() throws { try MainActor.assumeIsolated { try perform() } }

  @MainActor
  func perform() throws {
    if !dryRun { try Environment.refuseSudo(for: "calibrate") }
    let configuration = Configuration.read(from: .init())
    var settings = configuration.machine.accelerometer
    settings.device = device ?? settings.device
    settings.readsBase = base
    if device != nil, let missing = try? AccelerometerInspection.inspect(settings).missingDevice {
      throw Message(.commandMistaken, missing.what, next: "check the name")
    }
    var output: any CalibrationOutput =
      json ? JSONCalibration() : TerminalCalibration(style: TerminalStyle())
    let asks = positionsFile == nil && !json && !dryRun && isatty(STDIN_FILENO) == 1
    // Until the matrix is saved, nothing must be rotated by the one from before.
    let client = positionsFile == nil ? GuidedCalibration.clientKeepingOrientation() : nil
    let outcome = CalibrationOutcome(
      casing: try positionsFile.map { try Self.matrix(fromFile: $0) }
        ?? GuidedCalibration(output, settings).run(),
      configuration: configuration, settings: settings, device: device,
      mount: CalibrationOutcome.panelMount(in: configuration.settings))
    if asks { try outcome.confirm() }
    let warnings: [String] = asks ? [] : outcome.warnings.map(localized)
    let saved = dryRun ? warnings : warnings + [try outcome.save()]
    client?.bus.close()
    output.end(with: outcome.matrix, saved + outcome.advice + (dryRun ? [] : outcome.trial))
  }

  private static func matrix(fromFile path: String) throws(Message) -> MountMatrix {
    let means = try PositionsFile(path: path).means
    do {
      return try Calibration.matrix(of: means)
    } catch {
      throw Message(.commandFailed, "no mount matrix fits these values: \(error)")
    }
  }
}

/// What happens to a matrix that was found.
@MainActor
private struct CalibrationOutcome {
  /// The matrix in the frame of the casing, which is what the user holds.
  let casing: MountMatrix
  let configuration: Configuration
  /// Those with which it was measured.
  let settings: AccelerometerSettings
  /// The accelerometer to use from now on; `nil` for that of the settings.
  let device: String?
  /// `nil` if it is not known.
  let mount: PanelMount?

  static func panelMount(in settings: Settings) -> PanelMount? {
    if let mount = settings.panelMount { return mount }
    guard let seen = try? SessionDescription.current().choice().kind.inspect() else {
      return KernelPanelMounts.ofFirstPanel()
    }
    let name = settings.output.names.first ?? seen.outputs.panelName(chosen: settings.output)
    return seen.outputs.first { $0.name == name }?.mount ?? KernelPanelMounts.ofFirstPanel()
  }

  /// For the settings: in the panel's frame, unless they set the panel's mount, which implies the casing's frame.
  var matrix: MountMatrix { configuration.settings.panelMount == nil ? ofPanel : casing }

  private var ofPanel: MountMatrix { casing.inFrame(ofPanelMounted: mount ?? .topUp) }

  var warnings: [Phrase] { [mirrorWarning, mountWarning].compactMap(\.self) }

  /// That the matrix mirrors an axis.
  private var mirrorWarning: Phrase? {
    guard let doubtful = Calibration.doubtfulPosition(in: casing) else { return nil }
    let count = Calibration.Position.allCases.count
    return "Warning: the mount matrix \(matrix.text) mirrors an axis, which only some sensors need. "
      + "In step \(doubtful.number)/\(count) (\(doubtful.name)) the device was probably held the other way."
  }

  /// That the panel may be mounted sideways.
  private var mountWarning: Phrase? {
    guard mount == nil else { return nil }
    return
      "Warning: without a display it is not known how the panel is mounted. If it is not mounted top up, the matrix "
      + "is wrong: run `autorotate calibrate` in the desktop session, or set panel-mount under [display] first."
  }

  /// Asks on the terminal before an unlikely matrix is written.
  func confirm() throws(Message) {
    guard !warnings.isEmpty else { return }
    var prompt = YesNoPrompt()
    for warning in warnings { Console.print(prompt.style.shown(localized(warning))) }
    let question: Phrase = "Write this matrix all the same?"
    guard prompt.isYes(question) else {
      throw Message(.commandFailed, "the matrix was not written", next: "run `autorotate calibrate` again")
    }
  }

  /// What to do after the matrix was written.
  var trial: [String] {
    let undo = ([key] + (device == nil ? [] : ["device"])).map { "autorotate config unset sensor.\($0)" }
      .joined(separator: " && ")
    return ["", localized("Rotate the device to try it. To undo: \(undo)")]
  }

  private var key: String { settings.readsBase ? "base-mount-matrix" : "mount-matrix" }

  /// - Returns: what was done, for the user.
  func save() throws(Message) -> String {
    let settings = try UserSettings(ConfigurationDirectories())
    do throws(Message) {
      var values: [UserSettings.Value] = [(try SettingKey(named: "sensor.\(key)"), [matrix.text])]
      if let device { values.append((try SettingKey(named: "sensor.device"), [device])) }
      guard try settings.set(values) else { return localized("\(settings.path) already contains it.") }
    } catch {
      // It may already name the line to write.
      guard !error.description.contains(matrix.text) else { throw error }
      throw Message(
        error.code,
        "the matrix was not saved. Write it by hand: \(key) = \"\(matrix.text)\" under [sensor]. Reason: \(error)"
      )
    }
    return localized("Written to \(settings.path), where it applies at once.")
  }

  /// The entry for systemd's hardware database, or why there is none.
  var advice: [String] {
    if settings.readsBase { return [] }
    do {
      return try [
        "",
        localized(
          "To help others with this machine, send these lines for hwdb.d/60-sensor.hwdb to "
            + "https://github.com/systemd/systemd:"), "",
      ] + entry().lines
    } catch {
      return [localized("No entry for systemd's hardware database: \(error.what).")]
    }
  }

  private func entry() throws(Message) -> HardwareDatabaseEntry {
    guard let mount else {
      throw Message(.commandNotPossible, "it is not known how the panel is mounted")
    }
    var settings = AccelerometerSettings()
    settings.device = self.settings.device
    let sensor = try AccelerometerInspection.inspect(settings)
    guard sensor.mount.matrix != ofPanel else {
      throw Message(.commandNotPossible, "the system already has this matrix")
    }
    guard let modalias = sensor.modalias else {
      throw Message(.commandNotPossible, "the kernel reports no modalias of the sensor to find it by")
    }
    return HardwareDatabaseEntry(modalias: modalias, machine: sensor.machine, matrix: ofPanel, mount: mount)
  }
}

/// The lines for systemd's hwdb.d/60-sensor.hwdb that set the matrix for all machines of this model.
struct HardwareDatabaseEntry {
  let modalias: String
  /// The machine's modalias; `nil` without DMI.
  let machine: String?
  /// In the frame of the panel, as the head of 60-sensor.hwdb requires.
  let matrix: MountMatrix
  var mount = PanelMount.topUp

  var lines: [String] {
    [
      "# Matrix in the frame of the panel, which is mounted \(mount.word)", key,
      " ACCEL_MOUNT_MATRIX=\(matrix.text)",
    ]
  }

  /// udev's rule for sensors looks up "sensor:modalias:<sensor's modalias>:<machine's modalias>".
  private var key: String { "sensor:modalias:\(Self.literal(sensor))*:\(machinePattern)" }

  /// The bus and the device's first name; the other names are left out.
  private var sensor: String {
    guard modalias.hasPrefix("acpi:") else { return modalias }
    return modalias.split(separator: ":", omittingEmptySubsequences: false).prefix(2).joined(separator: ":")
  }

  /// Only vendor and product, as upstream does: firmware versions change.
  private var machinePattern: String {
    let parts = (machine ?? "").split(separator: ":")
    let maker = parts.first { $0.hasPrefix("svn") }
    let product = parts.first { $0.hasPrefix("pn") }
    guard let maker, let product else { return "*" }
    return "dmi:*:\(Self.literal(String(maker))):\(Self.literal(String(product))):*"
  }

  /// The keys of the database are patterns.
  private static func literal(_ text: String) -> String {
    String(text.map { "*?[]\\".contains($0) ? "?" : $0 })
  }
}

/// Four device orientations that were measured elsewhere: lines of x,y,z in the sensor's own frame, m/s².
struct PositionsFile {
  private(set) var means: [Acceleration] = []

  /// - Parameter path: or "-" for standard input.
  init(path: String) throws(Message) {
    let name = path == "-" ? localized("standard input") : path
    var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    defer { if path != "-", descriptor >= 0 { close(descriptor) } }
    // If it cannot be opened, that is the reason, and reading would only hide it.
    var count = descriptor < 0 ? -1 : read(descriptor, &chunk, chunk.count)
    // A script may write its lines one by one.
    while count > 0, bytes.count < chunk.count {
      bytes += chunk.prefix(count)
      count = read(descriptor, &chunk, chunk.count)
    }
    guard count >= 0 else {
      throw Message(
        .commandMistaken, "\(name): \(String(cString: strerror(errno))). Give the path of a readable file")
    }
    try self.init(text: String(decoding: bytes, as: UTF8.self), name: name)
  }

  init(text: String, name: String) throws(Message) {
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let words = line.prefix { $0 != "#" }.split { $0 == "," || $0.isWhitespace }
      guard !words.isEmpty else { continue }
      let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
      guard words.count == 3, numbers.count == 3 else {
        throw Message(
          .commandMistaken,
          "\(name):\(number + 1): not three numbers. Write x,y,z in m/s², as in 0.1,-9.8,0.3")
      }
      means.append(Acceleration(x: numbers[0], y: numbers[1], z: numbers[2]))
    }
    guard means.count == Calibration.Position.allCases.count else {
      let names = Calibration.Position.allCases.map(\.name).joined(separator: ", ")
      throw Message(.commandMistaken, "\(name) has \(means.count) lines of x,y,z; four are needed: \(names)")
    }
  }
}

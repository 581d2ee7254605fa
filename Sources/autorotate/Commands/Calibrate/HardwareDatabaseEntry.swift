// SPDX-License-Identifier: MIT

import Autorotation
import Configuration

/// The lines for systemd's hwdb.d/60-sensor.hwdb that tell a matrix to everybody with this machine.
struct HardwareDatabaseEntry {
  let modalias: String
  /// The machine's; `nil` where there is no DMI.
  let machine: String?
  /// In the frame of the panel, as the database's head asks.
  let matrix: MountMatrix
  var mount = PanelMount.topUp

  var lines: [String] { [comment, key, " ACCEL_MOUNT_MATRIX=\(matrix.text)"] }

  private var comment: String {
    "# Matrix in the frame of the panel, which is mounted \(mount.word)"
  }

  /// What udev's rule for sensors looks up is "sensor:modalias:", the sensor's, ":", the machine's.
  private var key: String {
    "sensor:modalias:\(Self.literal(sensor))*:\(machinePattern)"
  }

  /// The bus and the device's first name; what follows are others it goes by.
  private var sensor: String {
    let parts = modalias.split(separator: ":", omittingEmptySubsequences: false)
    let keepsAll = !modalias.hasPrefix("acpi:")
    return keepsAll ? modalias : parts.prefix(2).joined(separator: ":")
  }

  /// The maker and the product alone, as upstream has it: firmware is updated.
  private var machinePattern: String {
    let parts = (machine ?? "").split(separator: ":")
    let maker = parts.first { $0.hasPrefix("svn") }
    let product = parts.first { $0.hasPrefix("pn") }
    guard let maker, let product else { return "*" }
    return "dmi:*:\(Self.literal(String(maker))):\(Self.literal(String(product))):*"
  }

  /// The database's keys are patterns.
  private static func literal(_ text: String) -> String {
    String(text.map { "*?[]\\".contains($0) ? "?" : $0 })
  }
}

// SPDX-License-Identifier: MIT

import Autorotation
import Configuration

/// The lines for systemd's hwdb.d/60-sensor.hwdb that set the matrix for all machines of this model.
struct HardwareDatabaseEntry {
  let modalias: String
  /// The machine's modalias; `nil` without DMI.
  let machine: String?
  /// In the frame of the panel, as the head of 60-sensor.hwdb requires.
  let matrix: MountMatrix
  var mount = PanelMount.topUp

  var lines: [String] { [comment, key, " ACCEL_MOUNT_MATRIX=\(matrix.text)"] }

  private var comment: String {
    "# Matrix in the frame of the panel, which is mounted \(mount.word)"
  }

  /// udev's rule for sensors looks up "sensor:modalias:<sensor's modalias>:<machine's modalias>".
  private var key: String {
    "sensor:modalias:\(Self.literal(sensor))*:\(machinePattern)"
  }

  /// The bus and the device's first name; the other names are left out.
  private var sensor: String {
    let parts = modalias.split(separator: ":", omittingEmptySubsequences: false)
    let keepsAll = !modalias.hasPrefix("acpi:")
    return keepsAll ? modalias : parts.prefix(2).joined(separator: ":")
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

// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
import System

/// The facts about the display's accelerometer that need no read of its values, which may take long.
nonisolated package struct AccelerometerInspection: Equatable, Sendable {
  /// Shown to the user: "accel_3d (iio:device0)".
  package var title: String
  package var mountMatrix: MountMatrix
  /// The source of the matrix, shown to the user.
  package var matrixSource: Phrase
  /// One for each matrix that could not be used.
  package var matrixProblems: [Message]
  /// The accelerometer in the base, with which the angle of the hinge can be measured; `nil` if there is none.
  package var base: String?
  /// Other accelerometers that may be the display's, shown to the user.
  package var rivals: [String]
  /// The gyroscope that rotates with it; `nil` if there is none.
  package var gyroscope: String?
  /// Whether the sensor's buffer is on, for which some drivers refuse raw reads.
  package var isStreaming: Bool
  /// The keys of the sensor and the machine in udev's hardware database; `nil` if the kernel has none.
  package var modalias: String?
  package var machine: String?

  package init(
    title: String, mountMatrix: MountMatrix = .identity, matrixSource: Phrase = "",
    matrixProblems: [Message] = [], base: String? = nil, rivals: [String] = [],
    gyroscope: String? = nil, isStreaming: Bool = false, modalias: String? = nil, machine: String? = nil
  ) {
    self.title = title
    self.mountMatrix = mountMatrix
    self.matrixSource = matrixSource
    self.matrixProblems = matrixProblems
    self.base = base
    self.rivals = rivals
    self.gyroscope = gyroscope
    self.isStreaming = isStreaming
    self.modalias = modalias
    self.machine = machine
  }

  /// - Parameter mountMatrix: overrides those of udev and the kernel.
  package static func inspect(mountMatrix: MountMatrix? = nil) throws(Message) -> Self {
    try Self(context: IIOContext(), mountMatrix: mountMatrix)
  }

  private init(context: IIOContext, mountMatrix: MountMatrix?) throws(Message) {
    let devices = context.accelerometers.map { (device: $0, candidate: $0.candidate) }
    let chosen = try AccelerometerCandidate.choose(.display, from: devices.map(\.candidate))
    guard let device = devices.first(where: { $0.candidate.id == chosen.id })?.device else {
      throw .noAccelerometer
    }
    let display = HingeFrame.Sensor(.display, device, override: mountMatrix)
    let mount = display.mount
    let hinge = Self.hinge(display, among: devices)
    self.init(
      title: chosen.title, mountMatrix: mount.matrix, matrixSource: mount.source,
      matrixProblems: mount.problems + hinge.problems, base: hinge.base,
      rivals: chosen.rivals(among: devices.map(\.candidate)).map(\.title),
      gyroscope: context.gyroscope(of: device)?.device.candidate.title,
      isStreaming: Self.isStreaming(chosen.id),
      modalias: Self.modalias(chosen.id),
      machine: SystemFile.line(of: "/sys/class/dmi/id/modalias").flatMap { $0.isEmpty ? nil : $0 })
  }

  private static func hinge(
    _ display: HingeFrame.Sensor, among devices: [(device: IIODevice, candidate: AccelerometerCandidate)]
  ) -> (base: String?, problems: [Message]) {
    guard let chosen = try? AccelerometerCandidate.choose(.base, from: devices.map(\.candidate)),
      let base = devices.first(where: { $0.candidate.id == chosen.id })?.device
    else { return (nil, []) }
    return HingeFrame.areOfOppositeHandedness(display, HingeFrame.Sensor(.base, base))
      ? (nil, [.contradictoryHingeMatrices(chosen.title)]) : (chosen.title, [])
  }

  private static func isStreaming(_ id: String) -> Bool {
    SystemFile.line(of: "/sys/bus/iio/devices/\(id)/buffer/enable") == "1"
  }

  /// Of the nearest parent device on the buses that udev's rule for sensors considers.
  private static func modalias(_ id: String) -> String? {
    let hardware = SystemFile.upward(from: "/sys/bus/iio/devices/\(id)").filter {
      ["usb", "i2c", "platform"].contains(SystemFile.linkName(of: "\($0)/subsystem"))
    }
    return hardware.lazy.compactMap { SystemFile.line(of: "\($0)/modalias") }.first
  }
}

// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
import System

/// What can be said of the display's accelerometer without reading a value of it, which may take long.
nonisolated package struct AccelerometerInspection: Equatable, Sendable {
  /// For the person: "accel_3d (iio:device0)".
  package var title: String
  package var mountMatrix: MountMatrix
  /// Where the matrix comes from, for the person.
  package var matrixSource: Phrase
  /// Of each matrix that could not be used.
  package var matrixProblems: [Message]
  /// A second accelerometer, in the base, with which the hinge's angle can be told; `nil` if there is none.
  package var base: String?
  /// Other accelerometers that might as well be the display's, for the person.
  package var rivals: [String]
  /// The gyroscope that turns with it; `nil` if there is none.
  package var gyroscope: String?
  /// Whether somebody has the sensor's buffer running, which lets some drivers refuse raw reads.
  package var isStreaming: Bool
  /// What udev's hardware database knows the sensor and the machine by; `nil` where the kernel has no
  /// word for them.
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

  /// - Parameter mountMatrix: instead of what udev and the kernel say.
  package static func look(mountMatrix: MountMatrix? = nil) throws(Message) -> Self {
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
      ? (nil, [.oppositeHinge(chosen.title)]) : (chosen.title, [])
  }

  private static func isStreaming(_ id: String) -> Bool {
    SystemFile.line(of: "/sys/bus/iio/devices/\(id)/buffer/enable") == "1"
  }

  /// The hardware's: that of the nearest device above among which udev's rule for sensors looks.
  private static func modalias(_ id: String) -> String? {
    let hardware = SystemFile.upward(from: "/sys/bus/iio/devices/\(id)").filter {
      ["usb", "i2c", "platform"].contains(SystemFile.linkName(of: "\($0)/subsystem"))
    }
    return hardware.lazy.compactMap { SystemFile.line(of: "\($0)/modalias") }.first
  }
}

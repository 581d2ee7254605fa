// SPDX-License-Identifier: MIT

package import Autorotation
import Glibc
import System

/// The facts about the display's accelerometer that need no read of its values, which may take long.
nonisolated package struct AccelerometerInspection: Equatable, Sendable {
  /// Shown to the user: "accel_3d (iio:device0)".
  package var title: String
  /// Of the display.
  package var mount: MountMatrixChoice
  /// The accelerometer in the base, with which the angle of the hinge can be measured; `nil` if there is none.
  package var base: String?
  /// Why the base's matrix, or the two matrices together, cannot be used as they are.
  package var baseProblem: Message?
  /// The kernel's hinge sensor; `nil` if there is none. A failure is why it cannot be used.
  package var hinge = Result<String?, Message>.success(nil)
  /// Other accelerometers that may be the display's, shown to the user.
  package var alternatives: [String] = []
  /// That the accelerometer named in the settings is missing.
  package var missingDevice: Message?
  /// The gyroscope that rotates with it; `nil` if there is none.
  package var gyroscope: String?
  /// Whether the sensor's buffer is on, for which some drivers refuse raw reads.
  package var isStreaming = false
  /// The keys of the sensor and the machine in udev's hardware database; `nil` if the kernel has none.
  package var modalias: String?
  package var machine: String?
}

nonisolated extension AccelerometerInspection {
  package static func inspect(_ settings: AccelerometerSettings = .init()) throws(Message) -> Self {
    try Self(context: IIOContext(), settings)
  }

  private init(context: IIOContext, _ settings: AccelerometerSettings) throws(Message) {
    let (device, missing) = try context.choose(.display, settings)
    let chosen = device.candidate
    let display = MountedAccelerometer(.display, device, settings)
    let found = Self.base(beside: display, context, settings)
    self.init(title: display.title, mount: display.mount)
    (base, baseProblem) = found
    alternatives = chosen.alternatives(among: context.accelerometers.map(\.candidate)).map(\.title)
      .filter { $0 != found.title }
    missingDevice = missing
    gyroscope = context.gyroscope(of: device)?.device.candidate.title
    isStreaming = SystemFile.line(of: "/sys/bus/iio/devices/\(chosen.id)/buffer/enable") == "1"
    modalias = Self.modalias(chosen.id)
    machine = SystemFile.line(of: "/sys/class/dmi/id/modalias").flatMap { $0.isEmpty ? nil : $0 }
    hinge = Result { () throws(Message) in try HingeSensor(of: context)?.title }
  }

  private static func base(
    beside display: MountedAccelerometer, _ context: IIOContext, _ settings: AccelerometerSettings
  ) -> (title: String?, problem: Message?) {
    guard let device = try? context.choose(.base, settings).device else { return (nil, nil) }
    let base = MountedAccelerometer(.base, device, settings)
    guard !HingeFrame.areOfOppositeHandedness(display, base) else {
      return (nil, Message.contradictoryHingeMatrices(base.title))
    }
    let problem = base.mount.problems.first.map { problem in
      Message(
        problem.code, "in the base, \(base.title): \(problem.what)",
        next: "find the right matrix with: autorotate calibrate --base")
    }
    return (base.title, problem)
  }

  /// Of the nearest parent device on the buses that udev's rule for sensors considers.
  private static func modalias(_ id: String) -> String? {
    let hardware = SystemFile.upward(from: "/sys/bus/iio/devices/\(id)").filter {
      ["usb", "i2c", "platform"].contains(SystemFile.linkName(of: "\($0)/subsystem"))
    }
    return hardware.lazy.compactMap { SystemFile.line(of: "\($0)/modalias") }.first
  }
}

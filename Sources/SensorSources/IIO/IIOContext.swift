// SPDX-License-Identifier: MIT

import Autorotation
import CLibIIO
import CSystemd
import Glibc
import System

/// libiio's snapshot of the kernel's sensors. Belongs to the thread that made it.
nonisolated final class IIOContext {
  private let iio: LibIIO
  private let context: OpaquePointer

  /// - Throws: `.noAccelerometer` if the kernel has no sensor at all, or why libiio cannot be loaded. Each call tries
  ///   again.
  init() throws(Message) {
    var reason: UnsafePointer<CChar>?
    guard let functions = clibiio_load(&reason) else {
      throw .unloadable(reason: "\(reason.map { String(cString: $0) } ?? "no reason is given")")
    }
    iio = functions
    guard let context = iio.pointee.create_local_context() else {
      let code = errno
      throw [ENOENT, ENODEV, ENOSYS].contains(code) ? .noAccelerometer : .unreadable("list", code: code)
    }
    self.context = context
  }

  deinit {
    iio.pointee.context_destroy(context)
  }

  /// All devices that measure acceleration.
  var accelerometers: [IIODevice] { devices.filter(\.isAccelerometer) }

  /// The accelerometer of the display or the base.
  /// - Returns: it, and that the one named in the settings is missing.
  func choose(
    _ place: AccelerometerCandidate.Place, _ settings: AccelerometerSettings
  ) throws(Message) -> (device: IIODevice, missing: Message?) {
    let devices = accelerometers
    let all = devices.map(\.candidate)
    let chosen = try AccelerometerCandidate.choose(place, named: settings.device, from: all)
    guard let device = devices.first(where: { $0.id == chosen.id }) else { throw .noAccelerometer }
    guard let name = settings.device, AccelerometerCandidate.first(named: name, of: all) == nil else {
      return (device, nil)
    }
    return (device, .missingAccelerometer(name, instead: chosen.title, of: all.map(\.title)))
  }

  /// The first device that the kernel calls a hinge, or that has an angle with that label.
  var hinge: IIODevice? { devices.first { $0.candidate.name == "hinge" || !$0.hingeAngles.isEmpty } }

  /// All devices that measure an angular rate about three axes.
  var gyroscopes: [IIODevice] { devices.filter(\.isGyroscope) }

  private var devices: [IIODevice] {
    (0..<iio.pointee.context_get_devices_count(context)).compactMap { index in
      iio.pointee.context_get_device(context, index).map { IIODevice(iio: iio, device: $0) }
    }
  }
}

/// A device of an `IIOContext`, which must outlive it.
nonisolated struct IIODevice {
  static let axes = ["accel_x", "accel_y", "accel_z"]
  static let rates = ["anglvel_x", "anglvel_y", "anglvel_z"]
  private static let angles = ["angl0", "angl1", "angl2"]

  fileprivate let iio: LibIIO
  let device: OpaquePointer

  var id: String { iio.pointee.device_get_id(device).map { String(cString: $0) } ?? "" }

  var isAccelerometer: Bool { Self.axes.contains { channel($0) != nil } }

  var isGyroscope: Bool { Self.rates.allSatisfy { channel($0)?.has("raw") == true } }

  /// The channels with the label of the angle between display and base. The kernel's hid-sensor-custom-intel-hinge
  /// has one, beside "screen" and "keyboard".
  var hingeAngles: [String] { Self.angles.filter { (try? channel($0)?.text("label")) == "hinge" } }

  var candidate: AccelerometerCandidate {
    let udev = UdevDevice(subsystem: "iio", name: id)
    return AccelerometerCandidate(
      id: id,
      name: iio.pointee.device_get_name(device).map { String(cString: $0) },
      label: iio.pointee.device_get_label(device).map { String(cString: $0) },
      location: attribute("location"),
      udevLocation: udev?.property("ACCEL_LOCATION"),
      hasThreeAxes: Self.axes.allSatisfy { channel($0)?.has("raw") == true },
      isInJoypad: udev?.isPartOfJoypad ?? false,
      path: udev?.path)
  }

  /// The mount matrices, highest precedence first, in the order of iio-sensor-proxy, so that a device corrected for one
  /// is right for the other.
  /// - Parameter kind: the channel type of the kernel: "accel", "anglvel".
  func mountMatrices(of kind: String = "accel") -> [MountMatrixChoice.Candidate] {
    let udev = UdevDevice(subsystem: "iio", name: id)
    typealias Origin = MountMatrixChoice.Origin
    let sources: [(Phrase, String?, Origin)] = [
      ("udev's ACCEL_MOUNT_MATRIX", udev?.property("ACCEL_MOUNT_MATRIX"), .udev),
      ("the kernel's mount_matrix", attribute("mount_matrix"), .kernel),
      ("the kernel's in_\(kind)_mount_matrix", try? channel("\(kind)_x")?.text("mount_matrix"), .kernel),
      // libiio mistakes "in_mount_matrix" for an attribute of a channel named "mount".
      ("the kernel's in_mount_matrix", try? channel("mount")?.text("matrix"), .kernel),
    ]
    return sources.compactMap { source, text, origin in
      text.map { MountMatrixChoice.Candidate(source: source, text: $0, origin: origin) }
    }
  }

  func channel(_ name: String) -> IIOChannel? {
    iio.pointee.device_find_channel(device, name, false).map { IIOChannel(iio: iio, channel: $0) }
  }

  private func attribute(_ name: String) -> String? {
    guard iio.pointee.device_find_attr(device, name) != nil else { return nil }
    return try? readText { iio.pointee.device_attr_read(device, name, $0, $1) }
  }
}

/// A channel of an `IIOContext`, which must outlive it.
nonisolated struct IIOChannel {
  fileprivate let iio: LibIIO
  let channel: OpaquePointer

  func has(_ attribute: String) -> Bool { iio.pointee.channel_find_attr(channel, attribute) != nil }

  /// - Returns: `nil` if there is no such attribute.
  func text(_ attribute: String) throws(AxisFault) -> String? {
    guard has(attribute) else { return nil }
    return try readText { iio.pointee.channel_attr_read(channel, attribute, $0, $1) }
  }
}

/// - Parameter read: fills the buffer, and returns how much of it or a negative errno.
nonisolated private func readText(
  _ read: (UnsafeMutablePointer<CChar>, Int) -> Int
) throws(AxisFault) -> String {
  // The longest text is a mount matrix of nine long fractions.
  let (count, text) = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let start = buffer.baseAddress else { return (-Int(ENOMEM), "") }
    let count = read(start, buffer.count)
    let bytes = UnsafeRawBufferPointer(start: start, count: max(0, count))
    return (count, String(decoding: bytes.prefix { $0 > 0 }, as: UTF8.self))
  }
  guard count >= 0 else { throw .unreadable(Int32(-count)) }
  return text.trimmed
}

/// libiio's functions. The library is loaded when a sensor is searched for.
typealias LibIIO = UnsafePointer<clibiio>

/// A device in udev's database. Belongs to the thread that made it.
nonisolated final class UdevDevice {
  private let device: OpaquePointer

  /// `nil` if udev does not know the device.
  init?(subsystem: String, name: String) {
    var device: OpaquePointer?
    guard sd_device_new_from_subsystem_sysname(&device, subsystem, name) >= 0, let device else { return nil }
    self.device = device
  }

  deinit {
    sd_device_unref(device)
  }

  /// "/sys/devices/platform/…/iio:device0".
  var path: String? { text { sd_device_get_syspath(device, &$0) } }

  func property(_ name: String) -> String? { text { sd_device_get_property_value(device, name, &$0) } }

  private func text(_ get: (inout UnsafePointer<CChar>?) -> Int32) -> String? {
    var text: UnsafePointer<CChar>?
    return get(&text) >= 0 ? text.map { String(cString: $0) } : nil
  }

  /// Whether the same hardware is also a joystick: a gamepad's accelerometer does not move with the display.
  var isPartOfJoypad: Bool {
    if property("ID_INPUT_JOYSTICK") == "1" { return true }
    guard let hardware = ancestor("usb", "usb_device") ?? ancestor("hid", nil) else { return false }
    return Self.hasJoystick(under: hardware)
  }

  /// Valid as long as `device`.
  private func ancestor(_ subsystem: String, _ type: String?) -> OpaquePointer? {
    var parent: OpaquePointer?
    guard sd_device_get_parent_with_subsystem_devtype(device, subsystem, type, &parent) >= 0 else {
      return nil
    }
    return parent
  }

  private static func hasJoystick(under parent: OpaquePointer) -> Bool {
    var enumerator: OpaquePointer?
    guard sd_device_enumerator_new(&enumerator) >= 0, let enumerator else { return false }
    defer { sd_device_enumerator_unref(enumerator) }
    guard sd_device_enumerator_add_match_subsystem(enumerator, "input", 1) >= 0,
      sd_device_enumerator_add_match_parent(enumerator, parent) >= 0,
      sd_device_enumerator_add_match_property(enumerator, "ID_INPUT_JOYSTICK", "1") >= 0
    else { return false }
    return sd_device_enumerator_get_device_first(enumerator) != nil
  }
}

// SPDX-License-Identifier: MIT

import Glibc
import System

/// The kernel's buffer of an accelerometer. The hardware fills it at its own rate: x, y and z are of one moment, and
/// reading does not wait for a sensor hub. Belongs to the reading thread.
///
/// A sensor hub adds a sample only after a value has changed by more than its hysteresis, so that a device at rest
/// causes no wake-ups (`Mode.changes`).
///
/// Turning it on needs write access in /sys, which a udev rule gives. libiio could do it, but prints a warning to
/// stderr each time, and would turn off a buffer that another program has turned on.
nonisolated final class SampleStream {
  /// Samples. This odd length identifies a buffer that our daemon left on when it was killed.
  private static let length = 67

  enum Mode {
    /// The device may be rotating: samples per second, and whether to include the gyroscope of the same device.
    case following(rate: Double, withGyroscope: Bool)
    /// The device is at rest: only changes above the hysteresis, in m/s².
    case changes(hysteresis: Double)
  }

  private let files: DeviceFiles
  private let attributes: TemporaryAttributes
  /// Readable when there are samples.
  let descriptor: Int32
  private let timestampClock: clockid_t?
  private var layout: ScanLayout?
  private var isOn = false

  /// - Parameters:
  ///   - id: of the device in the kernel, "iio:device0".
  ///   - name: of the driver, for its own trigger.
  /// - Throws: EACCES without the rights, EBUSY if another program streams, ENODEV without a buffer.
  init(id: String, name: String?, _ mode: Mode) throws(SystemError) {
    files = DeviceFiles(id: id)
    attributes = TemporaryAttributes(id: id)
    timestampClock = Self.clocks[files.read("current_timestamp_clock") ?? "realtime"]
    guard files.read("buffer/enable") == "0" else { throw SystemError(call: "buffer", code: EBUSY) }
    descriptor = open("/dev/\(id)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: "open", code: errno) }
    try prepare(mode)
    setTrigger(name: name, id: id)
    try? attributes.set("buffer/length", to: "\(Self.length)")
    try? attributes.set("buffer/watermark", to: "1")
    try files.write("1", to: "buffer/enable")
    isOn = true
  }

  deinit {
    if isOn { try? files.write("0", to: "buffer/enable") }
    attributes.restore()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether the sensor's hysteresis can be set, so that its buffer receives only changes.
  static func canReportChanges(id: String) -> Bool {
    isPossible(id: id) && access("\(DeviceFiles(id: id).directory)/\(hysteresis)", W_OK) == 0
  }

  /// Whether this process may turn the buffer on and read it.
  static func isPossible(id: String) -> Bool {
    access("\(DeviceFiles(id: id).directory)/buffer/enable", W_OK) == 0 && access("/dev/\(id)", R_OK) == 0
  }

  /// Turns off a buffer that a killed daemon left on, since many drivers refuse all other reads meanwhile. Restores the
  /// attributes that were set for it.
  static func stopAbandoned(id: String) {
    defer { TemporaryAttributes.restoreAbandoned(id: id) }
    let files = DeviceFiles(id: id)
    guard files.read("buffer/enable") == "1", files.read("buffer/length") == "\(length)" else { return }
    // The node can be opened only once, so this fails while its buffer is in use.
    let descriptor = open("/dev/\(id)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    try? files.write("0", to: "buffer/enable")
    close(descriptor)
  }

  /// Reads all available samples, oldest first.
  /// - Throws: the errno, or EPROTO for an incomplete sample.
  func newSamples() throws(SystemError) -> [ScanLayout.Sample] {
    guard let layout else { throw SystemError(call: "layout", code: ENODEV) }
    var bytes = [UInt8](repeating: 0, count: Self.length * layout.sampleSize)
    var samples: [ScanLayout.Sample] = []
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EAGAIN { return samples }
      guard count > 0 else { throw SystemError(call: "read", code: count < 0 ? errno : ENODEV) }
      guard count % layout.sampleSize == 0 else { throw SystemError(call: "read", code: EPROTO) }
      samples += layout.samples(bytes[..<count])
      if count < bytes.count { return samples }
    }
  }

  /// The age of a sample in nanoseconds; 0 if unknown. The device's clock may be set while we read, and then its
  /// timestamps make no sense.
  func age(of sample: ScanLayout.Sample) -> Int64 {
    guard let timestamp = sample.timestamp, let clock = timestampClock else { return 0 }
    return Self.age(of: timestamp, at: EventLoop.nanoseconds(on: clock))
  }

  /// - Parameter now: on the clock of the timestamp.
  static func age(of timestamp: Int64, at now: Int64) -> Int64 {
    let (age, overflow) = now.subtractingReportingOverflow(timestamp)
    return !overflow && (0...1_000_000_000).contains(age) ? age : 0
  }

  /// By the kernel's names.
  private static let clocks = [
    "realtime": CLOCK_REALTIME, "monotonic": CLOCK_MONOTONIC, "monotonic_raw": CLOCK_MONOTONIC_RAW,
    "boottime": CLOCK_BOOTTIME,
  ]

  // MARK: Turning the buffer on

  private static let hysteresis = "in_accel_hysteresis"
  /// Samples per second: a movement from rest is reported within 0.1 s, and the hub need not measure more often.
  private static let rateOfChanges = 10.0

  private func prepare(_ mode: Mode) throws(SystemError) {
    switch mode {
    case .following(let rate, let withGyroscope):
      try enableElements(withGyroscope)
      raiseRate(to: rate, withGyroscope)
    case .changes(let hysteresis):
      try enableElements(false)
      for name in Self.rates(withGyroscope: false) where files.read(name) != nil {
        try? attributes.set(name, to: "\(Self.rateOfChanges)")
      }
      let scale = files.read("in_accel_scale").flatMap { Double($0) }
      try attributes.set(Self.hysteresis, to: "\(Self.attributeValue(hysteresis: hysteresis, scale: scale))")
    }
  }

  /// Converts m/s² to the unit of the hub, since the kernel does not do that for a hysteresis, unlike for values
  /// (hid-sensor-attributes.c). If the scale is 9.80665 times a power of ten, the hub measures in fractions of g.
  /// - Parameters:
  ///   - hysteresis: m/s².
  ///   - scale: m/s² per raw unit; `nil` if unknown.
  static func attributeValue(hysteresis: Double, scale: Double?) -> Double {
    let power = log10((scale ?? 1) / gravity)
    let measuresInG = abs(power - power.rounded()) < 1e-4
    return (hysteresis / (measuresInG ? gravity : 1) * 1000).rounded() / 1000
  }

  /// Standard gravity, m/s² (CGPM 1901).
  private static let gravity = 9.80665

  private static func rates(withGyroscope: Bool) -> [String] {
    ["sampling_frequency", "in_accel_sampling_frequency"]
      + (withGyroscope ? ["in_anglvel_sampling_frequency"] : [])
  }

  private func enableElements(_ withGyroscope: Bool) throws(SystemError) {
    for element in ScanLayout.axes { try enable(element) }
    if withGyroscope { for element in ScanLayout.rates { try? enable(element) } }
    try? enable("in_timestamp")
    let enabled = files.names(in: "scan_elements").filter { $0.hasSuffix("_en") }
      .map { String($0.dropLast(3)) }.filter { files.read("scan_elements/\($0)_en") == "1" }
    let elements = enabled.compactMap(element)
    layout = elements.count == enabled.count ? ScanLayout(elements) : nil
    guard layout != nil else { throw SystemError(call: "layout", code: ENODEV) }
  }

  private func enable(_ element: String) throws(SystemError) {
    try attributes.set("scan_elements/\(element)_en", to: "1")
  }

  private func element(_ name: String) -> ScanLayout.Element? {
    guard let index = files.read("scan_elements/\(name)_index").flatMap({ Int($0) }),
      let type = files.read("scan_elements/\(name)_type").flatMap(ScanType.init)
    else { return nil }
    return (name, index, type)
  }

  /// Raises the rate if it is too low. If it is higher, the reader averages the samples.
  private func raiseRate(to rate: Double, _ withGyroscope: Bool) {
    for name in Self.rates(withGyroscope: withGyroscope) {
      guard let present = files.read(name).flatMap({ Double($0) }), present < rate else { continue }
      let choices = files.read("\(name)_available").map { $0.split(separator: " ").compactMap { Double($0) } }
      let choice = choices?.filter { $0 >= rate }.min() ?? choices?.max() ?? rate
      try? attributes.set(name, to: "\(choice)")
    }
  }

  /// Selects the driver's own trigger, if it needs one and none is selected.
  private func setTrigger(name: String?, id: String) {
    guard let name, let present = files.read("trigger/current_trigger"), present.isEmpty else { return }
    try? attributes.set("trigger/current_trigger", to: "\(name)-dev\(id.drop { !$0.isNumber })")
  }
}

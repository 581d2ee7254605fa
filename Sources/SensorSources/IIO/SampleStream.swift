// SPDX-License-Identifier: MIT

import Glibc
import System

/// The kernel's buffer of an accelerometer, filled by the hardware in its own rhythm: x, y and z of one moment,
/// and nobody has to wait for a sensor hub. Belongs to the reading thread.
///
/// A sensor hub fills it only when a value has changed by more than its hysteresis, so that a device that lies still
/// wakes nobody (`Use.changes`).
///
/// Turning it on takes the right to write in /sys, which a udev rule gives. libiio could do it, but writes a
/// warning to stderr each time, and would turn off what another program has turned on.
nonisolated final class SampleStream {
  /// Identifies an abandoned buffer of ours, left when the daemon was killed, by its length.
  private static let length = 67

  /// What for.
  enum Use {
    /// A turn may be under way: samples a second, and whether the rates of the same device are wanted, too.
    case following(rate: Double, withGyroscope: Bool)
    /// Nothing moves: only changes of more than so much are wanted, m/s².
    case changes(hysteresis: Double)
  }

  private let files: DeviceFiles
  private let borrowed: BorrowedAttributes
  /// Can be read when there are samples.
  let descriptor: Int32
  private let timestampClock: clockid_t?
  private var layout: ScanLayout?
  private var isOn = false

  /// - Parameters:
  ///   - id: the kernel's, "iio:device0".
  ///   - name: the driver's, for its own trigger.
  ///   - use: what for.
  /// - Throws: EACCES without the rights, EBUSY if another program streams, ENODEV without a buffer.
  init(id: String, name: String?, _ use: Use) throws(ErrorNumber) {
    files = DeviceFiles(id: id)
    borrowed = BorrowedAttributes(id: id)
    timestampClock = Self.timestampClock(files.read("current_timestamp_clock"))
    guard files.read("buffer/enable") == "0" else { throw ErrorNumber(code: EBUSY) }
    descriptor = open("/dev/\(id)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw ErrorNumber(code: errno) }
    try prepare(use)
    setTrigger(name: name, id: id)
    try? borrowed.set("buffer/length", to: "\(Self.length)")
    try? borrowed.set("buffer/watermark", to: "1")
    try files.write("1", to: "buffer/enable")
    isOn = true
  }

  deinit {
    if isOn { try? files.write("0", to: "buffer/enable") }
    borrowed.putBack()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether the sensor can be told to fill its buffer only with changes.
  static func mayTellOfChanges(id: String) -> Bool {
    isPossible(id: id) && access("\(DeviceFiles(id: id).directory)/\(hysteresis)", W_OK) == 0
  }

  /// Whether there is something that could be turned on.
  static func isPossible(id: String) -> Bool {
    access("\(DeviceFiles(id: id).directory)/buffer/enable", W_OK) == 0 && access("/dev/\(id)", R_OK) == 0
  }

  /// Many drivers refuse all other reads while a buffer is on. Turns off one that we left on, and restores what was
  /// set for it.
  static func endAbandoned(id: String) {
    endAbandonedBuffer(of: id)
    BorrowedAttributes.putBackWhatWasLeft(id: id)
  }

  private static func endAbandonedBuffer(of id: String) {
    let files = DeviceFiles(id: id)
    guard files.read("buffer/enable") == "1", files.read("buffer/length") == "\(length)" else { return }
    // The node can be opened only once, so it is busy while somebody still reads from it.
    let descriptor = open("/dev/\(id)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    try? files.write("0", to: "buffer/enable")
    close(descriptor)
  }

  /// Reads all samples that are there, the oldest first.
  /// - Throws: the errno, or EPROTO for what are no whole samples.
  func newSamples() throws(ErrorNumber) -> [ScanLayout.Sample] {
    guard let layout else { throw ErrorNumber(code: ENODEV) }
    var bytes = [UInt8](repeating: 0, count: Self.length * layout.sampleSize)
    var samples: [ScanLayout.Sample] = []
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EAGAIN { return samples }
      guard count > 0 else { throw ErrorNumber(code: count < 0 ? errno : ENODEV) }
      guard count % layout.sampleSize == 0 else { throw ErrorNumber(code: EPROTO) }
      samples += layout.samples(bytes[..<count])
      if count < bytes.count { return samples }
    }
  }

  /// The age of a sample in nanoseconds; 0 if unknown. The device's clock may be set while we read, and then its
  /// timestamps make no sense.
  func age(of sample: ScanLayout.Sample) -> Int64 {
    guard let timestamp = sample.timestamp, let clock = timestampClock else { return 0 }
    var time = timespec()
    clock_gettime(clock, &time)
    return Self.age(of: timestamp, at: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// - Parameter now: on the clock of the timestamp.
  static func age(of timestamp: Int64, at now: Int64) -> Int64 {
    let (age, overflow) = now.subtractingReportingOverflow(timestamp)
    return !overflow && (0...1_000_000_000).contains(age) ? age : 0
  }

  private static func timestampClock(_ name: String?) -> clockid_t? {
    switch name {
    case nil, "realtime": CLOCK_REALTIME
    case "monotonic": CLOCK_MONOTONIC
    case "monotonic_raw": CLOCK_MONOTONIC_RAW
    case "boottime": CLOCK_BOOTTIME
    default: nil
    }
  }

  // MARK: Turning it on

  private static let hysteresis = "in_accel_hysteresis"
  /// Samples a second: a movement out of rest is told within a tenth of one, and a hub need not look more often.
  private static let rateOfChanges = 10.0

  private func prepare(_ use: Use) throws(ErrorNumber) {
    switch use {
    case .following(let rate, let withGyroscope):
      try chooseElements(withGyroscope)
      quicken(to: rate, withGyroscope)
    case .changes(let hysteresis):
      try chooseElements(false)
      for name in Self.rates(withGyroscope: false) where files.read(name) != nil {
        try? borrowed.set(name, to: "\(Self.rateOfChanges)")
      }
      let scale = files.read("in_accel_scale").flatMap { Double($0) }
      try borrowed.set(Self.hysteresis, to: "\(Self.written(hysteresis: hysteresis, scale: scale))")
    }
  }

  /// The kernel hands a sensor hub's hysteresis through in the hub's own unit, unlike its values
  /// (hid-sensor-attributes.c): those of a hub that counts in fractions of g have a scale of 9.80665 by a power of ten.
  /// - Parameters:
  ///   - hysteresis: m/s².
  ///   - scale: what turns a raw value into m/s²; `nil` if it is not told.
  static func written(hysteresis: Double, scale: Double?) -> Double {
    let power = log10((scale ?? 1) / gravity)
    let isOfG = abs(power - power.rounded()) < 1e-4
    return (hysteresis / (isOfG ? gravity : 1) * 1000).rounded() / 1000
  }

  /// Standard gravity, m/s² (CGPM 1901).
  private static let gravity = 9.80665

  private static func rates(withGyroscope: Bool) -> [String] {
    ["sampling_frequency", "in_accel_sampling_frequency"]
      + (withGyroscope ? ["in_anglvel_sampling_frequency"] : [])
  }

  private func chooseElements(_ withGyroscope: Bool) throws(ErrorNumber) {
    for element in ScanLayout.axes { try turnOn(element) }
    if withGyroscope { for element in ScanLayout.rates { try? turnOn(element) } }
    try? turnOn("in_timestamp")
    let enabled = files.names(in: "scan_elements").filter { $0.hasSuffix("_en") }
      .map { String($0.dropLast(3)) }.filter { files.read("scan_elements/\($0)_en") == "1" }
    let elements = enabled.compactMap(element)
    layout = elements.count == enabled.count ? ScanLayout(elements) : nil
    guard layout != nil else { throw ErrorNumber(code: ENODEV) }
  }

  private func turnOn(_ element: String) throws(ErrorNumber) {
    try borrowed.set("scan_elements/\(element)_en", to: "1")
  }

  private func element(_ name: String) -> ScanLayout.Element? {
    guard let index = files.read("scan_elements/\(name)_index").flatMap({ Int($0) }),
      let type = files.read("scan_elements/\(name)_type").flatMap(ScanType.init)
    else { return nil }
    return ScanLayout.Element(name: name, index: index, type: type)
  }

  /// Raises the rate if it is too low; of samples that come more quickly the mean is taken.
  private func quicken(to rate: Double, _ withGyroscope: Bool) {
    for name in Self.rates(withGyroscope: withGyroscope) {
      guard let present = files.read(name).flatMap({ Double($0) }), present < rate else { continue }
      let choices = files.read("\(name)_available").map { $0.split(separator: " ").compactMap { Double($0) } }
      let choice = choices?.filter { $0 >= rate }.min() ?? choices?.max() ?? rate
      try? borrowed.set(name, to: "\(choice)")
    }
  }

  /// Drivers that need a trigger bring one of their own.
  private func setTrigger(name: String?, id: String) {
    guard let name, let present = files.read("trigger/current_trigger"), present.isEmpty else { return }
    try? borrowed.set("trigger/current_trigger", to: "\(name)-dev\(id.drop { !$0.isNumber })")
  }
}

// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Temporary
import Testing

@testable import SensorSources

extension IIOAccelerometerTests {
  /// `SampleStream`, with the files of the mock.
  @MainActor @Suite struct Stream {
    private let mock = MockAccelerometer()
    private let id = "iio:device0"

    private func stream(
      _ mode: SampleStream.Mode = .following(rate: 50, withGyroscope: false), name: String? = "accel_3d"
    ) throws(SystemError) -> SampleStream {
      try SampleStream(id: id, name: name, mode)
    }

    @Test func `a stream restores what it sets`() throws {
      let buffer = try MockBuffer(of: mock)
      let before = buffer.attributes
      let stream = try stream()
      #expect(
        buffer.attributes == [
          "buffer/enable": "1", "buffer/length": "67", "buffer/watermark": "1",
          "trigger/current_trigger": "accel_3d-dev0", "scan_elements/in_accel_x_en": "1",
          "scan_elements/in_accel_y_en": "1", "scan_elements/in_accel_z_en": "1",
          "scan_elements/in_timestamp_en": "1",
        ])
      withExtendedLifetime(stream) {}
      _ = consume stream
      #expect(buffer.attributes == before)
    }

    @Test(
      arguments: [
        ("10", "10 16.6 50 100", "50.0"), ("10", "", "50.0"), ("10", "10 16.6", "16.6"),
        ("50", "10 50 100", "50"),
        ("100", "10 50 100", "100"), ("10", "60 10 80", "60.0"), ("x", "60 10 80", "x"),
      ])
    func `a rate that is too low is raised`(present: String, available: String, set: String) throws {
      for name in ["in_accel_sampling_frequency", "in_anglvel_sampling_frequency"] {
        let buffer = try MockBuffer(of: mock, attributes: [name: present, "\(name)_available": available])
        let stream = try stream(.following(rate: 50, withGyroscope: true))
        #expect(mock.text(name) == set)
        withExtendedLifetime((stream, buffer)) {}
      }
    }

    @Test func `only changes are reported slowly and above the hysteresis`() throws {
      let rates = ["in_accel_sampling_frequency": "50", "in_anglvel_sampling_frequency": "50"]
      #expect(!SampleStream.canReportChanges(id: id) && !SampleStream.isPossible(id: id))
      let plain = try MockBuffer(of: mock, attributes: rates)
      #expect(!SampleStream.canReportChanges(id: id) && SampleStream.isPossible(id: id))
      _ = consume plain
      let hub = try MockBuffer(of: mock, attributes: rates.merging(["in_accel_hysteresis": "0.05"]) { $1 })
      #expect(SampleStream.canReportChanges(id: id))
      let stream = try stream(.changes(hysteresis: 0.4))
      let set = hub.attributes
      #expect(set["in_accel_hysteresis"] == "0.4" && set["in_accel_sampling_frequency"] == "10.0")
      #expect(set["in_anglvel_sampling_frequency"] == "50" && set["buffer/enable"] == "1")
      withExtendedLifetime(stream) {}
    }

    @Test(
      arguments: [
        (["buffer/enable": "1"], EBUSY), (["scan_elements/in_accel_y_type": "le:s16/16X2>>0"], ENODEV),
        (["scan_elements/in_accel_y_index": ""], ENODEV), (["scan_elements/in_other_en": "1"], ENODEV),
      ] as [([String: String], Int32)])
    func `a buffer that cannot be used stays as it is`(attributes: [String: String], code: Int32) throws {
      let buffer = try MockBuffer(of: mock, attributes: attributes)
      let before = buffer.attributes
      let error = #expect(throws: SystemError.self) { try stream() }
      #expect(error?.code == code)
      #expect(buffer.attributes == before)
    }

    @Test(arguments: [(nil, "", ""), ("accel_3d", "other", "other"), ("accel_3d", "", "accel_3d-dev0")])
    func `a trigger is selected if none is`(name: String?, present: String, selected: String) throws {
      let buffer = try MockBuffer(of: mock, attributes: ["trigger/current_trigger": present])
      let stream = try stream(name: name)
      #expect(buffer.attributes["trigger/current_trigger"] == selected)
      withExtendedLifetime(stream) {}
    }

    @Test func `all samples are read at once and in order`() throws {
      let buffer = try MockBuffer(of: mock)
      let stream = try stream()
      #expect(try stream.newSamples().isEmpty)
      for number: Int16 in 1...150 { buffer.deliver([number, -2, 3], at: Int64(number)) }
      let samples = try stream.newSamples()
      #expect(samples.map(\.x) == Array(1...150) && samples.map(\.timestamp) == Array(1...150))
      #expect(samples.allSatisfy { $0.y == -2 && $0.z == 3 && $0.rates.isEmpty })
      #expect(try stream.newSamples().isEmpty)
    }

    @Test func `half a sample and the end are errors`() throws {
      let buffer = try MockBuffer(of: mock)
      let stream = try stream()
      buffer.deliver(bytes: [1, 2, 3])
      let half = #expect(throws: SystemError.self) { try stream.newSamples() }
      #expect(half?.code == EPROTO)
      buffer.endDelivery()
      errno = EAGAIN
      let end = #expect(throws: SystemError.self) { try stream.newSamples() }
      #expect(end?.code == ENODEV)
    }

    @Test(
      arguments: [
        ("", CLOCK_REALTIME), ("realtime", CLOCK_REALTIME), ("monotonic", CLOCK_MONOTONIC),
        ("monotonic_raw", CLOCK_MONOTONIC_RAW), ("boottime", CLOCK_BOOTTIME), ("tai", nil),
      ])
    func `the age is on the clock of the device`(name: String, clock: clockid_t?) throws {
      // An attribute that is missing stands for a kernel without the choice.
      let buffer = try MockBuffer(
        of: mock, attributes: name.isEmpty ? [:] : ["current_timestamp_clock": name])
      let stream = try stream()
      let now = { () -> Int64 in
        var time = timespec()
        clock_gettime(clock ?? CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
      }
      var age: Int64
      var range: ClosedRange<Int64>
      repeat {
        let timestamp = now() - 100_000_000
        age = stream.age(of: ScanLayout.Sample(x: 0, y: 0, z: 0, timestamp: timestamp))
        range = 100_000_000...now() - timestamp
      } while range.upperBound > 1_000_000_000
      #expect(clock == nil ? age == 0 : range.contains(age))
      #expect(stream.age(of: ScanLayout.Sample(x: 0, y: 0, z: 0)) == 0)
      withExtendedLifetime(buffer) {}
    }

    @Test(arguments: [("1", "67", "0"), ("1", "2", "1"), ("0", "67", "0")])
    func `only our own abandoned buffer is turned off`(enabled: String, length: String, after: String) throws
    {
      let buffer = try MockBuffer(of: mock, attributes: ["buffer/enable": enabled, "buffer/length": length])
      SampleStream.stopAbandoned(id: id)
      #expect(buffer.attributes["buffer/enable"] == after)
      #expect(buffer.attributes["buffer/length"] == length)
    }

    @Test func `what a killed daemon had set for its buffer is restored`() throws {
      let buffer = try MockBuffer(of: mock, attributes: ["buffer/enable": "1", "buffer/length": "67"])
      try TemporaryAttributes.stateFile.write("\(getpid()) 1\n\(id)\tbuffer/length\t2\t67\n")
      SampleStream.stopAbandoned(id: id)
      #expect(buffer.attributes["buffer/enable"] == "0" && buffer.attributes["buffer/length"] == "2")
    }

    @Test func `a buffer without a node is not used`() throws {
      let buffer = try MockBuffer(of: mock)
      let node = "\(MockAccelerometer.root)/dev/\(id)"
      try #require(rename(node, node + ".missing") == 0)
      defer { rename(node + ".missing", node) }
      #expect(!SampleStream.isPossible(id: id))
      let before = buffer.attributes
      let error = #expect(throws: SystemError.self) { try stream() }
      #expect(error?.code == ENOENT && buffer.attributes == before)
    }

    /// What a killed process had set, and what the attributes are now.
    @Test(
      arguments: [
        ("iio:device0\tbuffer/length\t2\t67", "67", "2"), ("iio:device0\tbuffer/length\t2\t67", "5", "5"),
        ("iio:device1\tbuffer/length\t2\t67", "67", "67"),
        ("iio:device0\t../iio:device0/buffer/length\t2\t67", "67", "67"),
        ("iio:device0\tbuffer/length\t2", "67", "67"), ("iio:device0\tbuffer/length\t\t67", "67", ""),
      ])
    func `what a killed process had set is restored`(line: String, now: String, after: String) throws {
      let buffer = try MockBuffer(of: mock, attributes: ["buffer/length": now])
      let directory = try TemporaryDirectory()
      let stateFile = StateFile(path: directory["sensor"])
      try stateFile.write("\(getpid()) 1\n\(line)\n")
      TemporaryAttributes.restoreAbandoned(id: id, stateFile: stateFile)
      #expect(buffer.attributes["buffer/length"] == after)
    }

    @Test func `what is set is saved until it is restored`() throws {
      let buffer = try MockBuffer(of: mock, attributes: ["sampling_rate": "10"])
      let directory = try TemporaryDirectory()
      let stateFile = StateFile(path: directory["sensor"])
      let attributes = TemporaryAttributes(id: id, stateFile: stateFile)
      try attributes.set("sampling_rate", to: "10")
      #expect(!stateFile.exists)
      try attributes.set("sampling_rate", to: "50")
      try attributes.set("buffer/length", to: "67")
      #expect(throws: SystemError.self) { try attributes.set("no/such/file", to: "1") }
      let own = try #require(ProcessIdentity(of: getpid()))
      let lines = ["sampling_rate\t10\t50", "buffer/length\t2\t67"].map { "iio:device0\t\($0)\n" }
      #expect(stateFile.read() == "\(own.text)\n\(lines.joined())")
      mock.write("66\n", to: "buffer/length")
      attributes.restore()
      #expect(!stateFile.exists)
      try stateFile.write("another's")
      attributes.restore()
      #expect(stateFile.exists, "nothing is left to restore")
      #expect(
        mock.text("sampling_rate") == "10" && mock.text("buffer/length") == "66", "another has changed it")
      withExtendedLifetime(buffer) {}
    }
  }
}

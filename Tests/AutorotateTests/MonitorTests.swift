// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import autorotate

@MainActor struct MonitorTests {
  private var report: MonitorReport {
    var status = Status.example
    status.reasons = [.desktopAllows(.all), .upright(.leftUp)]
    var report = MonitorReport(sensor: "accel_3d (iio:device0)", gravity: Acceleration(x: 9.8, y: -0.2, z: 1))
    (report.orientation, report.candidate) = (.leftUp, (.rightUp, 0.45))
    report.daemon = StatusReport(status)
    return report
  }

  @Test func `the block has the sensor, the orientation and the decision`() {
    #expect(
      report.block(.plain, columns: 80) == [
        "Sensor    accel_3d (iio:device0)",
        "Gravity   x   9.80  y  -0.20  z   1.00  |a|   9.85 m/s2",
        "Device    left-up, next right-up (45 %)",
        "Screen    left on eDP-1, unlocked",
        "Allowed   normal, left, inverted, right",
        "- Your settings allow any.",
        "- Device orientation: left edge up.",
      ])
  }

  @Test func `the block fits on any terminal`() {
    var report = report
    var status = Status.example
    status.reasons = Array(repeating: .upright(.leftUp), count: 20)
    let daemon = StatusReport(status)
    for sensor in ["傾き🧭\u{1B}[2J\n", String(repeating: "long ", count: 99)] {
      report.sensor = sensor
      for daemon in [daemon, nil] {
        report.daemon = daemon
        for columns in [0, 1, 2, 40, 80, 200] {
          let lines = report.block(TerminalStyle(isUnicode: true, hasColour: false), columns: columns)
          #expect(lines.count <= 10)
          #expect(lines.allSatisfy { $0.columns <= max(1, columns - 1) && !$0.contains("\u{1B}") })
        }
      }
    }
  }

  @Test func `it looks for the daemon first`() {
    let report = MonitorReport()
    #expect(report.block(.plain, columns: 80).last == "looking for autorotate")
    #expect(report.line(.plain) == "looking for the sensor - looking for autorotate")
  }

  @Test func `what iio-sensor-proxy reports is shown`() {
    var report = report
    report.begin("iio-sensor-proxy")
    (report.orientation, report.hasGravity) = (.rightUp, false)
    #expect(
      report.block(.plain, columns: 80).prefix(3) == [
        "Sensor    iio-sensor-proxy",
        "Gravity   iio-sensor-proxy reports only the device orientation.",
        "Device    right-up",
      ])
    #expect(report.line(.plain).hasPrefix("right-up - screen left: "))
  }

  @Test func `the reason without a sensor is wrapped`() {
    var report = report
    report.begin("the accelerometer accel_3d (iio:device0) cannot be read (Device or resource busy)")
    #expect(
      report.block(.plain, columns: 80).prefix(3) == [
        "Sensor    the accelerometer accel_3d (iio:device0) cannot be read (Device or",
        "          resource busy)",
        "Gravity   No sample yet.",
      ])
    report.begin(String(repeating: "word ", count: 60))
    let lines = report.block(.plain, columns: 80)
    #expect(lines[1].hasSuffix(" ..."))
    #expect(lines[2].hasPrefix("Gravity"))
  }

  @Test func `a line has what is decided and no figures`() {
    var report = report
    let line = "left-up - screen left: Your settings allow any. Device orientation: left edge up."
    #expect(report.line(.plain) == line)
    report.gravity?.x = 9.7
    #expect(report.line(.plain) == line)
    (report.daemon, report.isLookingForDaemon) = (nil, false)
    #expect(report.line(.plain) == "left-up - autorotate is not running")
    report.gravity = nil
    report.sensor = "There is no accelerometer."
    #expect(report.line(.plain) == "There is no accelerometer. - autorotate is not running")
  }
}

extension TerminalStyle {
  static let plain = Self(isUnicode: false, hasColour: false)
}

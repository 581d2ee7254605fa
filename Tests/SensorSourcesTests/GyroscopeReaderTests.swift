// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

/// `GyroscopeReader`, without a thread.
extension IIOGyroscopeTests {
  /// The driver's error while our own buffer is on is one, unless it says that the device is busy.
  @Test func `five failed reads in a row end its use`() throws {
    let sensor = try OpenAccelerometer(.display, AccelerometerSettings())
    for isStreaming in [false, true] {
      var reader = GyroscopeReader(isWanted: true)
      let isThere = reader.find(for: sensor) != nil
      #expect(isThere)
      let reads = { (count: Int) in (1...count).map { _ in reader.read(isStreaming: isStreaming) != nil } }
      try mock.failing { #expect(reads(4) == [false, false, false, false]) }
      #expect(reads(1) == [true])
      try mock.failing { #expect(reads(4) == [false, false, false, false]) }
      #expect(reads(1) == [true])
      try mock.failing { #expect(reads(5).allSatisfy { !$0 }) }
      let problems = [reader.takeProblems(), reader.takeProblems()]
      #expect(problems.map { $0.map(\.code) } == [[.sensorGyroscope], []])
      let isFoundAgain = reader.find(for: sensor) != nil
      #expect(reads(1) == [false] && !isFoundAgain)
      reader.reset()
      let isFound = reader.find(for: sensor) != nil
      #expect(isFound && reads(1) == [true])
    }
  }

  @Test func `a search starts the count of failures again`() throws {
    let sensor = try OpenAccelerometer(.display, AccelerometerSettings())
    var reader = GyroscopeReader(isWanted: true)
    for _ in 1...2 {
      reader.reset()
      let isThere = reader.find(for: sensor) != nil
      #expect(isThere)
      try mock.failing { for _ in 1...4 { _ = reader.read(isStreaming: false) } }
    }
    let rate = reader.read(isStreaming: false)
    #expect(rate != nil)
  }

  @Test(arguments: [(0, true), (1, false)] as [(Int64, Bool)])
  func `a gyroscope that is always slow is left out`(excess: Int64, isUsed: Bool) throws {
    let sensor = try OpenAccelerometer(.display, AccelerometerSettings())
    var (reader, now) = (GyroscopeReader(isWanted: true), Int64(0))
    let isThere = reader.find(for: sensor) != nil
    let rates = (1...6).map { _ in
      reader.read(isStreaming: false) {
        now += ReadingHealth.maximumReadTime + excess
        return now
      }
    }
    #expect(isThere && rates.allSatisfy { ($0 != nil) == isUsed })
    let problems = reader.takeProblems()
    #expect(problems.map(\.code) == (isUsed ? [] : [.sensorGyroscope]))
  }

  @Test func `a gyroscope that cannot be opened is reported and not read`() throws {
    let sensor = try OpenAccelerometer(.display, AccelerometerSettings())
    var reader = GyroscopeReader(isWanted: true)
    let isThere = reader.find(for: sensor) != nil
    #expect(isThere)
    reader.reset()
    try device.with("in_anglvel_scale", "x") {
      let (found, rate) = (reader.find(for: sensor), reader.read(isStreaming: false))
      #expect(found == nil && rate == nil)
    }
    let problems = reader.takeProblems()
    #expect(problems.map(\.code) == [.sensorGyroscope])
  }

  @Test func `an unusable matrix of the gyroscope is reported`() throws {
    try device.with("in_anglvel_mount_matrix", "1, 0") {
      let sensor = try OpenAccelerometer(.display, AccelerometerSettings())
      var reader = GyroscopeReader(isWanted: true)
      let isThere = reader.find(for: sensor) != nil
      let problems = reader.takeProblems()
      #expect(isThere && problems.map(\.code) == [.sensorMountMatrix])
    }
  }

  @Test func `an unwanted gyroscope is not searched for`() throws {
    let sensor = try OpenAccelerometer(.display, AccelerometerSettings())
    var reader = GyroscopeReader(isWanted: false)
    let (found, rate) = (reader.find(for: sensor), reader.read(isStreaming: false))
    #expect(found == nil && rate == nil)
  }
}

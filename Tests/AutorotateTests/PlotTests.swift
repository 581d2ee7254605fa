// SPDX-License-Identifier: MIT

import Foundation
import Temporary
import Testing

@testable import Autorotation
@testable import autorotate

struct PlotTests {
  // MARK: Bounded memory

  @Test func binsKeepTheExtremesOfALongTrace() {
    var bins = PlotBins()
    for number in 0..<200_000 {
      let spike = number == 123_456
      bins.add(
        .init(time: Double(number) / 50, angle: nil, tilt: spike ? 80 : 1, magnitude: spike ? 30 : 9.8))
    }
    #expect(bins.bins.count <= PlotBins.maximum && bins.bins.count >= PlotBins.maximum / 2 - 1)
    #expect(bins.bins.map(\.magnitude.high).max() == 30)
    #expect(bins.bins.map(\.tilt.high).max() == 80)
    #expect(bins.bins.last?.end == 199_999.0 / 50)
    #expect(zip(bins.bins, bins.bins.dropFirst()).allSatisfy { $0.end < $1.begin })
  }

  @Test func binsTakeAnyTime() {
    var bins = PlotBins()
    for time in [0, 0, 1e-9, 3, 9e9, 9.2e9] {
      bins.add(.init(time: time, angle: 1, tilt: 1, magnitude: 1))
    }
    #expect(bins.bins.first?.begin == 0 && bins.bins.last?.end == 9.2e9)
  }

  @Test func spansKeepTheLongOnes() {
    var spans = PlotSpans()
    for number in 0..<100_000 {
      spans.say("normal", at: Double(number))
      spans.say("left-up", at: Double(number) + 0.01)
    }
    spans.say("bottom-up", at: 200_000)
    #expect(spans.spans.count <= PlotSpans.maximum)
    #expect(spans.spans.last?.word == "bottom-up")
    #expect(
      zip(spans.spans, spans.spans.dropFirst()).allSatisfy { $0.begin < $1.begin && $0.word != $1.word })
  }

  // MARK: Lines

  @Test func lineLeavesAtTheTopAndComesInAtTheBottom() {
    var line = PlotLine(wrapping: -135...225)
    line.draw(to: 215, at: 0)
    line.draw(to: 235, at: 1)
    line.draw(to: 215, at: 2)
    #expect(line.strokes.map(\.count) == [2, 3, 2])
    #expect(line.strokes[0][1].value == 225 && line.strokes[0][1].time == 0.5)
    #expect(line.strokes[1].map(\.value) == [-135, -125, -135])
    #expect(line.strokes[2].map(\.value) == [225, 215])
  }

  @Test func lineThatWasLiftedBeginsAnew() {
    var line = PlotLine(wrapping: nil)
    line.draw(to: 1, at: 0)
    line.lift()
    line.draw(to: 2, at: 1)
    #expect(line.strokes.map(\.count) == [1, 1])
  }

  // MARK: The drawing

  private static func drawing(of lines: [(Double, Acceleration)], name: String = "trace") throws -> String {
    let scratch = try TemporaryDirectory()
    let listener = PlotListener(path: scratch["out.svg"], trace: name)
    for (time, a) in lines { listener.add(MotionSample(a), at: Instant(seconds: time)) }
    try listener.end()
    return try scratch.text("out.svg")
  }

  private static let turn: [(Double, Acceleration)] = (0..<300).map { number in
    let angle = number < 150 ? 0.0 : Double.pi / 2
    return (Double(number) / 50, Acceleration(x: 9.81 * sin(angle), y: -9.81 * cos(angle), z: 0))
  }

  @Test func drawingIsWellFormedAndSaysWhy() throws {
    let text = try Self.drawing(of: Self.turn, name: "<a> & \"b\"\u{1}")
    let parser = XMLCheck(text)
    #expect(parser.isWellFormed, "\(parser.problem ?? "")")
    #expect(text.contains("&lt;a&gt; &amp; &quot;b&quot; "))
    #expect(text.contains("left. The device is held left-up."))
    #expect(text.contains("class=\"differ\""))
  }

  private static func drawing(turningAt rate: AngularRate?) throws -> String {
    let scratch = try TemporaryDirectory()
    let listener = PlotListener(path: scratch["out.svg"], trace: "trace")
    for (index, (time, a)) in turn.enumerated() {
      listener.add(MotionSample(a, rate: index == 150 ? rate : nil), at: Instant(seconds: time))
    }
    try listener.end()
    return try scratch.text("out.svg")
  }

  @Test func whereThereIsAGyroscopeItsTurningIsDrawn() throws {
    let text = try Self.drawing(turningAt: AngularRate(x: 0, y: 0, z: -.pi))
    #expect(XMLCheck(text).isWellFormed)
    #expect(text.contains("turning, °/s") && text.contains("height=\"688\""))
    // 180 °/s of 200, seen once, at 3 s of 5.98: a dot near the top of the panel from 446 to 516.
    #expect(text.contains("M656.8 449.5 656.8 449.5"))
    #expect(try !Self.drawing(turningAt: nil).contains("turning, °/s"))
  }

  @Test func aBinKeepsTheFastestTurning() {
    var bins = PlotBins()
    for (time, turning) in [(0.0, nil), (1e-4, 3), (2e-4, 90), (3e-4, nil), (4e-4, -7)] as [(Double, Double?)]
    {
      bins.add(.init(time: time, angle: nil, tilt: 0, magnitude: 9.8, turning: turning))
    }
    #expect(bins.bins.count == 1 && bins.bins[0].turning?.high == 90 && bins.bins[0].turning?.low == -7)
  }

  @Test func drawingOfALongTraceIsSmall() throws {
    var random = SystemRandomNumberGenerator()
    let noise: [(Double, Acceleration)] = (0..<100_000).map { number in
      let axis = { (random: inout SystemRandomNumberGenerator) in Double.random(in: -12...12, using: &random)
      }
      return (Double(number) / 50, Acceleration(x: axis(&random), y: axis(&random), z: axis(&random)))
    }
    #expect(try Self.drawing(of: noise).utf8.count < 1_500_000)
  }

  @Test func nothingToDrawIsTold() {
    #expect(throws: Message.self) { try Self.drawing(of: []) }
    #expect(throws: Message.self) { try Self.drawing(of: [(0, Acceleration(x: 0, y: 0, z: 0))]) }
  }
}

struct ComparisonTests {
  @Test func countsTurnsAndDifferencesButNoGaps() {
    var comparison = Comparison()
    let up = Acceleration(x: 0, y: -9.81, z: 0)
    let left = Acceleration(x: 9.81, y: 0, z: 0)
    for number in 0..<600 {
      // Left edge up from 4 s on, until the trace stops for an hour; then as before.
      let time = Double(number) / 100 + (number > 500 ? 3600 : 0)
      _ = comparison.add(MotionSample(number < 400 ? up : left), at: Instant(seconds: time))
    }
    #expect(comparison.ourChanges == 1 && comparison.theirChanges == 1)
    #expect(comparison.disagreements == 1)
    #expect(abs(comparison.duration - 5.98) < 0.02)
    // We turn after some 0.1 s, the proxy at its next look, 4.2 s.
    #expect((0.02...0.2).contains(comparison.disagreed), "\(comparison.disagreed)")
  }
}

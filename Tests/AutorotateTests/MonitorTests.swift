// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import autorotate

struct PanelDrawingTests {
  private func drawing(
    _ gravity: Acceleration?, _ shown: InterfaceOrientation = .normal, natural: PanelAspect = .landscape,
    isUnicode: Bool = false
  ) -> [String] {
    PanelDrawing(gravity: gravity, shown: shown, natural: natural, isUnicode: isUnicode).lines
  }

  static let holds: [(InterfaceOrientation, Acceleration)] = [
    (.normal, Acceleration(x: 0, y: -9.81, z: 0)), (.left, Acceleration(x: 9.81, y: 0, z: 0)),
    (.inverted, Acceleration(x: 0, y: 9.81, z: 0)), (.right, Acceleration(x: -9.81, y: 0, z: 0)),
  ]

  /// Held for the picture that is shown, gravity points to the picture's lower edge.
  @Test(arguments: holds)
  func anUprightPictureHasItsFloorBelow(_ shown: InterfaceOrientation, _ hold: Acceleration) throws {
    let lines = drawing(hold, shown)
    let head = try #require(lines.lastIndex { $0.contains("v") })
    let middle = try #require(
      lines.firstIndex { $0.dropFirst().dropLast().contains("o") && !$0.contains("top") })
    #expect(head > middle || shown == .left || shown == .right)
    let seen = PanelDrawing.seen(hold, in: shown)
    #expect(abs(seen.right) < 0.01 && abs(seen.up + 9.81) < 0.01)
  }

  @Test(arguments: [
    (Acceleration(x: 9.81, y: 0, z: 0), ">"), (Acceleration(x: -9.81, y: 0, z: 0), "<"),
    (Acceleration(x: 0, y: 9.81, z: 0), "^"), (Acceleration(x: 7, y: -7, z: 0), "\\"),
    (Acceleration(x: -7, y: -7, z: 0), "/"),
  ])
  func theArrowPointsWhereGravityDoes(_ gravity: Acceleration, _ head: String) {
    #expect(drawing(gravity).joined().contains(head))
  }

  @Test func theTopIsNamedWhereItIs() {
    #expect(drawing(nil, .normal)[1].contains("- top -"))
    #expect(drawing(nil, .inverted)[11].contains("- top -"))
    #expect(drawing(nil, .left)[5].hasSuffix("t" + String(repeating: " ", count: 10)))
    #expect(drawing(nil, .right)[5].hasPrefix(String(repeating: " ", count: 9) + "t"))
  }

  @Test(arguments: InterfaceOrientation.allCases)
  func allLinesAreAsWideAsTheRoom(_ shown: InterfaceOrientation) {
    let numbers = [0, 9.81, -300, .infinity, -.infinity, .nan]
    for natural in [PanelAspect.landscape, .portrait] {
      for x in numbers {
        for y in numbers {
          let lines = drawing(Acceleration(x: x, y: y, z: 0), shown, natural: natural, isUnicode: true)
          #expect(lines.count == PanelDrawing.rows)
          #expect(lines.allSatisfy { $0.columns == PanelDrawing.columns })
        }
      }
    }
  }
}

@MainActor struct MonitorLayoutTests {
  private var scene: MonitorScene {
    var status = Status.example
    status.reasons = [.desktopAllows(.all), .deviceIs(.leftUp)]
    return MonitorScene(
      sensor: .found("accel_3d (iio:device0)"), acceleration: Acceleration(x: 9.8, y: -0.2, z: 1),
      judgement: .init(held: .leftUp, orientation: .leftUp, candidate: .rightUp, evidence: 0.45),
      daemon: .running(StatusReport(status)))
  }

  private func rows(_ scene: MonitorScene, _ columns: Int = 80, _ rows: Int = 24) -> [String] {
    MonitorLayout(scene: scene, style: .plain, columns: columns, rows: rows).text
  }

  @Test func aGyroscopeHasOneLine() {
    var scene = scene
    #expect(!rows(scene).joined().contains("rad/s"))
    scene.rate = AngularRate(x: 0.1, y: -2, z: 30)
    let found = rows(scene).filter { $0.contains("rad/s") }
    #expect(found.count == 1 && found[0].contains("x  0.10  y -2.00  z 30.00 rad/s"))
  }

  @Test func saysEverything() {
    let text = rows(scene).joined(separator: "\n")
    for words in [
      "x  9.80  y -0.20  z  1.00 m/s2", "|a|          9.85 m/s2", "89 deg clockwise",
      "6 deg (90 deg is face up)",
      "Held      left-up", "Next      right-up", "Evidence  [####......]",
      "Picture   left on eDP-1, unlocked",
      "- The device is held left-up.",
    ] { #expect(text.contains(words), "\(words)\n\(text)") }
  }

  @Test func nothingIsEverTooLarge() {
    var scene = scene
    for sensor in [
      MonitorScene.Sensor.searching, .found("傾き🧭\u{1B}[2J\n"), .lost(String(repeating: "long ", count: 99)),
    ] {
      scene.sensor = sensor
      for daemon in [scene.daemon, .notRunning, .unreachable(String(repeating: "x", count: 300))] {
        scene.daemon = daemon
        for columns in [0, 1, 2, 40, 71, 72, 80, 200] {
          for count in [0, 1, 5, 24, 60] {
            let style = TerminalStyle(isUnicode: true, hasColour: false)
            let lines = MonitorLayout(scene: scene, style: style, columns: columns, rows: count).text
            #expect(lines.count <= max(1, count))
            #expect(lines.allSatisfy { $0.columns <= max(1, columns - 1) && !$0.contains("\u{1B}") })
          }
        }
      }
    }
  }

  @Test func plainLinesComeOnlyWithNews() {
    var lines = MonitorLines(style: .plain)
    #expect(lines.line(MonitorScene()) == nil)
    var scene = scene
    #expect(
      lines.line(scene)
        == "left-up - picture left: Your settings allow any. The device is held left-up. - x 9.80 y -0.20 z 1.00 m/s2"
    )
    scene.acceleration?.x = 9.7
    #expect(lines.line(scene) == nil)
    scene.daemon = .notRunning
    #expect(lines.line(scene)?.contains("autorotate is not running") == true)
  }
}

struct WrappingTests {
  @Test func wordsThatHaveNoBlanksAreBrokenAnywhere() {
    #expect("one two three".wrapped(to: 7) == ["one two", "three"])
    #expect("正在查找传感器 left".wrapped(to: 6) == ["正在查", "找传感", "器", "left"])
    #expect("abcdefg hi".wrapped(to: 3) == ["abc", "def", "g", "hi"])
    #expect("传感器".wrapped(to: 1) == ["传感器"])
  }
}

extension TerminalStyle {
  static let plain = Self(isUnicode: false, hasColour: false)
}

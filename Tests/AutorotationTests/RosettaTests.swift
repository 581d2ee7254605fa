// SPDX-License-Identifier: MIT

import Autorotation
import Testing

/// The names of the same quarter turn in every system: the one place to look when left and right have been exchanged.
///
/// A row is a device orientation, and the screen orientation that is upright then, on a panel that is mounted upright.
/// Each step down the table rotates the device a quarter clockwise, seen from the front, and the screen content a
/// quarter anticlockwise on the panel.
struct QuarterTurn {
  // Device orientation.
  let edgeUp: String
  let proxy: String  // iio-sensor-proxy's AccelerometerOrientation
  let device: DeviceOrientation
  let uikitDevice: String  // on a phone, which is portrait in normal orientation
  let acceleration: (x: Double, y: Double)  // g, in IIO's convention as iio-sensor-proxy reads it

  // Screen orientation that is upright then.
  let xrandr: String
  let interface: InterfaceOrientation
  let uikitInterface: String  // left and right are swapped against the device: UIKit counts the home button
  let w3cOnLandscapePanel: OrientationName
  let w3cOnPortraitPanel: OrientationName

  // Values for display systems and input.
  let transform: DisplayTransform
  let wlOutput: Int  // wl_output.transform, anticlockwise
  let randrBit: Int  // RR_Rotate_0, 90, 180, 270
  let touchMatrix: [Double]  // a b c d e f of libinput and X: the panel's 0…1 to the screen's
  let swayDegrees: Int  // `swaymsg output … transform`: clockwise!
  let kscreen: Int  // KScreen.Output.Rotation: 1, 2, 4, 8
  let mutter: Int  // org.gnome.Mutter.DisplayConfig, as wl_output
  let hyprland: Int  // `monitor = …, transform, N`, as wl_output

  static let table = [
    QuarterTurn(
      edgeUp: "top", proxy: "normal", device: .normal, uikitDevice: "portrait", acceleration: (0, -1),
      xrandr: "normal", interface: .normal, uikitInterface: "portrait",
      w3cOnLandscapePanel: .landscapePrimary, w3cOnPortraitPanel: .portraitPrimary,
      transform: .none, wlOutput: 0, randrBit: 1, touchMatrix: [1, 0, 0, 0, 1, 0],
      swayDegrees: 0, kscreen: 1, mutter: 0, hyprland: 0),
    QuarterTurn(
      edgeUp: "left", proxy: "left-up", device: .leftUp, uikitDevice: "landscapeRight", acceleration: (1, 0),
      xrandr: "left", interface: .left, uikitInterface: "landscapeLeft",
      w3cOnLandscapePanel: .portraitPrimary, w3cOnPortraitPanel: .landscapePrimary,
      transform: .rotated90, wlOutput: 1, randrBit: 2, touchMatrix: [0, -1, 1, 1, 0, 0],
      swayDegrees: 270, kscreen: 2, mutter: 1, hyprland: 1),
    QuarterTurn(
      edgeUp: "bottom", proxy: "bottom-up", device: .bottomUp, uikitDevice: "portraitUpsideDown",
      acceleration: (0, 1),
      xrandr: "inverted", interface: .inverted, uikitInterface: "portraitUpsideDown",
      w3cOnLandscapePanel: .landscapeSecondary, w3cOnPortraitPanel: .portraitSecondary,
      transform: .rotated180, wlOutput: 2, randrBit: 4, touchMatrix: [-1, 0, 1, 0, -1, 1],
      swayDegrees: 180, kscreen: 4, mutter: 2, hyprland: 2),
    QuarterTurn(
      edgeUp: "right", proxy: "right-up", device: .rightUp, uikitDevice: "landscapeLeft",
      acceleration: (-1, 0),
      xrandr: "right", interface: .right, uikitInterface: "landscapeRight",
      w3cOnLandscapePanel: .portraitSecondary, w3cOnPortraitPanel: .landscapeSecondary,
      transform: .rotated270, wlOutput: 3, randrBit: 8, touchMatrix: [0, 1, 0, -1, 0, 1],
      swayDegrees: 90, kscreen: 8, mutter: 3, hyprland: 3),
  ]
}

/// Columns of other programs' values are asserted where they are translated: `proxy` beside the sensor proxy's source,
/// `randrBit` and `touchMatrix` beside the X11 backend, the rest beside their backends. Here they are compared with
/// each other.
struct RosettaTests {
  @Test(arguments: QuarterTurn.table)
  func `orientations and transforms match the table`(_ row: QuarterTurn) {
    #expect(DeviceOrientation(rawValue: row.proxy) == row.device)
    #expect(InterfaceOrientation(row.device) == row.interface)
    #expect(InterfaceOrientation(word: row.xrandr) == row.interface)
    #expect(DisplayTransform(showing: row.interface, on: .topUp) == row.transform)
    #expect(Int(row.transform.rawValue) == row.wlOutput)
    #expect(row.w3cOnLandscapePanel.mask(on: .landscape) == OrientationMask(row.interface))
    #expect(row.w3cOnPortraitPanel.mask(on: .portrait) == OrientationMask(row.interface))
  }

  @Test(arguments: QuarterTurn.table)
  func `gravity matches the table`(_ row: QuarterTurn) {
    let g = 9.80665
    var classifier = OrientationClassifier()
    let a = Acceleration(x: row.acceleration.x * g, y: row.acceleration.y * g, z: 0)
    for sample in 0..<20 { _ = classifier.add(a, at: Instant(seconds: Double(sample) / 20)) }
    #expect(classifier.orientation == row.device)
  }

  /// Flat or unknown determines no screen orientation.
  @Test(arguments: [DeviceOrientation.faceUp, .faceDown, .unknown])
  func `flat or unknown has no screen orientation`(_ device: DeviceOrientation) {
    #expect(InterfaceOrientation(device) == nil)
  }

  /// Systems that count in the other direction, or by bits.
  @Test(arguments: QuarterTurn.table)
  func `the columns of the table agree`(_ row: QuarterTurn) {
    #expect(row.randrBit == 1 << row.wlOutput)
    #expect(row.kscreen == row.randrBit)
    #expect(row.mutter == row.wlOutput && row.hyprland == row.wlOutput)
    #expect(row.swayDegrees == (360 - 90 * row.wlOutput) % 360)
    let swapped = [
      "landscapeLeft": "landscapeRight", "landscapeRight": "landscapeLeft",
    ]
    #expect(row.uikitInterface == swapped[row.uikitDevice] ?? row.uikitDevice)
  }

  /// The middle of the edge that is up is the middle of the screen's top edge.
  @Test(arguments: QuarterTurn.table)
  func `a touch on the upper edge is at the top`(_ row: QuarterTurn) throws {
    let edges = ["top": (0.5, 0.0), "left": (0.0, 0.5), "bottom": (0.5, 1.0), "right": (1.0, 0.5)]
    let (x, y) = try #require(edges[row.edgeUp])
    let m = row.touchMatrix
    #expect(m[0] * x + m[1] * y + m[2] == 0.5)
    #expect(m[3] * x + m[4] * y + m[5] == 0)
    #expect(m[0] * m[4] - m[1] * m[3] == 1, "a turn, not a mirror")
  }
}

extension QuarterTurn: CustomTestStringConvertible {
  var testDescription: String { "\(edgeUp) edge up" }
}

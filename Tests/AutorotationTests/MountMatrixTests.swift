// SPDX-License-Identifier: MIT

import Autorotation
import Testing

struct MountMatrixTests {
  static let sample = Acceleration(x: 1, y: 2, z: 3)

  @Test(arguments: [
    "1, 0, 0; 0, 1, 0; 0, 0, 1", "1,0,0;0,1,0;0,0,1", " 1 ,0,\t0 ; -0,1,0; 0,-0,1.0\n",
    "1e0,0,0;0,+1,0;0,0,1", "1,0,0;0,1,0;0,0,1;", "1,0,0;0,1,0;0,0,1; ",
  ])
  func `reads the identity`(_ text: String) throws {
    let matrix = try #require(MountMatrix(text: text))
    #expect(matrix(Self.sample) == Self.sample)
  }

  @Test func `matrix rows are the panels axes`() throws {
    let matrix = try #require(MountMatrix(text: "0, -1, 0; 1, 0, 0; 0, 0, -0.5"))
    #expect(matrix(Self.sample) == Acceleration(x: -2, y: 1, z: -1.5))
    #expect(matrix.elements == [0, -1, 0, 1, 0, 0, 0, 0, -0.5])
    #expect(MountMatrix.identity(Self.sample) == Self.sample)
  }

  @Test func `each cell has its position`() throws {
    let matrix = try #require(MountMatrix(text: "1, 2, 3; 4, 5, 6; 7, 8, 10"))
    #expect(matrix(Acceleration(x: 2, y: 3, z: 5)) == Acceleration(x: 23, y: 53, z: 88))
    #expect(matrix.text == "1, 2, 3; 4, 5, 6; 7, 8, 10")
  }

  @Test func `a small but regular matrix is accepted`() {
    #expect(MountMatrix([1, 0, 0, 0, 1, 0, 0, 0, 0.000_002]) != nil)
    #expect(MountMatrix([1, 0, 0, 0, 1, 0, 0, 0, 0.000_001]) == nil)
    #expect(MountMatrix([1, 0, 0, 0, 1, 0, 0, 0, -0.000_002]) != nil)
  }

  @Test(arguments: [
    "", ";;", "1,0,0;0,1,0", "1,0,0;0,1,0;0,0,1;;", "1,0,0,0;0,1,0;0,0", "1,0,0,0;1,0,0;0,1",
    "a,0,0;0,1,0;0,0,1",
    "1,,0;0,1,0;0,0,1",
    "nan,0,0;0,1,0;0,0,1", "inf,0,0;0,1,0;0,0,1", "1e999,0,0;0,1,0;0,0,1", "1;0;0;0;1;0;0;0;1",
  ])
  func `refuses malformed text`(_ text: String) {
    #expect(MountMatrix(text: text) == nil)
  }

  /// Before, "1 0" was read as ten.
  @Test func `refuses two numbers in one cell`() {
    #expect(MountMatrix(text: "1 0,0,0;0,1,0;0,0,1") == nil)
  }

  @Test(arguments: [
    "0,0,0;0,0,0;0,0,0", "1,0,0;1,0,0;0,0,1", "1,2,3;2,4,6;0,0,1", "1,2,3;4,5,6;7,8,9",
    "1e200,0,0;0,1e200,0;0,0,1",
  ])
  func `refuses singular matrices`(_ text: String) {
    #expect(MountMatrix(text: text) == nil)
  }

  @Test(arguments: ["1,0,0;0,-1,0;1,0,0", "0,1,0;-1,0,0;-1,0,0", "1,2,3;4,5,6;7,8,9", "1,0,0;0,1,0;0,0,1"])
  func `the last row can be replaced by the cross product`(_ text: String) throws {
    let matrix = try #require(MountMatrix(replacingLastRowOf: text))
    let m = matrix.elements
    #expect(matrix.determinant > 0)
    for row in [0, 3] { #expect(m[row] * m[6] + m[row + 1] * m[7] + m[row + 2] * m[8] == 0) }
  }

  @Test(arguments: [
    "1,0,0;0,1,0;0,0,0", "0,0,0;0,1,0;0,0,1", "1,0,0;-2,0,0;0,0,1", "1,0;0,1;0,0", "1,0,0;0,1,a;0,0,1",
    "1,0,0;0,1,0;nan,0,1",
  ])
  func `a matrix without x or y is refused`(_ text: String) {
    #expect(MountMatrix(replacingLastRowOf: text) == nil)
  }

  @Test(arguments: PanelMount.allCases)
  func `a matrix for the casing becomes one for the panel`(_ mount: PanelMount) {
    let upright = [(0.0, -1.0), (1, 0), (0, 1), (-1, 0)]
    for (quarter, (x, y)) in upright.enumerated() {
      let found = MountMatrix.identity.inFrame(ofPanelMounted: mount)(Acceleration(x: x, y: y, z: 2))
      let expected = upright[(quarter + Int(mount.rawValue)) % 4]
      #expect(found == Acceleration(x: expected.0, y: expected.1, z: 2))
    }
  }

  @Test func `refuses any other number of elements`() {
    #expect(MountMatrix([1, 0, 0, 0, 1, 0, 0, 0]) == nil)
    #expect(MountMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1, 0]) == nil)
    #expect(MountMatrix([]) == nil)
  }

  @Test func `an axis along a sensor axis has one source`() throws {
    let matrix = try #require(MountMatrix(text: "0, -1, 0; 0.8, 0, 0.6; 0, 0, 2"))
    let x = try #require(matrix.source(of: .x))
    #expect(x.axis == .y && x.factor == -1)
    #expect(matrix.source(of: .y) == nil)
    let z = try #require(matrix.source(of: .z))
    #expect(z.axis == .z && z.factor == 2)
  }

  /// Rotations, a mirror as most of udev's hwdb have, and one that mirrors all three axes.
  @Test(arguments: [
    "1, 0, 0; 0, 1, 0; 0, 0, 1", "0, -1, 0; 1, 0, 0; 0, 0, 1", "-1, 0, 0; 0, 1, 0; 0, 0, 1",
    "0, 1, 0; 1, 0, 0; 0, 0, 1", "-1, 0, 0; 0, -1, 0; 0, 0, -1", "0.8, -0.6, 0; -0.6, -0.8, 0; 0, 0, 1",
  ])
  func `mapped rates match mapped accelerations`(_ text: String) throws {
    let matrix = try #require(MountMatrix(text: text))
    let rate = AngularRate(x: 0.3, y: -0.7, z: 1.1)
    let moved = matrix(Self.motion(of: Self.sample, by: rate))
    let expected = Self.motion(of: matrix(Self.sample), by: matrix(rate: rate))
    #expect(abs(moved.x - expected.x) + abs(moved.y - expected.y) + abs(moved.z - expected.z) < 1e-12)
  }

  @Test func `a matrix that shrinks values keeps the sense of rotation`() throws {
    let matrix = try #require(MountMatrix(text: "0.5, 0, 0; 0, 0.5, 0; 0, 0, 0.5"))
    #expect(matrix(rate: AngularRate(x: 0.5, y: -1, z: 2)) == AngularRate(x: 0.25, y: -0.5, z: 1))
  }

  /// du/dt = −w × u.
  private static func motion(of u: Acceleration, by w: AngularRate) -> Acceleration {
    Acceleration(x: w.z * u.y - w.y * u.z, y: w.x * u.z - w.z * u.x, z: w.y * u.x - w.x * u.y)
  }
}

// SPDX-License-Identifier: MIT

import Autorotation
import Testing

struct MountMatrixTests {
  static let sample = Acceleration(x: 1, y: 2, z: 3)

  @Test(arguments: [
    "1, 0, 0; 0, 1, 0; 0, 0, 1", "1,0,0;0,1,0;0,0,1", " 1 ,0,\t0 ; -0,1,0; 0,-0,1.0\n",
    "1e0,0,0;0,+1,0;0,0,1",
  ])
  func readsTheIdentity(_ text: String) throws {
    let matrix = try #require(MountMatrix(text: text))
    #expect(matrix(Self.sample) == Self.sample)
  }

  @Test func rowsMakeTheNewAxes() throws {
    let matrix = try #require(MountMatrix(text: "0, -1, 0; 1, 0, 0; 0, 0, -0.5"))
    #expect(matrix(Self.sample) == Acceleration(x: -2, y: 1, z: -1.5))
    #expect(matrix.elements == [0, -1, 0, 1, 0, 0, 0, 0, -0.5])
    #expect(MountMatrix.identity(Self.sample) == Self.sample)
  }

  @Test func eachCellHasItsPlace() throws {
    let matrix = try #require(MountMatrix(text: "1, 2, 3; 4, 5, 6; 7, 8, 10"))
    #expect(matrix(Acceleration(x: 2, y: 3, z: 5)) == Acceleration(x: 23, y: 53, z: 88))
    #expect(matrix.text == "1, 2, 3; 4, 5, 6; 7, 8, 10")
  }

  @Test func aDirectionMayBeWeakButNotLost() {
    #expect(MountMatrix([1, 0, 0, 0, 1, 0, 0, 0, 0.000_002]) != nil)
    #expect(MountMatrix([1, 0, 0, 0, 1, 0, 0, 0, 0.000_001]) == nil)
    #expect(MountMatrix([1, 0, 0, 0, 1, 0, 0, 0, -0.000_002]) != nil)
  }

  @Test(arguments: [
    "", ";;", "1,0,0;0,1,0", "1,0,0;0,1,0;0,0,1;", "1,0,0,0;0,1,0;0,0", "1,0,0,0;1,0,0;0,1",
    "a,0,0;0,1,0;0,0,1",
    "1,,0;0,1,0;0,0,1",
    "nan,0,0;0,1,0;0,0,1", "inf,0,0;0,1,0;0,0,1", "1e999,0,0;0,1,0;0,0,1", "1;0;0;0;1;0;0;0;1",
  ])
  func refusesJunk(_ text: String) {
    #expect(MountMatrix(text: text) == nil)
  }

  /// "1 0" was read as ten.
  @Test func refusesTwoNumbersInOneCell() {
    #expect(MountMatrix(text: "1 0,0,0;0,1,0;0,0,1") == nil)
  }

  @Test(arguments: [
    "0,0,0;0,0,0;0,0,0", "1,0,0;1,0,0;0,0,1", "1,2,3;2,4,6;0,0,1", "1,2,3;4,5,6;7,8,9",
    "1e200,0,0;0,1e200,0;0,0,1",
  ])
  func refusesWhatLosesADirection(_ text: String) {
    #expect(MountMatrix(text: text) == nil)
  }

  @Test func refusesAnyOtherCount() {
    #expect(MountMatrix([1, 0, 0, 0, 1, 0, 0, 0]) == nil)
    #expect(MountMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1, 0]) == nil)
    #expect(MountMatrix([]) == nil)
  }
}

// SPDX-License-Identifier: MIT

import Autorotation
import Testing

struct InterfaceOrientationTests {
  /// Was −251 from left to normal: `&` binds tighter than `&-`.
  @Test func quarterTurnsCountBothWays() {
    for from in InterfaceOrientation.allCases {
      for to in InterfaceOrientation.allCases {
        let apart = abs(Int(from.rawValue) - Int(to.rawValue))
        #expect(from.quarterTurns(to: to) == min(apart, 4 - apart))
      }
    }
  }

  @Test func wordsReadBack() {
    for orientation in InterfaceOrientation.allCases {
      #expect(InterfaceOrientation(word: orientation.word) == orientation)
    }
    for junk in ["", "Left", "left-up", "landscape", "0"] { #expect(InterfaceOrientation(word: junk) == nil) }
  }
}

struct DisplayTransformTests {
  /// Trapped for seven of the sixteen: `&` binds tighter than `&+`.
  @Test func everyOrientationOnEveryMountReadsBack() {
    for mount in [PanelMount.topUp, .leftSideUp, .upsideDown, .rightSideUp] {
      for orientation in InterfaceOrientation.allCases {
        let transform = DisplayTransform(showing: orientation, on: mount)
        #expect(transform.orientation(on: mount) == orientation)
        #expect(transform.rawValue == (orientation.rawValue + mount.rawValue) % 4)
      }
    }
  }

  @Test func quarterTurnsSwapTheSides() {
    #expect(DisplayTransform.allCases.map(\.swapsSides) == [false, true, false, true])
  }

  @Test func setsHoldTheirTransforms() {
    let halfTurns: TransformSet = [TransformSet(.none), TransformSet(.turned180)]
    #expect(DisplayTransform.allCases.map(halfTurns.contains) == [true, false, true, false])
    #expect(DisplayTransform.allCases.allSatisfy(TransformSet.all.contains))
  }
}

struct OutputTests {
  /// The panel of many a handheld: 800 × 1280, built in with its left side up.
  @Test func sidewaysMountMakesAPortraitPanelLandscape() {
    var output = Output(name: "eDP-1", isBuiltIn: true, width: 800, height: 1280, mount: .leftSideUp)
    #expect(output.naturalAspect == .landscape)
    output.transform = DisplayTransform(showing: .normal, on: output.mount)
    #expect(output.transform == .turned90)
    #expect(output.pictureSize == (1280, 800))
    output.mount = .upsideDown
    #expect(output.naturalAspect == .portrait)
  }
}

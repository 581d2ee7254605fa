// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

struct InterfaceOrientationTests {
  /// Before, it was −251 from left to normal: `&` binds tighter than `&-`.
  @Test func `quarter turns are counted in both directions`() {
    for from in InterfaceOrientation.allCases {
      for to in InterfaceOrientation.allCases {
        let apart = abs(Int(from.rawValue) - Int(to.rawValue))
        #expect(from.quarterTurns(to: to) == min(apart, 4 - apart))
      }
    }
  }

  @Test func `each name is parsed as its orientation`() {
    for orientation in InterfaceOrientation.allCases {
      #expect(InterfaceOrientation(word: orientation.word) == orientation)
    }
    for junk in ["", "Left", "left-up", "landscape", "0"] { #expect(InterfaceOrientation(word: junk) == nil) }
  }
}

struct DisplayTransformTests {
  /// Before, it trapped for seven of the sixteen: `&` binds tighter than `&+`.
  @Test func `every orientation on every mount reads back`() {
    for mount in [PanelMount.topUp, .leftSideUp, .upsideDown, .rightSideUp] {
      for orientation in InterfaceOrientation.allCases {
        let transform = DisplayTransform(showing: orientation, on: mount)
        #expect(transform.orientation(on: mount) == orientation)
        #expect(transform.rawValue == (orientation.rawValue + mount.rawValue) % 4)
      }
    }
  }

  @Test func `quarter turns swap the sides`() {
    #expect(DisplayTransform.allCases.map(\.swapsSides) == [false, true, false, true])
  }

  @Test func `sets contain their transforms`() {
    let halfTurns: Set<DisplayTransform> = [.none, .rotated180]
    #expect(DisplayTransform.allCases.map(halfTurns.contains) == [true, false, true, false])
    #expect(DisplayTransform.allCases.allSatisfy(Set<DisplayTransform>.all.contains))
  }
}

struct LockEndTests {
  @Test(arguments: [LockEnd.time(5), .unfolded, .focus(application: "mpv")])
  func `each end of a lock is read from its name`(_ end: LockEnd<Int>) {
    #expect(LockEnd(word: end.word, time: 5, application: "mpv") == end)
  }

  @Test func `a lock without an end has no name for it`() {
    #expect(LockEnd(word: "", time: 5, application: "mpv") == nil)
  }
}

struct OutputTests {
  /// The panel of many handhelds: 800 × 1280, mounted with its left side up.
  @Test func `sideways mount makes a portrait panel landscape`() {
    var output = Output(name: "eDP-1", isBuiltIn: true, width: 800, height: 1280, mount: .leftSideUp)
    #expect(output.naturalAspect == .landscape)
    output.transform = DisplayTransform(showing: .normal, on: output.mount)
    #expect(output.transform == .rotated90)
    #expect(output.rotatedSize == (1280, 800))
    output.mount = .upsideDown
    #expect(output.naturalAspect == .portrait)
  }

  /// KWin lets two virtual outputs have the same name.
  @Test func `two panels of one name keep their order`() {
    let panels = [1280, 1920].map { Output(name: "Virtual-tv", isBuiltIn: false, width: $0, height: 800) }
    #expect(panels.panels(chosen: OutputChoice(["Virtual-tv"])) == panels)
  }

  @Test func `a scale that is not a number is one`() {
    #expect(Output(name: "DP-1", isBuiltIn: false, width: 1280, height: 800, scale: .nan).scale == 1)
  }

  @Test func `a square panel counts as landscape`() {
    #expect(Output(name: "eDP-1", isBuiltIn: true, width: 1080, height: 1080).naturalAspect == .landscape)
  }

  /// A panel that rotates moves its neighbours, but not past each other.
  @Test func `neighbours that change sides are another arrangement`() {
    let panel = Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800)
    let monitors = ["DP-1", "DP-2"].map { Output(name: $0, isBuiltIn: false, width: 1920, height: 1080) }
    func beside(_ transform: DisplayTransform, at first: Int, _ second: Int) -> [Output] {
      var outputs = [panel] + monitors
      outputs[0].transform = transform
      (outputs[1].x, outputs[2].x) = (first, second)
      return outputs
    }
    let before = beside(.none, at: 1280, 3200)
    #expect(beside(.rotated90, at: 800, 2720).isArranged(like: before))
    #expect(!beside(.rotated90, at: 2720, 800).isArranged(like: before))
  }

  /// Two monitors to the right of a panel of 2560 pixels that is shown at twice the size.
  @Test func `neighbours of a scaled panel keep their sides`() {
    func beside(_ transform: DisplayTransform, at x: Int) -> [Output] {
      [
        Output(name: "eDP-1", isBuiltIn: true, width: 2560, height: 1600, scale: 2, transform: transform),
        Output(name: "DP-1", isBuiltIn: false, x: x, width: 2560, height: 1440),
        Output(name: "DP-2", isBuiltIn: false, x: x + 2560, width: 2560, height: 1440),
      ]
    }
    #expect(beside(.rotated90, at: 800).isArranged(like: beside(.none, at: 1280)))
    #expect(!beside(.none, at: 1000).isArranged(like: beside(.none, at: 1280)))
  }

  @Test func `monitors that exchange their places are another arrangement`() {
    func beside(_ transform: DisplayTransform, at x: Int, y first: Int, _ second: Int) -> [Output] {
      [
        Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800, transform: transform),
        Output(name: "DP-1", isBuiltIn: false, x: x, y: first, width: 1920, height: 1080),
        Output(name: "DP-2", isBuiltIn: false, x: x, y: second, width: 1920, height: 1080),
      ]
    }
    let before = beside(.none, at: 1280, y: -600, 480)
    #expect(beside(.rotated90, at: 800, y: -600, 480).isArranged(like: before))
    #expect(!beside(.rotated90, at: 800, y: 480, -600).isArranged(like: before))
  }

  @Test func `two panels that rotate together may change sides`() {
    func beside(_ transform: DisplayTransform, at first: Int, _ second: Int) -> [Output] {
      [("eDP-1", first), ("eDP-2", second)].map { name, x in
        Output(name: name, isBuiltIn: true, x: x, width: 1280, height: 800, transform: transform)
      }
    }
    let before = beside(.none, at: 0, 1280)
    #expect(beside(.rotated180, at: 1280, 0).isArranged(like: before))
    #expect(!beside(.none, at: 1280, 0).isArranged(like: before))
  }

  @Test func `a monitor that begins above the panel's top is beside it, not above`() {
    func beside(_ transform: DisplayTransform, at x: Int, _ y: Int) -> [Output] {
      [
        Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800, transform: transform),
        Output(name: "DP-1", isBuiltIn: false, x: x, y: y, width: 1920, height: 1080),
      ]
    }
    #expect(beside(.rotated90, at: 800, 100).isArranged(like: beside(.none, at: 1280, -140)))
  }

  /// Exactly a tenth of the panel's width.
  @Test func `an overlap of a tenth counts as an overlap`() {
    func overlapping(at x: Int) -> [Output] {
      [
        Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800),
        Output(name: "DP-1", isBuiltIn: false, x: x, width: 1920, height: 1080),
      ]
    }
    for (old, new) in [(1000, 1152), (1000, 500), (1300, 3000)] {
      #expect(overlapping(at: new).isArranged(like: overlapping(at: old)))
    }
    #expect(!overlapping(at: 1153).isArranged(like: overlapping(at: 1000)))
  }
}

struct FaultCodeTests {
  @Test func `a silent sensor or display is a fault`() {
    for code in [Message.Code.sensorNone, .sensorBusy, .sensorNotAnswering, .displayNone, .displaySilent] {
      #expect(code.isFault, "\(code.rawValue)")
    }
  }

  @Test func `a display that is off or a gyroscope that is not used is no fault`() {
    for code in [Message.Code.displayOff, .sensorGyroscope, .sensorChanged, .locked, .upright] {
      #expect(!code.isFault, "\(code.rawValue)")
    }
  }
}

struct AccelerationTests {
  @Test func `an acceleration is finite only if each axis is`() {
    #expect(Acceleration(x: 1, y: 2, z: 3).isFinite)
    #expect(!Acceleration(x: .nan, y: 2, z: 3).isFinite)
    #expect(!Acceleration(x: 1, y: .infinity, z: 3).isFinite)
    #expect(!Acceleration(x: 1, y: 2, z: -.infinity).isFinite)
  }

  @Test func `the magnitude is of all three axes`() {
    #expect(Acceleration(x: 2, y: -3, z: 6).magnitude == 7)
  }
}

struct OrientationMaskTests {
  @Test func `masks have readable phrases`() {
    #expect(OrientationMask.all.words.description == "any")
    #expect(OrientationMask.allButUpsideDown.words.description == "normal or left or right")
    #expect(OrientationMask.natural.words.description == "normal")
    #expect(OrientationMask([]).words.description.isEmpty)
  }

  @Test func `landscape and portrait divide the four orientations`() {
    for aspect in [PanelAspect.landscape, .portrait] {
      let landscape = OrientationMask.landscape(on: aspect)
      let portrait = OrientationMask.portrait(on: aspect)
      #expect(landscape.union(portrait) == .all)
      #expect(landscape.isDisjoint(with: portrait))
      #expect(landscape.contains(InterfaceOrientation.normal) == (aspect == .landscape))
    }
  }
}

struct OrientationWordTests {
  /// The mask of each name on a landscape-native and on a portrait-native panel.
  static let meanings: [(OrientationName, landscape: String, portrait: String)] = [
    (.normal, "normal", "normal"),
    (.left, "left", "left"),
    (.inverted, "inverted", "inverted"),
    (.right, "right", "right"),
    (.landscape, "normal or inverted", "left or right"),
    (.portrait, "left or right", "normal or inverted"),
    (.natural, "normal", "normal"),
    (.all, "any", "any"),
    (.allButUpsideDown, "normal or left or right", "normal or left or right"),
    (.landscapePrimary, "normal", "left"),
    (.landscapeSecondary, "inverted", "right"),
    (.portraitPrimary, "left", "normal"),
    (.portraitSecondary, "right", "inverted"),
  ]

  @Test func `each name on both panels`() {
    #expect(Self.meanings.map(\.0) == OrientationName.allCases)
    for (word, landscape, portrait) in Self.meanings {
      #expect(word.mask(on: .landscape).words.description == landscape, "\(word)")
      #expect(word.mask(on: .portrait).words.description == portrait, "\(word)")
    }
  }

  @Test func `normal is named by the panel`() {
    let aspects: [PanelAspect?] = [.landscape, .portrait, nil]
    #expect(
      aspects.map { InterfaceOrientation.normal.name(on: $0).description } == [
        "landscape", "portrait", "upright",
      ])
    #expect(
      aspects.map { DeviceOrientation.leftUp.name(on: $0).description }
        == Array(repeating: "left edge up", count: 3))
    #expect(OrientationMask.natural.names(on: .portrait).description == "portrait")
    let reason = Reason.notAllowedKeepsCurrent(wanted: .inverted, shown: .normal)
    #expect(
      reason.message(on: .portrait).description
        == "The screen is portrait, since upside down is not allowed.")
  }

  @Test func `a list allows the union of its names`() {
    let list: [OrientationName] = [.normal, .portraitSecondary]
    #expect(list.mask(on: .landscape).words.description == "normal or right")
    #expect([OrientationName]().mask(on: .landscape).isEmpty)
  }
}

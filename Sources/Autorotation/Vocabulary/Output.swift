// SPDX-License-Identifier: MIT

/// One display as its backend sees it.
package struct Output: Equatable, Sendable {
  /// The connector's name, as shown by xrandr or wlr-randr: "eDP-1".
  package var name: String
  /// Whether it is the device's own panel, as far as the display system reports that.
  package var isBuiltIn: Bool
  /// Whether its connector is for monitors. An output that is neither built-in nor external may be the only screen of a
  /// virtual machine.
  package var isExternal: Bool
  /// Whether it is enabled and lit.
  package var isActive: Bool
  /// The place of its upper left corner in the layout: in logical pixels where the display system scales.
  package var x: Int
  package var y: Int
  /// Pixels of the mode, before rotation.
  package var width: Int
  package var height: Int
  /// Physical pixels per logical pixel, where the display system scales.
  package var scale: Double
  package var transform: DisplayTransform
  package var supportedTransforms: Set<DisplayTransform>
  package var mount: PanelMount
  /// Why the display system refuses to switch it on again after a rotation switched it off; else `nil`.
  package var switchOnFailure: Message?

  package init(
    name: String, isBuiltIn: Bool, isExternal: Bool = false, isActive: Bool = true, x: Int = 0, y: Int = 0,
    width: Int, height: Int, scale: Double = 1, transform: DisplayTransform = .none,
    supportedTransforms: Set<DisplayTransform> = .all, mount: PanelMount = .topUp
  ) {
    self.name = name.printable()
    self.isBuiltIn = isBuiltIn
    self.isExternal = isExternal
    self.isActive = isActive
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    // Not a number would differ from itself.
    self.scale = scale.isNaN ? 1 : scale
    self.transform = transform
    self.supportedTransforms = supportedTransforms
    self.mount = mount
  }

  /// The aspect in normal orientation: that of the mode, unless the panel is mounted sideways.
  package var naturalAspect: PanelAspect {
    let modeIsWide = width >= height
    let mountIsSideways = mount.rawValue & 1 == 1
    return modeIsWide != mountIsSideways ? .landscape : .portrait
  }

  /// Whether its graphics driver supports no other transform than the present one.
  var isFixed: Bool { supportedTransforms.isSubset(of: [transform]) }

  /// What it shows.
  package var orientation: InterfaceOrientation { transform.orientation(on: mount) }

  func transform(toShow orientation: InterfaceOrientation) -> DisplayTransform {
    DisplayTransform(showing: orientation, on: mount)
  }

  func canShow(_ orientation: InterfaceOrientation) -> Bool {
    supportedTransforms.contains(transform(toShow: orientation))
  }

  /// Pixels with the present transform.
  package var rotatedSize: (width: Int, height: Int) { rotatedSize(with: transform) }

  package func rotatedSize(with transform: DisplayTransform) -> (width: Int, height: Int) {
    transform.swapsSides ? (height, width) : (width, height)
  }

  /// On one axis, before is left or above.
  fileprivate enum Side { case before, overlapping, after }

  /// The distance of another output on both axes, and its side of this one. Small overlaps are ignored, since positions
  /// and scales are rounded.
  fileprivate func places(of other: Self) -> [(distance: Int, side: Side)] {
    func place(_ distance: Int, _ own: Int, _ others: Int) -> (distance: Int, side: Side) {
      let isAfter = Double(distance) * scale > 0.9 * Double(own)
      let isBefore = Double(-distance) * other.scale > 0.9 * Double(others)
      return (distance, isAfter ? .after : isBefore ? .before : .overlapping)
    }
    let (size, otherSize) = (rotatedSize, other.rotatedSize)
    return [
      place(other.x - x, size.width, otherSize.width), place(other.y - y, size.height, otherSize.height),
    ]
  }
}

extension [Output] {
  /// The outputs that rotate together: those chosen by the user, else the built-in panels, else the only output unless
  /// it is a monitor. Moving a laptop, open or closed, must not rotate the monitor beside it.
  /// - Returns: the outputs in the order of their names, since display systems list them in the order of connection.
  package func panels(chosen: OutputChoice) -> [Output] {
    guard chosen.isAutomatic else { return filter { chosen.names.contains($0.name) }.byName }
    let builtIn = filter(\.isBuiltIn)
    guard builtIn.isEmpty else { return builtIn.byName }
    let others = filter { !$0.isExternal }
    return others.count == 1 && !contains { $0.isExternal && $0.isActive } ? others : []
  }

  /// Whether a rotation alone may have moved the active outputs: on each axis, each has kept its distance or its side
  /// from each other. A rotation only moves neighbours closer or farther away. Two neighbours of one that rotates may
  /// begin or cease to overlap on an axis, and two panels that rotate together may change sides.
  func isArranged(like before: Self) -> Bool {
    let pairs = filter(\.isActive).compactMap { new in
      before.first { $0.name == new.name }.map { ($0, new) }
    }
    let hasRotation = pairs.contains { $0.transform != $1.transform }
    return pairs.allSatisfy { old, new in
      pairs.allSatisfy { oldOther, newOther in
        let rotated = [old.transform != new.transform, oldOther.transform != newOther.transform].count { $0 }
        if rotated == 2 { return true }
        let mayOverlap = hasRotation && rotated == 0
        return zip(old.places(of: oldOther), new.places(of: newOther)).allSatisfy { old, new in
          let isOverlapping = old.side == .overlapping || new.side == .overlapping
          return old.distance == new.distance || old.side == new.side || mayOverlap && isOverlapping
        }
      }
    }
  }

  /// Connectors are numbered: eDP-2 comes before eDP-10.
  private var byName: Self { sorted { ($0.name.utf8.count, $0.name) < ($1.name.utf8.count, $1.name) } }
}

/// How a panel is mounted in its device: which of the panel's own edges is up in normal orientation. DRM's "panel
/// orientation".
///
/// The raw value counts the quarter turns, anticlockwise, that make the screen upright.
package enum PanelMount: UInt8, CaseIterable, Sendable {
  case topUp, leftSideUp, upsideDown, rightSideUp
}

/// Whether a screen is wide or high.
package enum PanelAspect: String, CaseIterable, Sendable {
  case landscape, portrait
}

/// The outputs that the user chose to rotate together. None stands for the built-in panels.
package struct OutputChoice: Equatable, Sendable {
  /// The connectors' names.
  package var names: [String]
  /// Whether it comes from `--output`.
  package var isFromCommandLine: Bool

  package init(_ names: [String] = [], isFromCommandLine: Bool = false) {
    self.names = names
    self.isFromCommandLine = isFromCommandLine
  }

  package var isAutomatic: Bool { names.isEmpty }
}

/// The output that the settings assign to a touchscreen or pen.
package struct TouchAssignment: Equatable, Sendable {
  /// The name of a device, or of several: `*` and `?` stand for any text and any character.
  package var pattern: String
  /// The connector's name.
  package var output: String

  package init(_ pattern: String, on output: String) {
    self.pattern = pattern
    self.output = output
  }
}

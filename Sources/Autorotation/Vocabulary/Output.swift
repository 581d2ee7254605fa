// SPDX-License-Identifier: MIT

/// One display as its backend sees it.
package struct Output: Equatable, Sendable {
  /// The connector's name, as the person sees it in xrandr or wlr-randr: "eDP-1".
  package var name: String
  /// Whether it is the device's own panel, as far as the display system tells.
  package var isBuiltIn: Bool
  /// Whether its connector is one for monitors. An output that is neither may be the only screen of a virtual machine.
  package var isExternal: Bool
  /// Whether it shows a picture now.
  package var isActive: Bool
  /// Pixels of the mode, before any turn.
  package var width: Int
  package var height: Int
  /// Physical pixels per logical pixel, where the display system scales.
  package var scale: Double
  package var transform: DisplayTransform
  package var supportedTransforms: TransformSet
  package var mount: PanelMount
  /// Why it is off, where a rotation switched it off and the display system refuses to switch it on again; else `nil`.
  package var switchOnFailure: Message?

  package init(
    name: String, isBuiltIn: Bool, isExternal: Bool = false, isActive: Bool = true, width: Int, height: Int,
    scale: Double = 1, transform: DisplayTransform = .none, supportedTransforms: TransformSet = .all,
    mount: PanelMount = .topUp, switchOnFailure: Message? = nil
  ) {
    self.name = name.printable()
    self.isBuiltIn = isBuiltIn
    self.isExternal = isExternal
    self.isActive = isActive
    self.width = width
    self.height = height
    self.scale = scale
    self.transform = transform
    self.supportedTransforms = supportedTransforms
    self.mount = mount
    self.switchOnFailure = switchOnFailure
  }

  /// The aspect of the natural picture: that of the mode, unless the panel is mounted sideways.
  package var naturalAspect: PanelAspect {
    let modeIsWide = width >= height
    let mountIsSideways = mount.rawValue & 1 == 1
    return modeIsWide != mountIsSideways ? .landscape : .portrait
  }

  /// Whether its graphics driver offers no other turn than the one it has.
  var isFixed: Bool { supportedTransforms.isSubset(of: TransformSet(transform)) }

  /// Pixels of the picture with the turn it has now.
  package var pictureSize: (width: Int, height: Int) {
    pictureSize(with: transform)
  }

  package func pictureSize(with transform: DisplayTransform) -> (width: Int, height: Int) {
    transform.swapsSides ? (height, width) : (width, height)
  }
}

extension [Output] {
  /// The outputs that may be turned, all of them together: the person's choice, else the built-in panels, else the
  /// only one, unless it is a monitor. Nobody wants the laptop, open or closed, to rotate the monitor beside it.
  /// - Returns: them in the order of their names: display systems tell them in the order in which they came.
  package func panels(chosen: OutputChoice) -> [Output] {
    guard chosen.isAutomatic else { return filter { chosen.names.contains($0.name) }.byName }
    let builtIn = filter(\.isBuiltIn)
    guard builtIn.isEmpty else { return builtIn.byName }
    let others = filter { !$0.isExternal }
    return others.count == 1 && !contains { $0.isExternal && $0.isActive } ? others : []
  }

  private var byName: Self { sorted { $0.comesBefore($1) } }
}

extension Output {
  /// Connectors are numbered: eDP-2 comes before eDP-10.
  fileprivate func comesBefore(_ other: Self) -> Bool {
    (name.utf8.count, name) < (other.name.utf8.count, other.name)
  }
}

/// How a panel is built into its device: which of the panel's own edges is up when the device
/// stands normally. DRM's "panel orientation".
///
/// The raw value counts the quarter turns, anticlockwise, that show an upright picture.
package enum PanelMount: UInt8, CaseIterable, Sendable {
  case topUp, leftSideUp, upsideDown, rightSideUp
}

/// Which way a picture lies: wide or high.
package enum PanelAspect: Sendable {
  case landscape, portrait
}

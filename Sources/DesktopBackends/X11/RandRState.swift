// SPDX-License-Identifier: MIT

package import Autorotation

/// The state of the X screen as RandR reports it, in plain values.
struct RandRState: Equatable, Sendable {
  struct Screen: Equatable, Sendable {
    var size: PixelSize
    /// From which programs compute the pixel density.
    var millimetres: PixelSize
  }

  /// The hardware that scans out a part of the screen to one or more outputs.
  struct CRTC: Equatable, Sendable {
    var id: UInt32
    /// The mode's XID; 0 while it is off.
    var mode: UInt32
    var rectangle: ScreenRectangle
    /// RandR's bits, as in `rotations`.
    var rotation: UInt16
    var rotations: UInt16
    var outputs: [UInt32]
    /// A scale or another transform, applied after rotation and reflection.
    var transform: ProjectiveTransform

    var isLit: Bool { mode != 0 }
  }

  struct Connector: Equatable, Sendable {
    var id: UInt32
    var name: String
    var isConnected: Bool
    /// The CRTC that lights it; 0 if none does.
    var crtc: UInt32
    var possibleCRTCs: [UInt32]
    /// The mode's XID; 0 if it has none.
    var preferredMode: UInt32
    var isBuiltIn: Bool
    var mount: PanelMount
    var size: PhysicalSize?
  }

  /// The server's times of the last changes, in milliseconds.
  struct Timestamps: Equatable, Sendable {
    /// A client set a CRTC.
    var set: UInt32
    /// The available outputs or modes changed.
    var configured: UInt32
  }

  var timestamps: Timestamps
  var screen: Screen
  var largestScreen: PixelSize
  var modes: [UInt32: PixelSize]
  var crtcs: [CRTC]
  var connectors: [Connector]

  /// RandR's positions are signed 16-bit numbers, whatever screen size a server offers.
  private static let maximumSide = 32767

  func allowsScreen(width: Int, height: Int) -> Bool {
    max(width, height) <= Self.maximumSide && width <= largestScreen.width && height <= largestScreen.height
  }

  subscript(crtc id: UInt32) -> CRTC? { crtcs.first { $0.id == id } }

  subscript(output name: String) -> Connector? { connectors.first { $0.name == name } }

  /// Every output that is connected or still lit.
  var outputs: [Output] { connectors.filter { $0.isConnected || $0.crtc != 0 }.map(output) }

  private func output(_ connector: Connector) -> Output {
    let lit = self[crtc: connector.crtc]
    let rotations = (lit ?? connector.possibleCRTCs.first.flatMap { self[crtc: $0] })?.rotations ?? 0
    let size = modes[lit?.mode ?? connector.preferredMode]
    return Output(
      name: connector.name, isBuiltIn: connector.isBuiltIn,
      isExternal: Output.isNamedLikeMonitor(connector.name), isActive: lit?.isLit ?? false,
      x: lit?.rectangle.x ?? 0, y: lit?.rectangle.y ?? 0, width: size?.width ?? 0, height: size?.height ?? 0,
      transform: lit.flatMap { DisplayTransform(randrRotation: $0.rotation) } ?? .none,
      supportedTransforms: Set(randrRotations: rotations), mount: connector.mount)
  }

  func touchPlacement(_ settings: DisplaySettings) -> TouchPlacement {
    TouchPlacement(outputs: outputs, settings: settings) {
      self[output: $0]?.size ?? PhysicalSize(connector: $0)
    }
  }

  /// The part of the screen that an output shows; `nil` if it is off.
  func place(of name: String) -> PanelPlace? {
    guard let connector = self[output: name], let crtc = self[crtc: connector.crtc], crtc.isLit
    else { return nil }
    return PanelPlace(rectangle: crtc.rectangle, randrRotation: crtc.rotation, screen: screen.size)
  }

  /// The size, in pixels of the screen, of what a CRTC shows with a rotation and its transform.
  func size(of crtc: CRTC, rotation: UInt16) -> PixelSize? {
    guard let mode = modes[crtc.mode] else { return nil }
    let size = mode.rotated(DisplayTransform(randrRotation: rotation) ?? .none)
    return crtc.transform.boundingSize(width: size.width, height: size.height)
  }
}

/// The steps from one state of the screen to another.
struct ScreenChange: Equatable {
  /// CRTCs to switch off first, since the server refuses a screen size that does not contain a lit CRTC.
  var switchedOff: [UInt32]
  /// The screen's new size, if it changes.
  var screen: RandRState.Screen?
  /// CRTCs to set, in their new state.
  var set: [RandRState.CRTC]

  init(from old: RandRState, to new: RandRState) {
    let size = new.screen.size
    let off = old.crtcs.filter { crtc in
      let fits = crtc.rectangle.fits(width: size.width, height: size.height)
      return crtc.isLit && !(fits && new[crtc: crtc.id]?.isLit ?? false)
    }.map(\.id)
    switchedOff = off
    screen = old.screen == new.screen ? nil : new.screen
    set = new.crtcs.filter { crtc in
      crtc.isLit && (off.contains(crtc.id) || old[crtc: crtc.id].map { !$0.shows(crtc) } ?? true)
    }
  }
}

extension RandRState.CRTC {
  /// Whether both show the same part of the screen in the same way on the same outputs.
  func shows(_ other: Self) -> Bool {
    mode == other.mode && rotation == other.rotation && Set(outputs) == Set(other.outputs)
      && (!isLit || rectangle == other.rectangle)
  }
}

/// RandR's rotations: one bit each, counted anticlockwise like `DisplayTransform`.
///
/// | `DisplayTransform` | RandR | bit | xrandr |
/// |---|---|---|---|
/// | none | RR_Rotate_0 | 1 | normal |
/// | rotated90 | RR_Rotate_90 | 2 | left |
/// | rotated180 | RR_Rotate_180 | 4 | inverted |
/// | rotated270 | RR_Rotate_270 | 8 | right |
///
/// The bits 16 and 32 reflect in x and y, after the rotation. autorotate keeps them as they are.
extension DisplayTransform {
  package var randrRotation: UInt16 { 1 << UInt16(rawValue) }

  /// The rotation without its reflection bits; `nil` unless exactly one rotation bit is set.
  package init?(randrRotation: UInt16) {
    let bit = randrRotation & 0b1111
    guard let transform = Self.allCases.first(where: { $0.randrRotation == bit }) else { return nil }
    self = transform
  }

  /// A CRTC's rotation with its rotation bit replaced by this one, and its reflection kept.
  func replacingRotation(in randrRotation: UInt16) -> UInt16 {
    randrRotation & ~0b1111 | self.randrRotation
  }
}

extension Set<DisplayTransform> {
  /// The rotations that a CRTC offers, without reflections.
  init(randrRotations: UInt16) {
    self.init(DisplayTransform.allCases.filter { randrRotations & $0.randrRotation != 0 })
  }
}

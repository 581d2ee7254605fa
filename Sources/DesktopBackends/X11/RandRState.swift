// SPDX-License-Identifier: MIT

import Autorotation

/// What RandR says of the X screen, as plain values.
struct RandRState: Equatable, Sendable {
  struct Screen: Equatable, Sendable {
    var width: Int
    var height: Int
    /// Millimetres, from which programs learn the resolution.
    var widthMillimetres: Int
    var heightMillimetres: Int
  }

  /// The part of the hardware that sends a piece of the screen to one or more outputs.
  struct CRTC: Equatable, Sendable {
    var id: UInt32
    /// The mode's XID; 0 while it is off.
    var mode: UInt32
    var rectangle: ScreenRectangle
    /// RandR's bits, as are `rotations`.
    var rotation: UInt16
    var rotations: UInt16
    var outputs: [UInt32]
    /// A scale or another transform, applied after rotation and reflection.
    var transform: ProjectiveTransform

    var isLit: Bool { mode != 0 }
  }

  /// A connector.
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
  }

  struct Size: Equatable, Sendable {
    var width: Int
    var height: Int
  }

  /// The server's times, in milliseconds, at which things last changed.
  struct Timestamps: Equatable, Sendable {
    /// Anybody set a CRTC.
    var set: UInt32
    /// What is there to be set became another.
    var configured: UInt32
  }

  var timestamps: Timestamps
  var screen: Screen
  var largestScreen: Size
  var modes: [UInt32: Size]
  var crtcs: [CRTC]
  var connectors: [Connector]

  subscript(crtc id: UInt32) -> CRTC? {
    crtcs.first { $0.id == id }
  }

  subscript(output name: String) -> Connector? {
    connectors.first { $0.name == name }
  }

  /// Every display that is plugged in or still lit.
  var outputs: [Output] {
    connectors.filter { $0.isConnected || $0.crtc != 0 }.map(output)
  }

  private func output(_ connector: Connector) -> Output {
    let lit = self[crtc: connector.crtc]
    let rotations = (lit ?? connector.possibleCRTCs.first.flatMap { self[crtc: $0] })?.rotations ?? 0
    let size = modes[lit?.mode ?? connector.preferredMode]
    return Output(
      name: connector.name, isBuiltIn: connector.isBuiltIn,
      isExternal: Output.isNamedLikeMonitor(connector.name), isActive: lit?.isLit ?? false,
      width: size?.width ?? 0, height: size?.height ?? 0,
      transform: lit.flatMap { DisplayTransform(randrRotation: $0.rotation) } ?? .none,
      supportedTransforms: TransformSet(randrRotations: rotations), mount: connector.mount)
  }

  /// The output that touchscreens and pens lie on: the one of the settings, else the built-in panel, else
  /// the only one that is lit.
  func panelName(chosen: String?) -> String? {
    outputs.panelName(chosen: chosen)
  }

  /// Where on the screen an output's picture is, if it is lit.
  func place(of name: String) -> PanelPlace? {
    guard let connector = self[output: name], let crtc = self[crtc: connector.crtc], crtc.isLit
    else { return nil }
    return PanelPlace(
      rectangle: crtc.rectangle, randrRotation: crtc.rotation,
      screenWidth: screen.width, screenHeight: screen.height)
  }

  /// The pixels that a CRTC shows of the screen with a rotation, past its transform.
  func size(of crtc: CRTC, rotation: UInt16) -> Size? {
    guard let mode = modes[crtc.mode] else { return nil }
    let swaps = DisplayTransform(randrRotation: rotation)?.swapsSides ?? false
    let (width, height) = swaps ? (mode.height, mode.width) : (mode.width, mode.height)
    return crtc.transform.boundingSize(width: width, height: height).map {
      Size(width: $0.width, height: $0.height)
    }
  }
}

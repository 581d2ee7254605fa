// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// Exports the icon as org.kde.StatusNotifierItem.
@MainActor final class TrayItem {
  static let name = "org.kde.StatusNotifierItem"
  static let path = "/StatusNotifierItem"

  private let dataDirectories: [String]
  private let activate: () -> Void
  private var exported: ExportedInterface?
  private var report: StatusReport?

  private var state: RotationState { RotationState(report) }

  /// - Parameters:
  ///   - dataDirectories: where icon themes are.
  ///   - activate: called at a click.
  init(bus: Bus, _ dataDirectories: [String], activate: @escaping () -> Void) throws(BusError) {
    self.dataDirectories = dataDirectories
    self.activate = activate
    exported = try bus.export(
      BusInterface(name: Self.name, methods: methods, properties: properties, signals: Self.signals),
      at: Self.path)
  }

  /// - Parameter report: `nil` while no daemon runs.
  func show(_ report: StatusReport?) {
    let old = (state: state, description: description)
    self.report = report
    if state != old.state { try? exported?.emit("NewIcon") }
    if description != old.description { try? exported?.emit("NewToolTip") }
  }

  private var methods: [BusMethod] {
    let position = [BusArgument("x", "i"), BusArgument("y", "i")]
    return [
      BusMethod("Activate", takes: position) { [unowned self] _ in
        activate()
        return []
      },
      // The tray shows the menu; this call asks us to show one ourselves.
      BusMethod("ContextMenu", takes: position) { _ in [] },
      BusMethod("SecondaryActivate", takes: position) { _ in [] },
      BusMethod("Scroll", takes: [.init("delta", "i"), .init("orientation", "s")]) { _ in [] },
    ]
  }

  private var properties: [BusProperty] {
    let words = [
      "Category": "Hardware", "Id": "autorotate", "Title": "autorotate", "Status": "Active",
      "OverlayIconName": "", "AttentionIconName": "", "AttentionMovieName": "", "IconThemePath": "",
    ].map { name, word -> BusProperty in (name, "s", { .string(word) }) }
    let images = ["IconPixmap", "OverlayIconPixmap", "AttentionIconPixmap"].map { name -> BusProperty in
      (name, Self.pixmaps, { .array(of: Self.pixmap, []) })
    }
    let others: [BusProperty] = [
      ("WindowId", "i", { .int32(0) }),
      ("IconName", "s", { [unowned self] in .string(state.shownIconName(dataDirectories)) }),
      ("ToolTip", "(s\(Self.pixmaps)ss)", { [unowned self] in toolTip }),
      ("ItemIsMenu", "b", { .bool(false) }),
      ("Menu", "o", { .objectPath(MenuService.path) }),
    ]
    return words + images + others
  }

  private var toolTip: Value {
    .structure([
      .string(""), .array(of: Self.pixmap, []), .string("autorotate"), .string(Markup.escaped(description)),
    ])
  }

  private static let signals: [BusSignal] = [
    ("NewTitle", []), ("NewIcon", []), ("NewAttentionIcon", []), ("NewOverlayIcon", []), ("NewToolTip", []),
    ("NewStatus", [.init("status", "s")]),
  ]

  /// Width, height, bytes of alpha, red, green, blue.
  private static let pixmap = "(iiay)"
  private static let pixmaps = "a(iiay)"

  private var description: String { report?.tooltip ?? localized(.notRunning) }
}

extension RotationState {
  /// The icon that is installed with the program.
  var iconName: String { "org.autorotate.Autorotate-\(rawValue)" }

  /// The icon that can be shown: themes fall back to hicolor.
  func shownIconName(_ dataDirectories: [String]) -> String {
    let isInstalled = dataDirectories.contains {
      SystemFile.exists("\($0)/icons/hicolor/scalable/status/\(iconName).svg")
    }
    return isInstalled ? iconName : fallbackIconName
  }

  /// The nearest icon that every theme has, for a program that is not installed.
  var fallbackIconName: String {
    switch self {
    case .auto: "object-rotate-right"
    case .locked: "system-lock-screen"
    case .paused: "media-playback-pause"
    case .off: "process-stop"
    }
  }
}

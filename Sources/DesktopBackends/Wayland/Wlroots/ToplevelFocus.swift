// SPDX-License-Identifier: MIT

import Autorotation
import CWayland
import CWaylandProtocols
import Glibc

/// Which window is active, over wlr-foreign-toplevel-management, versions 1 to 3.
final class ToplevelFocus: WaylandListener {
  private let connection: WaylandConnection
  private let proxy: OpaquePointer
  let outputs: WaylandOutputs
  private var toplevels: [Toplevel] = []
  private var last: Toplevel?
  private var lastID: UInt64 = 0
  /// Whether the window may have changed since `read`.
  private(set) var isStale = true
  /// Whether windows have titles, and change with them.
  var watchesTitles = false {
    didSet { if watchesTitles != oldValue { isStale = true } }
  }

  /// No desktop nests dialogs deeper than this; a malicious client may.
  private static let maximumParents = 8

  /// - Returns: `nil` if the compositor does not offer it.
  init?(_ connection: WaylandConnection, outputs: WaylandOutputs) {
    let interface = cwl_zwlr_foreign_toplevel_manager_v1()
    guard let interface, let proxy = connection.registry.bind(interface, upTo: 3) else { return nil }
    self.connection = connection
    self.proxy = proxy
    self.outputs = outputs
    zwlr_foreign_toplevel_manager_v1_add_listener(proxy, Self.listener, context)
  }

  isolated deinit {
    for toplevel in toplevels { toplevel.destroy() }
    zwlr_foreign_toplevel_manager_v1_destroy(proxy)
  }

  /// The active window. Panels, menus and on-screen keyboards are not toplevels: while no toplevel is active but the
  /// last one still exists, one of them is in front of it, or an empty workspace.
  func read() -> Window? {
    isStale = false
    guard let last, !last.description.isMinimized else { return nil }
    let top = top(of: last)
    let identifiers = [top.description.application, last.description.application].filter { !$0.isEmpty }
    return Window(
      id: top.id, role: last.description.isActivated ? .application : .auxiliary,
      identifiers: Array(identifiers.prefix(1)), title: watchesTitles ? top.title : nil,
      isFullscreen: top.description.isFullscreen || last.description.isFullscreen, output: output(of: last))
  }

  var applications: [[String]] {
    toplevels.map(\.description.application).filter { !$0.isEmpty }.map { [$0] }
  }

  /// The outermost parent of a dialog.
  private func top(of toplevel: Toplevel) -> Toplevel {
    (0..<Self.maximumParents).reduce(toplevel) { top, _ in
      toplevels.first { $0.id == top.description.parent } ?? top
    }
  }

  /// `nil` for several outputs: the protocol does not report which shows most of it.
  private func output(of toplevel: Toplevel) -> String? {
    let shown = toplevel.description.outputs.compactMap { outputs[global: $0]?.name }
    return shown.count == 1 ? shown.first : nil
  }

  private func add(_ proxy: OpaquePointer) {
    lastID += 1
    toplevels.append(Toplevel(proxy, id: lastID, self))
  }

  func id(of proxy: OpaquePointer) -> UInt64? { toplevels.first { $0.proxy == proxy }?.id }

  func toplevelChanged(_ toplevel: Toplevel) {
    isStale = true
    if toplevel.isClosed {
      toplevels.removeAll { $0 === toplevel }
      toplevel.destroy()
      if last === toplevel { last = nil }
    } else if toplevel.description.isActivated {
      last = toplevel
    }
  }

  private static let listener = pinned { (listener: inout zwlr_foreign_toplevel_manager_v1_listener) in
    listener.toplevel = { context, _, toplevel in
      if let toplevel { ToplevelFocus.at(context)?.add(toplevel) }
    }
  }
}

/// One application window of wlr-foreign-toplevel-management.
final class Toplevel: WaylandListener {
  /// Its properties, except for the title.
  struct Description: Equatable {
    var application = ""
    var isActivated = false
    var isMinimized = false
    var isFullscreen = false
    /// The registry's numbers of the outputs that show a part of it.
    var outputs: [UInt32] = []
    /// The `id` of the toplevel whose dialog it is.
    var parent: UInt64?
  }

  let proxy: OpaquePointer
  let id: UInt64
  /// As of the last `done` event.
  private(set) var description = Description()
  private(set) var isClosed = false
  private(set) var title: String?
  private var pending = Description()
  private unowned let focus: ToplevelFocus

  /// - Parameter focus: notified when the description has changed, or the window has closed.
  init(_ proxy: OpaquePointer, id: UInt64, _ focus: ToplevelFocus) {
    self.proxy = proxy
    self.id = id
    self.focus = focus
    zwlr_foreign_toplevel_handle_v1_add_listener(proxy, Self.listener, context)
  }

  func destroy() {
    zwlr_foreign_toplevel_handle_v1_destroy(proxy)
  }

  private func done() {
    guard pending != description else { return }
    description = pending
    focus.toplevelChanged(self)
  }

  /// Kept even while no titles are watched, since the compositor sends each one once.
  private func update(title: UnsafePointer<CChar>?) {
    self.title = title.map { title in
      let bytes = UnsafeRawBufferPointer(start: title, count: strnlen(title, Window.maximumTitleLength * 4))
      return String(decoding: bytes, as: UTF8.self)
    }
    if focus.watchesTitles { focus.toplevelChanged(self) }
  }

  private func close() {
    isClosed = true
    focus.toplevelChanged(self)
  }

  private func enter(_ output: OpaquePointer?) {
    guard let output = focus.outputs.global(of: output), !pending.outputs.contains(output) else { return }
    pending.outputs.append(output)
  }

  private func leave(_ output: OpaquePointer?) {
    guard let output = focus.outputs.global(of: output) else { return }
    pending.outputs.removeAll { $0 == output }
  }

  private func update(parent: OpaquePointer?) {
    pending.parent = parent.flatMap(focus.id)
  }

  private func update(states: UnsafeMutablePointer<wl_array>?) {
    let states = Self.numbers(states)
    pending.isActivated = states.contains(ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_ACTIVATED.rawValue)
    pending.isMinimized = states.contains(ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_MINIMIZED.rawValue)
    pending.isFullscreen = states.contains(ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_FULLSCREEN.rawValue)
  }

  private static func numbers(_ array: UnsafeMutablePointer<wl_array>?) -> [UInt32] {
    guard let array, let data = array.pointee.data else { return [] }
    let count = array.pointee.size / MemoryLayout<UInt32>.size
    return (0..<count).map { data.load(fromByteOffset: $0 * MemoryLayout<UInt32>.size, as: UInt32.self) }
  }

  private static let listener = pinned { (listener: inout zwlr_foreign_toplevel_handle_v1_listener) in
    listener.title = { context, _, title in Toplevel.at(context)?.update(title: title) }
    listener.app_id = { context, _, name in
      Toplevel.at(context)?.pending.application = name.map { String(cString: $0) } ?? ""
    }
    listener.output_enter = { context, _, output in Toplevel.at(context)?.enter(output) }
    listener.output_leave = { context, _, output in Toplevel.at(context)?.leave(output) }
    listener.state = { context, _, states in Toplevel.at(context)?.update(states: states) }
    listener.done = { context, _ in Toplevel.at(context)?.done() }
    listener.closed = { context, _ in Toplevel.at(context)?.close() }
    listener.parent = { context, _, parent in Toplevel.at(context)?.update(parent: parent) }
  }
}

// SPDX-License-Identifier: MIT

import Autorotation
import CWayland
import CWaylandProtocols
import Glibc

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

  private static let listener = pinned(
    zwlr_foreign_toplevel_handle_v1_listener(
      title: { context, _, title in Toplevel.at(context)?.update(title: title) },
      app_id: { context, _, name in
        Toplevel.at(context)?.pending.application = name.map { String(cString: $0) } ?? ""
      },
      output_enter: { context, _, output in Toplevel.at(context)?.enter(output) },
      output_leave: { context, _, output in Toplevel.at(context)?.leave(output) },
      state: { context, _, states in Toplevel.at(context)?.update(states: states) },
      done: { context, _ in Toplevel.at(context)?.done() },
      closed: { context, _ in Toplevel.at(context)?.close() },
      parent: { context, _, parent in Toplevel.at(context)?.update(parent: parent) }))
}

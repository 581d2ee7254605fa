// SPDX-License-Identifier: MIT

import CAdwaita

/// An object of GTK, in the pointer types that its functions need. GTK checks types at run time: for a wrong one it
/// prints a warning and does nothing.
struct Widget {
  let pointer: UnsafeMutableRawPointer

  init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

  init(_ pointer: OpaquePointer) { self.pointer = UnsafeMutableRawPointer(pointer) }

  /// For types that Swift imports as opaque.
  var opaque: OpaquePointer { OpaquePointer(pointer) }

  func cast<T>(to: T.Type = T.self) -> UnsafeMutablePointer<T> { pointer.assumingMemoryBound(to: T.self) }

  var widget: UnsafeMutablePointer<GtkWidget> { cast() }
}

// Functions for several kinds of widgets.
extension Widget {
  /// A row of a list, with plain text.
  static func row(_ title: String, _ subtitle: String) -> Self {
    let row = Self(UnsafeMutableRawPointer(adw_action_row_new()))
    adw_preferences_row_set_use_markup(row.cast(), 0)
    adw_preferences_row_set_title(row.cast(), title)
    adw_action_row_set_subtitle(row.cast(), subtitle)
    return row
  }

  func show(_ isVisible: Bool) { gtk_widget_set_visible(widget, isVisible ? 1 : 0) }

  func enable(_ isEnabled: Bool) { gtk_widget_set_sensitive(widget, isEnabled ? 1 : 0) }

  /// For a label.
  func setText(_ text: String) { gtk_label_set_text(opaque, text) }

  /// Sets the accessible label for screen readers.
  func describe(_ text: String) {
    var property = GTK_ACCESSIBLE_PROPERTY_LABEL
    var value = GValue()
    g_value_init(&value, GType(16 << 2))  // G_TYPE_STRING, a macro
    g_value_set_string(&value, text)
    gtk_accessible_update_property_value(opaque, 1, &property, &value)
    g_value_unset(&value)
  }

  /// Calls `handler` at each such signal, as long as the object lives.
  func on(_ signal: String, _ handler: @escaping () -> Void) {
    let box = Unmanaged.passRetained(Handler(handler)).toOpaque()
    let swapped = GConnectFlags(rawValue: cadw_connect_swapped)
    g_signal_connect_data(pointer, signal, Handler.call, box, Handler.release, swapped)
  }
}

/// The handler of a signal. With swapped data it is the first argument, whatever other arguments the signal has.
final class Handler {
  let run: () -> Void

  init(_ run: @escaping () -> Void) { self.run = run }

  nonisolated private static let body: @convention(c) (UnsafeMutableRawPointer) -> Void = { data in
    nonisolated(unsafe) let data = data
    MainActor.assumeIsolated {
      Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().run()
    }
  }

  nonisolated static var call: GCallback { unsafeBitCast(body, to: GCallback.self) }

  /// For a source of GLib's loop, which it ends.
  nonisolated static let callOnce: GSourceFunc = { data in
    guard let data else { return 0 }
    nonisolated(unsafe) let box = data
    MainActor.assumeIsolated { Unmanaged<Handler>.fromOpaque(box).takeRetainedValue().run() }
    return 0
  }

  nonisolated static let release:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<GClosure>?) -> Void = {
      data, _ in
      if let data { Unmanaged<Handler>.fromOpaque(data).release() }
    }
}

/// What continues after an asynchronous call of GLib, which gets `call` and `data`.
final class Completion {
  private let work: (_ result: OpaquePointer?) -> Void

  init(_ work: @escaping (_ result: OpaquePointer?) -> Void) { self.work = work }

  /// For one call, which keeps this object until it has ended.
  var data: gpointer { Unmanaged.passRetained(self).toOpaque() }

  static let call: GAsyncReadyCallback = { _, result, data in
    nonisolated(unsafe) let (result, data) = (result, data)
    MainActor.assumeIsolated {
      guard let data else { return }
      Unmanaged<Completion>.fromOpaque(data).takeRetainedValue().work(result)
    }
  }
}

/// Calls `work` once, from the loop, when it is idle.
func later(_ work: @escaping () -> Void) {
  g_idle_add(Handler.callOnce, Unmanaged.passRetained(Handler(work)).toOpaque())
}

/// The strings as a null-terminated C array, valid while `body` runs.
func withCStrings<T>(_ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> T) -> T {
  let copies = texts.map { strdup($0) }
  defer { copies.forEach { free($0) } }
  let list = copies.map { UnsafePointer<CChar>($0) } + [nil]
  return list.withUnsafeBufferPointer { body($0.baseAddress) }
}

/// The widgets of window.ui, by their names in it.
struct Layout {
  private let builder: OpaquePointer

  init() {
    builder = gtk_builder_new()
    let text = String(decoding: PackageResources.window_ui, as: UTF8.self)
    var error: UnsafeMutablePointer<GError>?
    guard gtk_builder_add_from_string(builder, text, -1, &error) != 0 else {
      preconditionFailure("window.ui: \(error.map { String(cString: $0.pointee.message) } ?? "")")
    }
  }

  /// A name that is not in window.ui is a programming error.
  subscript(name: String) -> Widget {
    guard let object = gtk_builder_get_object(builder, name) else {
      preconditionFailure("window.ui has no \(name)")
    }
    return Widget(UnsafeMutableRawPointer(object))
  }
}

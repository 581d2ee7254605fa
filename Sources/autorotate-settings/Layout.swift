// SPDX-License-Identifier: MIT

import CAdwaita

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

  /// Adds the groups to a page, in this order.
  func add(_ groups: [String], to page: String) {
    for group in groups { adw_preferences_page_add(self[page].cast(), self[group].cast()) }
  }
}

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

  /// A name that window.ui does not have is a mistake of this program.
  subscript(name: String) -> Widget {
    guard let object = gtk_builder_get_object(builder, name) else {
      preconditionFailure("window.ui has no \(name)")
    }
    return Widget(UnsafeMutableRawPointer(object))
  }

  /// Puts the groups into the pages, in this order.
  func furnish(_ page: String, with groups: [String]) {
    for group in groups { adw_preferences_page_add(self[page].cast(), self[group].cast()) }
  }
}

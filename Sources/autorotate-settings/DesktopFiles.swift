// SPDX-License-Identifier: MIT

import CAdwaita

/// The titles and icons of applications from their desktop files. Rules name applications by window class or app_id.
final class DesktopFiles {
  private var known: [String: OpaquePointer] = [:]

  init() {
    var list = g_app_info_get_all()
    let first = list
    while let entry = list {
      if let data = entry.pointee.data { note(OpaquePointer(data)) }
      list = entry.pointee.next
    }
    g_list_free(first)
  }

  isolated deinit {
    for info in known.values { g_object_unref(UnsafeMutableRawPointer(info)) }
  }

  private func note(_ info: OpaquePointer) {
    let id = g_app_info_get_id(info).map { String(cString: $0).lowercased() } ?? ""
    let name = id.hasSuffix(".desktop") ? String(id.dropLast(8)) : id
    let isNew = !name.isEmpty && known[name] == nil
    if isNew { known[name] = info } else { g_object_unref(UnsafeMutableRawPointer(info)) }
  }

  /// By the file's name, or its last part: some window systems report "totem" for "org.gnome.Totem".
  private func info(of application: String) -> OpaquePointer? {
    let name = application.lowercased()
    let ending = ".\(name)"
    return known[name] ?? known.first { $0.key.hasSuffix(ending) }?.value
  }

  func isInstalled(_ application: String) -> Bool { info(of: application) != nil }

  /// The title from its desktop file; without one its name, or the last part of a Flatpak's name.
  func title(of application: String) -> String {
    if let name = info(of: application).flatMap({ g_app_info_get_display_name($0) }) {
      return String(cString: name)
    }
    let parts = application.split(separator: ".")
    return parts.count > 2 ? String(parts[parts.count - 1]) : application
  }

  func icon(of application: String) -> UnsafeMutablePointer<GtkWidget>? {
    let icon = info(of: application).flatMap { g_app_info_get_icon($0) }
    let image = icon.map { gtk_image_new_from_gicon($0) }
    guard let image = image ?? gtk_image_new_from_icon_name("application-x-executable") else { return nil }
    gtk_image_set_pixel_size(Widget(UnsafeMutableRawPointer(image)).opaque, 32)
    return image
  }
}

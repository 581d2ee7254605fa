// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Language

/// What `autorotate doctor` finds, in its own words.
final class CheckUpPage {
  private let layout: Layout
  private var report = ""

  init(_ layout: Layout) {
    self.layout = layout
    layout["look_again"].on("clicked") { [weak self] in self?.look() }
    layout["copy_findings"].on("clicked") { [weak self] in self?.copy() }
    layout["checkup"].on("map") { [weak self] in self?.look() }
  }

  private func look() {
    layout["look_again"].enable(false)
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("autorotate"), strdup("doctor"), nil]
    defer { words.forEach { free($0) } }
    var error: UnsafeMutablePointer<GError>?
    let flags = GSubprocessFlags(G_SUBPROCESS_FLAGS_STDOUT_PIPE.rawValue | G_SUBPROCESS_FLAGS_STDERR_MERGE.rawValue)
    let process = words.withUnsafeMutableBufferPointer { words in
      words.baseAddress?.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: words.count) {
        g_subprocess_newv($0, flags, &error)
      }
    }
    guard let process = process ?? nil else {
      let reason = error.map { String(cString: $0.pointee.message) } ?? ""
      g_clear_error(&error)
      return show(localized("autorotate cannot be run: \(reason). See that it is installed."))
    }
    g_subprocess_communicate_utf8_async(process, nil, nil, Self.told, Unmanaged.passRetained(self).toOpaque())
  }

  private static let told: GAsyncReadyCallback = { process, result, data in
    nonisolated(unsafe) let (process, result, data) = (process, result, data)
    MainActor.assumeIsolated {
      guard let process, let data else { return }
      let page = Unmanaged<CheckUpPage>.fromOpaque(data).takeRetainedValue()
      var text: UnsafeMutablePointer<CChar>?
      g_subprocess_communicate_utf8_finish(OpaquePointer(process), result, &text, nil, nil)
      page.show(text.map { String(cString: $0) } ?? "")
      g_free(text)
      g_object_unref(UnsafeMutableRawPointer(process))
    }
  }

  private func show(_ text: String) {
    report = text
    layout["findings"].say(text)
    layout["look_again"].enable(true)
  }

  private func copy() {
    gdk_clipboard_set_text(gtk_widget_get_clipboard(layout["findings"].widget), report)
  }
}

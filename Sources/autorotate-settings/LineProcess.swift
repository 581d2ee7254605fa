// SPDX-License-Identifier: MIT

import CAdwaita

/// A program that says something line by line, and hears some.
final class LineProcess {
  private let process: OpaquePointer
  private let stream: UnsafeMutablePointer<GDataInputStream>
  /// Takes each line; `nil` when it has said its last.
  private let heard: (String?) -> Void

  /// - Parameter heard: of standard output and standard error.
  /// - Returns: `nil` if it cannot be started.
  init?(_ command: [String], heard: @escaping (String?) -> Void) {
    guard let started = startChild(command, cadw_subprocess_talk),
      let output = g_subprocess_get_stdout_pipe(started)
    else { return nil }
    process = started
    stream = g_data_input_stream_new(output)
    self.heard = heard
    listen()
  }

  isolated deinit {
    g_object_unref(UnsafeMutableRawPointer(stream))
    g_object_unref(UnsafeMutableRawPointer(process))
  }

  /// Drops the line if the program does not read, so that the window never waits for it.
  func say(_ line: String) {
    let text = line + "\n"
    cadw_write_without_waiting(g_subprocess_get_stdin_pipe(process), text, gsize(text.utf8.count))
  }

  func end() {
    g_subprocess_send_signal(process, SIGTERM)
  }

  private func listen() {
    let data = Unmanaged.passRetained(self).toOpaque()
    g_data_input_stream_read_line_async(stream, G_PRIORITY_DEFAULT, nil, Self.told, data)
  }

  private static let told: GAsyncReadyCallback = { _, result, data in
    nonisolated(unsafe) let (result, data) = (result, data)
    MainActor.assumeIsolated {
      guard let data else { return }
      let process = Unmanaged<LineProcess>.fromOpaque(data).takeRetainedValue()
      let line = g_data_input_stream_read_line_finish_utf8(process.stream, result, nil, nil)
      process.heard(line.map { String(cString: $0) })
      if line != nil { process.listen() }
      g_free(line)
    }
  }
}

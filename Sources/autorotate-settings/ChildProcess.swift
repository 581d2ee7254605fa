// SPDX-License-Identifier: MIT

import CAdwaita

/// A child process with line-by-line input and output, which ends with this process, even if this process is killed.
final class LineProcess {
  private let process: OpaquePointer
  private let stream: UnsafeMutablePointer<GDataInputStream>
  /// Receives each line, without the program's name before an error, and `nil` at the end of the output.
  private let onLine: (LineProcess, String?) -> Void

  /// - Parameter onLine: receives standard output and standard error.
  /// - Returns: `nil` if it cannot be started.
  init?(_ command: [String], onLine: @escaping (LineProcess, String?) -> Void) {
    let launcher = cadw_subprocess_launcher()
    defer { g_object_unref(launcher.map { UnsafeMutableRawPointer($0) }) }
    guard let started = withCStrings(command, { g_subprocess_launcher_spawnv(launcher, $0, nil) }),
      let output = g_subprocess_get_stdout_pipe(started)
    else { return nil }
    process = started
    stream = g_data_input_stream_new(output)
    self.onLine = onLine
    readNextLine()
  }

  isolated deinit {
    g_object_unref(UnsafeMutableRawPointer(stream))
    g_object_unref(UnsafeMutableRawPointer(process))
  }

  /// Drops the line if the program does not read, so that the window never waits for it.
  func send(_ line: String) {
    let text = line + "\n"
    cadw_write_without_waiting(g_subprocess_get_stdin_pipe(process), text, gsize(text.utf8.count))
  }

  func end() { g_subprocess_send_signal(process, SIGTERM) }

  private func readNextLine() {
    let lineRead = Completion { [self] result in
      let line = g_data_input_stream_read_line_finish_utf8(stream, result, nil, nil)
      onLine(self, line.map { Self.message(of: String(cString: $0)) })
      if line != nil { readNextLine() }
      g_free(line)
    }
    g_data_input_stream_read_line_async(stream, G_PRIORITY_DEFAULT, nil, Completion.call, lineRead.data)
  }

  private static func message(of line: String) -> String {
    let name = "autorotate: "
    return line.hasPrefix(name) ? String(line.dropFirst(name.count)) : line
  }
}

// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Language

let words = CommandLine.arguments.dropFirst()
if words.contains(where: { ["-h", "--help"].contains($0) }) {
  print(
    """
    autorotate-settings: the settings app of autorotate.

    usage: autorotate-settings [\(Page.allCases.map(\.rawValue).joined(separator: " | ")) | --version]

      rotation      rotation lock, rotation, and common settings
      applications  rules for apps
      diagnostics   problems, calibration, and the device mode
    """)
  exit(0)
}
if words.contains("--version") {
  print("autorotate-settings \(version)")
  exit(0)
}
if let wrong = words.first(where: { Page(word: $0) == nil }) {
  let pages = Page.allCases.map(\.rawValue).joined(separator: ", ")
  let complaint = localized("There is no page “\(wrong.printable())”; the pages are \(pages).") + "\n"
  write(STDERR_FILENO, complaint, complaint.utf8.count)
  exit(2)
}
// Without an address, GDBus looks for this socket, too, but then starts a bus of its own.
g_setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=\(String(cString: g_get_user_runtime_dir()))/bus", 0)
// A global variable keeps the application alive until the program ends.
let application = SettingsApplication()
exit(application.run(words.first.flatMap(Page.init(word:))))

// SPDX-License-Identifier: MIT

import Autorotation
import Foundation
import Mutations
import System
import Temporary
import Testing

@testable import DesktopBackends

/// Desktop files, mutated at random.
@MainActor
struct DesktopFileMutationTests {
  private static let original = """
    #!/usr/bin/env xdg-open
    [Desktop Entry]
    Name=Reader
    Name[de]=Leser
    StartupWMClass = Org.Reader
    X-Lomiri-Supported-Orientations=portrait;landscape,inverted-Landscape;primary
    X-Ubuntu-Supported-Orientations=primary
    Hidden=false

    [Desktop Action new]
    StartupWMClass=wrong
    """

  @Test func `no file crashes or hangs`() {
    let tokens = [
      "[", "]", "=", "\n", "\r\n", "\0", ";", ",", "[Desktop Entry]", "primary", " ", "\t", "é", "\u{FEFF}",
    ]
    var index = DesktopFileIndex()
    MutationRun(usual: 2000).feed([Array(Self.original.utf8)], tokens: tokens) { bytes in
      let file = bytes.withUnsafeBytes { DesktopFile($0) }
      index.add(file, id: String(decoding: bytes.prefix(12), as: UTF8.self))
      _ = index.orientations(of: ["Org.Reader", file.startupWMClass ?? ""])
    }
  }
}

/// Data of udev and the kernel about input devices, mutated at random.
@MainActor
struct DeviceDatabaseMutationTests {
  private static let database = """
    S:input/by-path/pci-0000:00:14.0-event
    E:ID_INPUT=1
    E:ID_INPUT_TOUCHSCREEN=1
    E:ID_PATH=pci-0000:00:14.0-platform-i2c-7
    E:WL_OUTPUT=eDP-1
    G:seat
    """
  private static let tokens = [
    "E:", "=", "\n", "\0", "\u{FF}", "ID_INPUT_TABLET=1", "WL_OUTPUT=", "ffffffffffffffffffff", "0", " ",
    "-1",
    String(repeating: "f ", count: 300),
  ]

  @Test func `no file crashes or hangs`() throws {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    let place = URL(filePath: directory.path)
    let event = place.appending(path: "input/event3/device")
    for files in [event.appending(path: "id"), event.appending(path: "capabilities")] {
      try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    }
    try directory.write("13:64\n", to: "input/event3/dev")
    var known = MappedTouchscreens(
      database: place.path(), kernelDirectory: place.path() + "/input")
    known.integration = { _ in nil }
    let seeds = [Self.database, "0018\n", "3 0 0 10000 7800 0 0\n"].map { Array($0.utf8) }
    var other = Mutator(seeds: seeds, tokens: Self.tokens, state: 7)
    try MutationRun(usual: 100).feed(seeds, tokens: Self.tokens) { bytes in
      try Data(bytes).write(to: place.appending(path: "c13:64"))
      for name in ["name", "properties", "id/bustype", "id/vendor", "capabilities/key", "capabilities/abs"] {
        try Data(other.next()).write(to: event.appending(path: name))
      }
      _ = known.devices().map { $0.remark(on: "eDP-1", by: "sway") }
      _ = KernelInput.all(in: place.path() + "/input").map { ($0.isBuiltInHardware, $0.isTouchscreenOrPen) }
    }
  }
}

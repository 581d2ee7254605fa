// SPDX-License-Identifier: MIT

import Autorotation
import System
import Temporary
import Testing

@testable import DesktopBackends

/// The record of devices that were disabled, after a command that failed.
@MainActor @Suite struct InputDisablingFailureTests {
  private final class Display {
    var sent: [String] = []
    var failure: Message?
    var answers = true
    var state: String? = "true"
    var input: SwitchableInput { SwitchableInput(identifier: "a", names: ["A"], state: state) }
  }

  private let directory: TemporaryDirectory
  private let display = Display()
  private let disabling: InputDisabling

  init() throws {
    directory = try TemporaryDirectory()
    let commands = InputDisabling.Commands(
      disabled: "false", others: ["true"],
      set: { [display] state, _, ended in
        display.sent.append(state)
        if display.answers { ended(display.failure) }
      },
      desktop: "it", next: { _ in "…" })
    disabling = InputDisabling(
      kept: StateFile(path: directory["kept"]), kernelDirectory: directory.path, note: { _ in }, commands)
  }

  private var isKept: Bool { StateFile(path: directory["kept"]).exists }

  private func reconcile(wanted: Bool) {
    disabling.wanted = wanted ? DisabledInput(names: ["A"]) : nil
    disabling.reconcile([display.input])
  }

  /// It was forgotten: the device was disabled after the timeout, and stayed so.
  @Test func `a device whose disabling was not answered is enabled later`() {
    display.failure = .silence
    reconcile(wanted: true)
    #expect(display.sent == ["false"] && isKept)
    (display.state, display.failure) = ("false", nil)
    reconcile(wanted: false)
    #expect(display.sent == ["false", "true"] && !isKept)
  }

  @Test func `a device that stayed enabled is forgotten in the end`() {
    display.failure = .silence
    reconcile(wanted: true)
    reconcile(wanted: false)
    #expect(display.sent == ["false"] && !isKept)
  }

  @Test(arguments: ["true", nil])
  func `a refused command is repeated at the next reading`(_ state: String?) {
    (display.state, display.failure) = (state, .refusal("no"))
    reconcile(wanted: true)
    #expect(display.sent == ["false"] && !isKept)
    display.failure = nil
    reconcile(wanted: true)
    #expect(display.sent == ["false", "false"] && isKept)
  }

  /// Of several devices of one name, only some may have been disabled.
  @Test func `a device whose state is unknown is enabled later`() {
    display.state = nil
    reconcile(wanted: true)
    reconcile(wanted: true)
    #expect(display.sent == ["false"])
    reconcile(wanted: false)
    #expect(display.sent == ["false", "true"] && !isKept)
  }

  /// They were forgotten, and stayed disabled.
  @Test func `a device whose enabling was not answered stays recorded`() {
    reconcile(wanted: true)
    (display.state, display.failure) = (nil, .silence)
    reconcile(wanted: false)
    #expect(display.sent == ["false", "true"] && isKept)
    display.failure = nil
    reconcile(wanted: false)
    #expect(display.sent == ["false", "true", "true"] && !isKept)
  }

  @Test func `a device whose enabling is pending stays recorded`() {
    reconcile(wanted: true)
    (display.state, display.answers) = (nil, false)
    reconcile(wanted: false)
    reconcile(wanted: false)
    #expect(display.sent == ["false", "true"] && isKept)
    disabling.stop()
    #expect(display.sent == ["false", "true", "true"] && isKept)
  }
}

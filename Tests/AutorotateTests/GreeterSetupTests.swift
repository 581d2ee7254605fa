// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Temporary
import Testing

@testable import autorotate

/// The login screen's settings, in a directory that stands for /.
struct GreeterSetupTests {
  private let directory: TemporaryDirectory
  private static let piece = "[Seat:*]\ngreeter-wrapper=/usr/libexec/autorotate/greeter\n"

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(Self.piece, to: "usr/share/autorotate/greeter/lightdm.conf")
  }

  private func setup(_ manager: DisplayManager) -> GreeterSetup {
    GreeterSetup(manager: manager, root: directory.path, prefix: "/usr")
  }

  private func text(_ path: String) -> String? {
    guard let file = fopen(directory[path], "r") else { return nil }
    defer { fclose(file) }
    var text = ""
    while case let byte = fgetc(file), byte != EOF { text.unicodeScalars.append(.init(UInt8(byte))) }
    return text
  }

  @Test(arguments: [
    ("/usr/sbin/lightdm", DisplayManager.lightdm), ("/usr/sbin/gdm3", .gdm), ("/usr/bin/sddm", .sddm),
  ])
  func theOneOfDebianIsFound(_ path: String, _ manager: DisplayManager) throws {
    try directory.write(path + "\n", to: "etc/X11/default-display-manager")
    #expect(DisplayManager.ofMachine(root: directory.path) == manager)
  }

  @Test func theOneOfSystemdIsFound() throws {
    try directory.write("", to: "etc/systemd/system/others")
    #expect(
      symlink(
        "/usr/lib/systemd/system/greetd.service", directory["etc/systemd/system/display-manager.service"])
        == 0)
    #expect(DisplayManager.ofMachine(root: directory.path) == .greetd)
  }

  @Test func noneIsFoundWhereThereIsNone() throws {
    #expect(DisplayManager.ofMachine(root: directory.path) == nil)
    try directory.write("/usr/bin/xdm\n", to: "etc/X11/default-display-manager")
    #expect(DisplayManager.ofMachine(root: directory.path) == nil)
  }

  @Test func aPieceIsWrittenAndTakenAway() throws {
    let path = "/etc/lightdm/lightdm.conf.d/90-autorotate.conf"
    #expect(try setup(.lightdm).remove() == nil)
    #expect(try setup(.lightdm).add() == path)
    #expect(try setup(.lightdm).add() == path)
    #expect(text(String(path.dropFirst())) == Self.piece)
    #expect(try setup(.lightdm).remove() == path)
    #expect(text(String(path.dropFirst())) == nil)
  }

  @Test func withoutTheInstalledPieceNothingIsWritten() {
    #expect(throws: Message.self) { try setup(.sddm).add() }
    #expect(text("etc/sddm.conf.d/90-autorotate.conf") == nil)
  }

  @Test func greetdsCommandGetsTheWrapperAndLosesIt() throws {
    let before = """
      [terminal]
      vt = 7
      # command = "none"
      [default_session]
      # The greeter.
      command = "cage -s -- gtkgreet -l" # kiosk
      user = "_greetd"

      """
    let after = before.replacing("-- gtkgreet", with: "-- /usr/libexec/autorotate/greeter gtkgreet")
    try directory.write(before, to: "etc/greetd/config.toml")
    #expect(try setup(.greetd).add() == GreetdSettings.path)
    #expect(text("etc/greetd/config.toml") == after)
    #expect(try setup(.greetd).add() == GreetdSettings.path)
    #expect(text("etc/greetd/config.toml") == after)
    #expect(try setup(.greetd).remove() == GreetdSettings.path)
    #expect(text("etc/greetd/config.toml") == before)
    #expect(try setup(.greetd).remove() == nil)
  }

  @Test(arguments: [
    "[default_session]\ncommand = \"sway --config /etc/greetd/sway-config\"\n", "[default_session]\n", "",
    "[initial_session]\ncommand = \"cage -- sh\"\n", "[default_session]\ncommand = 3\n", "command = \" -- \"",
  ])
  func greetdsOtherCommandsAreLeftAlone(_ text: String) throws {
    try directory.write(text, to: "etc/greetd/config.toml")
    let error = #expect(throws: Message.self) { try setup(.greetd).add() }
    #expect(error?.next?.description.contains("/usr/libexec/autorotate/greeter") == true)
    #expect(self.text("etc/greetd/config.toml") == text)
  }
}

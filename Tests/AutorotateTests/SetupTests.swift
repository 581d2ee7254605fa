// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Temporary
import Testing

@testable import DesktopBackends
@testable import autorotate

/// The questions of the first run.
struct SetupTests {
  private static let directories = BaseDirectories { ["HOME": "/home/nobody-at-all"][$0] }

  private func offers(
    own: Message? = nil, _ start: SessionStart = .init(desktops: ["xfce"])
  ) -> [SetupOffer] {
    let display = DisplayInspection(
      system: "KWin", outputs: [], touch: [], focus: Message(.works, "known"), ownRotation: own)
    var examination = Examination(display: .success(display))
    (examination.reading, examination.start) = (nil, start)
    return SetupOffer.all(for: examination, directories: Self.directories)
  }

  @Test func `take over is offered for a desktop that rotates`() {
    let rotates = Message(.desktopRotates, "KWin rotates the screen itself", next: "set take-over")
    #expect(offers(own: rotates).first == .takeOver(desktop: "KWin rotates the screen itself"))
    #expect(!offers(own: Message(.desktopYields, "KWin yields")).contains { "\($0)".contains("takeOver") })
  }

  /// GNOME and KDE skip the installed file; XFCE starts it.
  @Test func `the installed autostart file is used where read`() {
    let file = "/etc/xdg/autostart/org.autorotate.Autorotate.desktop"
    var start = SessionStart(
      desktops: ["xfce"], unit: "/usr/lib/systemd/user/autorotate.service", installedAutostart: file)
    #expect(offers(start).map { "\($0)".prefix(4) } == ["tray"])
    start.desktops = ["ubuntu", "gnome"]
    start.activeTargets = [.graphicalSession]
    #expect(offers(start).first == .unit)
    start.enabling = "/etc/systemd/user/graphical-session.target.wants/autorotate.service"
    #expect(offers(start).map { "\($0)".prefix(4) } == ["tray"])
  }

  @Test func `a desktop without autostart gets advice only`() {
    for desktop in ["sway", "i3", "hyprland", "niri", "labwc", "zyx"] {
      #expect(offers(SessionStart(desktops: [desktop])).isEmpty)
    }
    var examination = Examination()
    examination.start = SessionStart(desktops: ["niri"])
    let advice = FirstRun.advice(examination).map(\.description)
    #expect(advice.count == 3)
    #expect(advice[1] == "start it now with: niri msg action spawn -- autorotate --wait")
    #expect(advice.last?.hasSuffix("spawn-at-startup \"autorotate\" \"tray\"") == true)
  }

  /// It once wrote a second file beside the hidden one.
  @Test func `the offer removes the file that hides autostart`() throws {
    let home = try TemporaryDirectory()
    let file = ".config/autostart/org.autorotate.Autorotate.desktop"
    try home.write("[Desktop Entry]\nHidden=true\n", to: file)
    let start = SetupOffer.start(
      SessionStart(desktops: ["xfce"]), BaseDirectories { ["HOME": home.path][$0] })
    #expect(start == .autostartAgain(path: home[file]))
  }

  /// The question once said that it removes the file.
  @Test(arguments: ["autorotate.desktop", "org.autorotate.Autorotate.desktop"])
  func `the offer changes a hidden autostart file with a command`(_ name: String) throws {
    let home = try TemporaryDirectory()
    let file = ".config/autostart/\(name)"
    try home.write("[Desktop Entry]\nHidden=true\nExec=autorotate --wait\n", to: file)
    let directories = BaseDirectories { ["HOME": home.path][$0] }
    #expect(
      SetupOffer.start(SessionStart(desktops: ["xfce"]), directories) == .autostart(path: home[file]))
    try SessionSwitch.beginAutostart(directories)
    #expect(try home.text(file) == "[Desktop Entry]\nExec=autorotate --wait\n")
  }

  /// It was once replaced by the usual file.
  @Test(arguments: [false, true])
  func `an autostart file of the user is hidden and shown`(_ isLink: Bool) throws {
    let home = try TemporaryDirectory()
    let directories = BaseDirectories { ["HOME": home.path][$0] }
    let file = ".config/autostart/autorotate.desktop"
    let text = "# mine\n[Desktop Entry]\nExec=sh -c \"sleep 3; autorotate --wait\"\nIcon=x\n"
    try home.write(text, to: isLink ? "dotfiles/mine" : file)
    if isLink {
      try home.makeDirectory(".config/autostart")
      #expect(symlink(home["dotfiles/mine"], home[file]) == 0)
    }
    try AutostartFile.daemon(directories).switchOff(program: "/usr/bin/autorotate")
    #expect(try home.text(file) == text.replacing("Entry]\n", with: "Entry]\nHidden=true\n"))
    try SessionSwitch.beginAutostart(directories)
    #expect(try home.text(file) == text)
    #expect((SystemFile.linkTarget(of: home[file]) != nil) == isLink)
  }

  @Test func `an autostart file that setup wrote is removed`() throws {
    let home = try TemporaryDirectory()
    let file = try AutostartFile.daemon(BaseDirectories { ["HOME": home.path][$0] })
    try file.write(program: "/another place/\\autorotate")
    try file.switchOff(program: "/usr/bin/autorotate")
    #expect(!file.exists)
  }

  @Test func `a copy of the installed autostart file is kept`() throws {
    let home = try TemporaryDirectory()
    let file = try AutostartFile.hiding(BaseDirectories { ["HOME": home.path][$0] })
    let path = ".config/autostart/org.autorotate.Autorotate.desktop"
    try home.write("[Desktop Entry]\nExec=autorotate --wait\n", to: path)
    try file.switchOff(program: "")
    #expect(try home.text(path) == "[Desktop Entry]\nHidden=true\nExec=autorotate --wait\n")
    #expect(try file.switchOn())
    #expect(try home.text(path) == "[Desktop Entry]\nExec=autorotate --wait\n")
    #expect(try !file.switchOn())
    try home.write("[Desktop Entry]\nHidden=true\n", to: path)
    #expect(try file.switchOn())
    #expect(!file.exists, "without a command it only hides")
  }

  @Test func `a removed program is not started`() throws {
    let text = try AutostartFile.tray(Self.directories).text(program: "/usr/bin/autorotate")
    #expect(text.contains("\nTryExec=/usr/bin/autorotate\n"))
  }

  @Test func `special characters in a path are quoted`() throws {
    let text = try AutostartFile.tray(Self.directories).text(program: "/opt/a \"b\" $c 100%\\/autorotate")
    #expect(text.contains(#"Exec="/opt/a \\"b\\" \\$c 100%%\\\\/autorotate" tray"#))
  }
}

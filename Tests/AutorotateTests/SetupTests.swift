// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import System
import Testing

@testable import autorotate

/// What a first run asks, where.
struct SetupTests {
  private static let directories = BaseDirectories { ["HOME": "/home/nobody-at-all"][$0] }

  private func offers(
    own: Message? = nil, desktop: String = "XFCE", _ start: ProgramFacts.Start = .init()
  ) -> [SetupOffer] {
    let display = DisplayInspection(
      system: "KWin", outputs: [], panel: nil, touch: [], focus: Message(.works, "known"), ownRotation: own)
    let examination = Examination(
      configuration: Configuration(), sensor: SensorFacts(accelerometer: .success(DoctorTests.sensor)),
      display: DisplayFacts(
        choice: .failure(Message(.commandFailed, "not looked at")), inspection: .success(display)),
      program: ProgramFacts(daemon: .silent(Message(.notRunning, "not running")), start: start))
    return SetupOffer.all(for: examination, desktop: desktop, directories: Self.directories)
  }

  @Test func aDesktopThatTurnsThePictureIsAskedFor() {
    let turns = Message(.desktopTurns, "KWin turns the picture by itself", next: "set take-over")
    #expect(offers(own: turns).first == .takeOver(desktop: "KWin turns the picture by itself"))
    #expect(!offers(own: Message(.desktopYields, "KWin yields")).contains { "\($0)".contains("takeOver") })
  }

  /// In GNOME and KDE the installed file is passed over; in XFCE it is what starts it.
  @Test func theInstalledAutostartCountsWhereItIsRead() {
    let file = "/etc/xdg/autostart/org.autorotate.Autorotate.desktop"
    var start = ProgramFacts.Start(unit: "/usr/lib/systemd/user/autorotate.service", installedAutostart: file)
    #expect(offers(start).map { "\($0)".prefix(4) } == ["tray"])
    start.isRunBySystemd = true
    #expect(offers(desktop: "ubuntu:GNOME", start).first == .unit)
    start.enabling = "/etc/systemd/user/graphical-session.target.wants/autorotate.service"
    #expect(offers(desktop: "ubuntu:GNOME", start).map { "\($0)".prefix(4) } == ["tray"])
  }

  @Test func aDesktopWithoutAutostartIsWrittenToByNobody() {
    for desktop in ["sway", "i3", "Hyprland", "niri", "labwc:wlroots", ""] {
      #expect(offers(desktop: desktop).isEmpty)
    }
    guard case .line(let line?) = SessionStart.ofProgram(desktop: "niri") else {
      Issue.record("niri has no line")
      return
    }
    #expect(line.starting(["autorotate", "tray"]) == "spawn-at-startup \"autorotate\" \"tray\"")
  }

  @Test func aPathWithEverythingInItIsQuoted() throws {
    let text = try AutostartFile.tray(Self.directories).text(program: "/opt/a \"b\" $c 100%\\/autorotate")
    #expect(text.contains(#"Exec="/opt/a \\"b\\" \\$c 100%%\\\\/autorotate" tray"#))
  }
}

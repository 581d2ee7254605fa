// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Temporary
import Testing

@testable import autorotate

/// Whether autorotate starts at login, for several configurations. The package is always installed, with its autostart
/// file and its unit.
struct SessionStartTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var desktop: String
    /// By path relative to $HOME.
    var files: [String: String] = [:]
    var targets: Set<SessionStart.Target> = []
    var commandLines: [[String]] = []
    var isEnabled = false
    /// By the user, while it is enabled for all.
    var isDisabled = false
    /// The directory where `systemctl --user mask` or `systemctl --global mask` writes.
    var maskedIn: String?
    /// `HOME` in them is the home directory.
    var variables: [String: String] = [:]
    /// Part of the path of what starts it, "no" or "unknown".
    var answer: String
    /// Part of the next step.
    var step = ""
  }

  private static let packaged = "org.autorotate.Autorotate.desktop"
  private static let openboxSession = [
    "/usr/bin/openbox", "--startup", "/usr/lib/x86_64-linux-gnu/openbox-autostart OPENBOX",
  ]

  static let cases: [Case] = [
    Case(
      testDescription: "sway", desktop: "sway", answer: "no",
      step: "add this line to ~/.config/sway/config: exec autorotate --wait"),
    Case(
      testDescription: "sway with the system's file only", desktop: "sway",
      files: ["etc/sway/config": "bindsym Mod4+Return exec foot\n"], answer: "no",
      step: "/etc/sway/config ~/.config/sway/config; } && "
        + "! grep -qxF 'exec autorotate --wait' ~/.config/sway/config && "
        + "echo 'exec autorotate --wait' >> ~/.config/sway/config"),
    Case(
      testDescription: "sway with a directory of its own", desktop: "sway",
      variables: ["XDG_CONFIG_HOME": "HOME/mine"], answer: "no",
      step: "add this line to ~/mine/sway/config: exec autorotate --wait"),
    Case(
      testDescription: "sway with a directory that needs quotes", desktop: "sway",
      files: ["etc/sway/config": "\n"], variables: ["XDG_CONFIG_HOME": "HOME/a b"], answer: "no",
      step: "/a b/sway/config'; } && ! grep -qxF 'exec autorotate --wait' '"),
    Case(
      testDescription: "sway with the file of i3", desktop: "sway",
      files: [".i3/config": "\n", "etc/sway/config": "\n"], answer: "no",
      step: "add this line to ~/.i3/config: exec autorotate --wait"),
    Case(
      testDescription: "sway with our line", desktop: "sway",
      files: [".config/sway/config": "# mine\nexec autorotate --wait\n"], answer: "sway/config:2"),
    Case(
      testDescription: "sway with our line behind a comment, and line ends of Windows", desktop: "sway",
      files: [".config/sway/config": "# mine\r\nexec autorotate --wait\r\n"], answer: "sway/config:2"),
    Case(
      testDescription: "sway with our line and the name of the command", desktop: "sway",
      files: [".config/sway/config": "exec autorotate daemon --wait\n"], answer: "sway/config:1"),
    Case(
      testDescription: "sway that starts the unit", desktop: "sway",
      files: [".config/sway/config": "exec systemctl --user start autorotate\n"], answer: "sway/config:1"),
    Case(
      testDescription: "sway with our line in an included file", desktop: "sway",
      files: [
        ".config/sway/config": "include ~/.config/sway/config.d/*\n",
        ".config/sway/config.d/50": "exec_always /usr/bin/autorotate\n",
      ], answer: "config.d/50:1"),
    Case(
      testDescription: "sway that only binds keys and shows the icon", desktop: "sway",
      files: [
        ".config/sway/config":
          "bindsym XF86Rotate exec autorotate toggle\nexec autorotate tray\n#exec autorotate\n"
          + "exec pkill autorotate\n"
      ], answer: "no"),
    Case(
      testDescription: "sway started with another file", desktop: "sway",
      files: [".config/sway/config": "", "other": "exec autorotate\n"],
      commandLines: [["sway", "-c", "HOME/other"]], answer: "other:1"),
    Case(
      testDescription: "sway started with a file whose name is hostile", desktop: "sway",
      commandLines: [["sway", "-c", "/x/a b$(x);'c\u{1b}[2J"]], answer: "no",
      step: #"add this line to /x/a b$(x);'c [2J: exec autorotate --wait"#),
    Case(
      testDescription: "sway started with a file of the system", desktop: "sway",
      files: [".config/sway/config": ""], commandLines: [["sway", "-c", "HOME/etc/sway/kiosk"]], answer: "no",
      step: "/etc/sway/kiosk: exec autorotate --wait"),
    Case(
      testDescription: "sway with a line in a file whose name is hostile", desktop: "sway",
      files: ["a\u{1b}[2J": "exec autorotate\n"], commandLines: [["sway", "-c", "HOME/a\u{1b}[2J"]],
      answer: "/a [2J:1"),
    Case(
      testDescription: "sway with more included files than are read", desktop: "sway",
      files: [".config/sway/config": "include ~/d/*\n"].merging(
        (100..<250).map { ("d/\($0)", $0 == 249 ? "exec autorotate\n" : "") }, uniquingKeysWith: { $1 }),
      answer: "no"),
    Case(
      testDescription: "sway with a user's autostart file", desktop: "sway",
      files: [".config/autostart/autorotate.desktop": "[Desktop Entry]\n"], answer: "no"),
    Case(
      testDescription: "sway with an enabled unit that nothing starts", desktop: "sway", isEnabled: true,
      answer: "no"),
    Case(
      testDescription: "i3", desktop: "i3", files: [".config/i3/config": "exec nm-applet\n"], answer: "no",
      step: "~/.config/i3/config: exec --no-startup-id autorotate --wait"),
    Case(
      testDescription: "i3 with the system's file only", desktop: "i3", files: ["etc/i3/config": "\n"],
      answer: "no", step: ">> ~/.config/i3/config"),
    Case(
      testDescription: "i3 with dex", desktop: "i3",
      files: [".config/i3/config": "exec --no-startup-id dex --autostart --environment i3\n"],
      answer: packaged),
    Case(
      testDescription: "i3 with dex for something else", desktop: "i3",
      files: [".config/i3/config": "exec dex /usr/share/applications/foot.desktop\n"], answer: "no"),
    Case(
      testDescription: "i3 with dex, and the packaged file hidden", desktop: "i3",
      files: [
        ".config/i3/config": "exec dex -ae i3\n",
        ".config/autostart/org.autorotate.Autorotate.desktop": "[Desktop Entry]\nHidden=true\n",
      ], answer: "no", step: "autorotate setup"),
    Case(
      testDescription: "Hyprland", desktop: "Hyprland", answer: "no",
      step: "~/.config/hypr/hyprland.conf: exec-once = autorotate --wait"),
    Case(
      testDescription: "Hyprland with our line", desktop: "Hyprland",
      files: [".config/hypr/hyprland.conf": "exec-once=autorotate --wait\n"], answer: "hyprland.conf:1"),
    Case(
      testDescription: "niri", desktop: "niri", answer: "no",
      step: "spawn-at-startup \"autorotate\" \"--wait\""),
    Case(
      testDescription: "openbox without its session", desktop: "openbox",
      files: [".config/openbox/autostart": "autorotate --wait &\n"], commandLines: [["openbox"]],
      answer: "no", step: "add this line to ~/.xinitrc: autorotate --wait &"),
    Case(
      testDescription: "openbox-session", desktop: "openbox",
      files: ["usr/lib/python3/dist-packages/xdg/__init__.py": ""], commandLines: [openboxSession],
      answer: packaged),
    Case(
      testDescription: "openbox-session without PyXDG", desktop: "openbox", commandLines: [openboxSession],
      answer: "no", step: "~/.config/openbox/autostart: autorotate --wait &"),
    Case(
      testDescription: "openbox-session with our line", desktop: "",
      files: [".config/openbox/autostart": "xset s off; autorotate --wait >/dev/null 2>&1 &\n"],
      commandLines: [openboxSession], answer: "openbox/autostart:1"),
    Case(
      testDescription: "labwc", desktop: "labwc:wlroots", answer: "no",
      step: "~/.config/labwc/autostart: autorotate --wait &"),
    Case(
      testDescription: "labwc with autorotate in comments", desktop: "labwc",
      files: [".config/labwc/autostart": "waybar & # autorotate\nswaybg -c '#333333' & # autorotate\n"],
      answer: "no"),
    Case(
      testDescription: "labwc with a colour before autorotate", desktop: "labwc",
      files: [".config/labwc/autostart": "swaybg -c '#333333' & autorotate --wait & # rotates\n"],
      answer: "labwc/autostart:1"),
    Case(
      testDescription: "niri with autorotate in a comment", desktop: "niri",
      files: [".config/niri/config.kdl": "spawn-at-startup \"waybar\" // | autorotate\n"], answer: "no"),
    Case(
      testDescription: "labwc with the system's file only", desktop: "labwc",
      files: ["etc/xdg/labwc/autostart": "kanshi &\n"], answer: "no",
      step: "echo 'autorotate --wait &' >> ~/.config/labwc/autostart"),
    Case(
      testDescription: "labwc that merges the system's file", desktop: "labwc",
      files: ["etc/xdg/labwc/autostart": "kanshi &\n"], commandLines: [["/usr/bin/labwc", "-m"]],
      answer: "no", step: "add this line to ~/.config/labwc/autostart: autorotate --wait &"),
    Case(
      testDescription: "openbox-session, which reads both files", desktop: "openbox",
      files: ["etc/xdg/openbox/autostart": "\n"], commandLines: [openboxSession], answer: "no",
      step: "add this line to ~/.config/openbox/autostart"),
    Case(testDescription: "XFCE", desktop: "XFCE", answer: packaged),
    Case(
      testDescription: "XFCE with the packaged file hidden", desktop: "XFCE",
      files: [".config/autostart/org.autorotate.Autorotate.desktop": "[Desktop Entry]\nHidden=true\n"],
      answer: "no", step: "switch it on again with: autorotate setup --with-session on"),
    Case(
      testDescription: "XFCE with the packaged file hidden in other letters", desktop: "XFCE",
      files: [".config/autostart/org.autorotate.Autorotate.desktop": "[Desktop Entry]\r\nHidden = true\r\n"],
      answer: "no"),
    Case(
      testDescription: "MATE with the packaged file switched off", desktop: "MATE",
      files: [
        ".config/autostart/org.autorotate.Autorotate.desktop":
          "[Desktop Entry]\nExec=autorotate\nX-GNOME-Autostart-enabled=false\n"
      ], answer: "no"),
    Case(
      testDescription: "XFCE with another group hidden", desktop: "XFCE",
      files: [
        ".config/autostart/org.autorotate.Autorotate.desktop":
          "[Desktop Entry]\nExec=autorotate\n[Desktop Action a]\nHidden=true\n"
      ], answer: "autostart/org.autorotate.Autorotate.desktop"),
    Case(
      testDescription: "GNOME that systemd runs, with the unit disabled", desktop: "ubuntu:GNOME",
      targets: [.graphicalSession], isEnabled: true, isDisabled: true, answer: "no",
      step: "setup --with-session on"),
    Case(
      testDescription: "GNOME that systemd runs, with the enabled unit masked", desktop: "ubuntu:GNOME",
      targets: [.graphicalSession], isEnabled: true, maskedIn: ".config", answer: "no",
      step: "setup --with-session on"),
    Case(
      testDescription: "GNOME that systemd runs, with the unit masked for all users", desktop: "ubuntu:GNOME",
      targets: [.graphicalSession], isEnabled: true, maskedIn: "etc", answer: "no",
      step: "sudo systemctl --global unmask autorotate"),
    Case(
      testDescription: "GNOME that systemd runs", desktop: "ubuntu:GNOME", targets: [.graphicalSession],
      answer: "no", step: "systemctl --user enable --now autorotate"),
    Case(
      testDescription: "GNOME that systemd runs, with the unit enabled", desktop: "ubuntu:GNOME",
      targets: [.graphicalSession], isEnabled: true, answer: "autorotate.service"),
    Case(
      testDescription: "Hyprland in a uwsm session", desktop: "Hyprland",
      targets: [.graphicalSession, .autostart], isEnabled: true, answer: "autorotate.service"),
    Case(
      testDescription: "sway in a uwsm session, with the unit not enabled", desktop: "sway",
      targets: [.graphicalSession, .autostart], answer: "no", step: "systemctl --user enable"),
    Case(
      testDescription: "sway in a uwsm session, with a user's autostart file", desktop: "sway",
      files: [".config/autostart/autorotate.desktop": "[Desktop Entry]\n"],
      targets: [.graphicalSession, .autostart], answer: "autostart/autorotate.desktop"),
    Case(
      testDescription: "an unknown desktop", desktop: "Zyx", answer: "unknown",
      step: "configure your desktop to start this at login: autorotate --wait"),
    Case(testDescription: "no name at all", desktop: "", answer: "unknown", step: "autorotate --wait"),
    Case(
      testDescription: "an unknown desktop, in a session of systemd", desktop: "Zyx",
      targets: [.graphicalSession], isEnabled: true, answer: "autorotate.service"),
  ]

  @Test(arguments: cases)
  func `the program that starts autorotate is known on each desktop`(_ session: Case) throws {
    let home = try TemporaryDirectory()
    let start = try start(session, home)
    switch start.answer {
    case .yes(_, let path):
      #expect(path.contains(session.answer))
      #expect(start.obstacle == nil)
    case .no: #expect(session.answer == "no")
    case .unknown: #expect(session.answer == "unknown")
    }
    #expect("\(start.nextStep)".contains(session.step))
  }

  @Test(arguments: ["sway", "i3", "hyprland", "niri"])
  func `the printed command adds one line however often it runs`(_ desktop: String) throws {
    let home = try TemporaryDirectory()
    try home.write("# as installed\n", to: "-etc/config")
    let line = try #require(DesktopLine([desktop]))
    let command = line.copying("-etc/config", starting: SessionStart.command)
    let shell = "cd \(home.path) && export HOME=$PWD && \(command)"
    let statuses = (1...2).map { _ in system(shell) == 0 }
    #expect(statuses == [true, false], "the second finds the line")
    let file = try home.text(String(line.file.dropFirst("~/".count)))
    #expect(file == "# as installed\n\(line.starting(SessionStart.command))\n")
  }

  @Test func `a hostile file name is quoted in the printed command`() throws {
    let line = try #require(DesktopLine(["sway"]))
    let command = line.copying("/x/a b$(x);'c\u{1b}[2J", starting: SessionStart.command)
    #expect(
      command.contains(
        #"mkdir -p ~/.config/sway && { [ -e ~/.config/sway/config ] || "#
          + #"cp -- '/x/a b$(x);'\''c [2J' ~/.config/sway/config; } && "#))
  }

  @Test func `the answer for the window and scripts is one word`() throws {
    let words = try ["sway", "XFCE", "Zyx"].map { desktop in
      let home = try TemporaryDirectory()
      return SessionSwitch.word(
        for: try start(Case(testDescription: "", desktop: desktop, answer: ""), home))
    }
    #expect(words == ["by-hand", "on", "unknown"])
  }

  private func start(_ session: Case, _ home: TemporaryDirectory) throws -> SessionStart {
    try install(in: home, isEnabled: session.isEnabled)
    if session.isDisabled {
      let wants = ".config/systemd/user/graphical-session.target.wants"
      try home.makeDirectory(wants)
      #expect(symlink("/dev/null", home["\(wants)/autorotate.service"]) == 0)
    }
    if let folder = session.maskedIn {
      try home.makeDirectory("\(folder)/systemd/user")
      #expect(symlink("/dev/null", home["\(folder)/systemd/user/autorotate.service"]) == 0)
    }
    for (path, text) in session.files { try home.write(text, to: path) }
    let variables = [
      "HOME": home.path, "XDG_CURRENT_DESKTOP": session.desktop, "XDG_CONFIG_DIRS": home["etc/xdg"],
      "XDG_DATA_DIRS": home["usr/share"], "PATH": home["bin"],
    ].merging(session.variables.mapValues { $0.replacing("HOME", with: home.path) }) { $1 }
    return SessionStart.gather(
      { variables[$0] }, targets: session.targets,
      commandLines: session.commandLines.map { $0.map { $0.replacing("HOME", with: home.path) } },
      root: home.path)
  }

  private func install(in home: TemporaryDirectory, isEnabled: Bool) throws {
    try home.write(
      "[Desktop Entry]\nExec=/usr/bin/autorotate --wait\n", to: "etc/xdg/autostart/\(Self.packaged)")
    try home.write("[Service]\n", to: "usr/lib/systemd/user/autorotate.service")
    try home.write("#!/bin/sh\n", to: "bin/dex")
    chmod(home["bin/dex"], 0o755)
    guard isEnabled else { return }
    try home.write(
      "[Service]\n", to: "etc/systemd/user/graphical-session.target.wants/autorotate.service")
  }
}

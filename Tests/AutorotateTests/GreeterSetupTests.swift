// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Temporary
import Testing

@testable import autorotate

/// The login screen's settings, in a directory that replaces /.
struct GreeterSetupTests {
  private let directory: TemporaryDirectory
  private static let content = "[Seat:*]\ngreeter-wrapper=/usr/libexec/autorotate/greeter\n"

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(Self.content, to: "usr/share/autorotate/greeter/lightdm.conf")
    try directory.write("#!/bin/sh\n", to: "usr/libexec/autorotate/greeter")
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
  func `the display manager of Debian is found`(_ path: String, _ manager: DisplayManager) throws {
    try directory.write(path + "\n", to: "etc/X11/default-display-manager")
    #expect(DisplayManager.ofMachine(root: directory.path) == manager)
  }

  @Test func `the display manager of systemd is found`() throws {
    try directory.write("", to: "etc/systemd/system/others")
    #expect(
      symlink(
        "/usr/lib/systemd/system/greetd.service", directory["etc/systemd/system/display-manager.service"])
        == 0)
    #expect(DisplayManager.ofMachine(root: directory.path) == .greetd)
  }

  @Test(arguments: [
    ("plasmalogin", DisplayManager.plasmalogin), ("cosmic-greeter", .cosmicGreeter), ("phrog", .phrog),
  ])
  func `the login screens of 2026 are found by their units`(_ unit: String, _ manager: DisplayManager) throws
  {
    try directory.makeDirectory("etc/systemd/system")
    let alias = directory["etc/systemd/system/display-manager.service"]
    #expect(symlink("/usr/lib/systemd/system/\(unit).service", alias) == 0)
    #expect(DisplayManager.ofMachine(root: directory.path) == manager)
    #expect(DisplayManager(argument: "plasma-login-manager") == .plasmalogin)
  }

  @Test func `phrog of Debian is found behind greetd`() throws {
    try directory.write("/usr/sbin/greetd\n", to: "etc/X11/default-display-manager")
    #expect(DisplayManager.ofMachine(root: directory.path) == .greetd)
    try directory.write("[Service]\n", to: "usr/lib/systemd/system/greetd.service.d/phrog.conf")
    #expect(DisplayManager.ofMachine(root: directory.path) == .phrog)
  }

  @Test(arguments: [
    (DisplayManager.cosmicGreeter, "/etc/greetd/cosmic-greeter.toml", "cosmic-greeter-start"),
    (.phrog, "/etc/phrog/greetd-config.toml", "/usr/libexec/phrog-greetd-session"),
    (.phrog, "/etc/greetd/phrog.toml", "/usr/libexec/phrog-greetd-session"),
  ])
  func `a program that starts compositor and greeter is wrapped`(
    _ manager: DisplayManager, _ path: String, _ command: String
  ) throws {
    let before = "[default_session]\ncommand = \"\(command)\"\nuser = \"greeter\"\n"
    let file = String(path.dropFirst())
    try directory.write(before, to: file)
    #expect(try setup(manager).add() == path)
    #expect(
      text(file) == before.replacing("= \"\(command)", with: "= \"/usr/libexec/autorotate/greeter \(command)")
    )
    #expect(try setup(manager).add() == path)
    #expect(try setup(manager).remove() == path)
    #expect(text(file) == before)
    #expect(try setup(manager).remove() == nil)
  }

  @Test func `plasma-login-manager gets a drop-in of its user's systemd`() throws {
    try directory.write("[Service]\n", to: "usr/share/autorotate/greeter/plasmalogin.conf")
    let path = "/etc/systemd/user/plasma-login.service.d/90-autorotate.conf"
    #expect(try setup(.plasmalogin).add() == path)
    #expect(text(String(path.dropFirst())) == "[Service]\n")
    #expect(try setup(.plasmalogin).remove() == path)
  }

  @Test func `an unknown display manager is not found`() throws {
    #expect(DisplayManager.ofMachine(root: directory.path) == nil)
    try directory.write("/usr/bin/xdm\n", to: "etc/X11/default-display-manager")
    #expect(DisplayManager.ofMachine(root: directory.path) == nil)
  }

  @Test func `the configuration file is written and removed`() throws {
    let path = "/etc/lightdm/lightdm.conf.d/90-autorotate.conf"
    #expect(try setup(.lightdm).remove() == nil)
    #expect(try setup(.lightdm).add() == path)
    #expect(try setup(.lightdm).add() == path)
    #expect(text(String(path.dropFirst())) == Self.content)
    #expect(try setup(.lightdm).remove() == path)
    #expect(text(String(path.dropFirst())) == nil)
  }

  @Test func `without the installed file nothing is written`() {
    #expect(throws: Message.self) { try setup(.sddm).add() }
    #expect(text("etc/sddm.conf.d/90-autorotate.conf") == nil)
  }

  /// The login screen uses them, and SDDM runs its file as root.
  @Test(arguments: [
    "usr", "usr/libexec/autorotate/greeter", "usr/share/autorotate",
    "usr/share/autorotate/greeter/lightdm.conf",
  ])
  func `files that others can replace are refused`(_ place: String) throws {
    let path = directory[place]
    #expect(chmod(path, 0o777) == 0)
    let error = #expect(throws: Message.self) { try setup(.lightdm).add() }
    let words = "but others may write to \(path): restrict it with: chmod go-w \(path)"
    #expect(error?.description.hasSuffix(words) == true)
    #expect(text("etc/lightdm/lightdm.conf.d/90-autorotate.conf") == nil)
    #expect(try setup(.lightdm).remove() == nil)
  }

  @Test(.enabled(if: getuid() == 0), arguments: DisplayManager.allCases)
  func `files of a user are refused`(_ manager: DisplayManager) throws {
    let home = directory["home/ada"]
    try directory.write("#!/bin/sh\n", to: "home/ada/.local/libexec/autorotate/greeter")
    #expect(chown(home, 12345, 12345) == 0)
    let settings = "[default_session]\ncommand = \"cage -- gtkgreet\"\n"
    try directory.write(settings, to: "etc/greetd/config.toml")
    let setup = GreeterSetup(manager: manager, root: directory.path, prefix: "/home/ada/.local")
    let error = #expect(throws: Message.self) { try setup.add() }
    #expect(error?.status == .notPossible)
    #expect(error?.description.contains("but \(home) belongs to another user: install") == true)
    #expect(text("etc/greetd/config.toml") == settings)
  }

  @Test func `greetd is not given a wrapper that is missing`() throws {
    let settings = "[default_session]\ncommand = \"cage -- gtkgreet\"\n"
    try directory.write(settings, to: "etc/greetd/config.toml")
    let wrapper = directory["usr/libexec/autorotate/greeter"]
    #expect(unlink(wrapper) == 0)
    let error = #expect(throws: Message.self) { try setup(.greetd).add() }
    #expect(error?.description.hasPrefix("\(wrapper), a file of autorotate, is missing") == true)
    #expect(text("etc/greetd/config.toml") == settings)
  }

  @Test func `the greetd command is wrapped and unwrapped`() throws {
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
    #expect(try setup(.greetd).add() == "/etc/greetd/config.toml")
    #expect(text("etc/greetd/config.toml") == after)
    #expect(try setup(.greetd).add() == "/etc/greetd/config.toml")
    #expect(text("etc/greetd/config.toml") == after)
    #expect(try setup(.greetd).remove() == "/etc/greetd/config.toml")
    #expect(text("etc/greetd/config.toml") == before)
    #expect(try setup(.greetd).remove() == nil)
  }

  private static let wrapped = "-- /usr/libexec/autorotate/greeter "

  @Test(arguments: [
    "[default_session] # x\ncommand = \"cage -- gtkgreet\" # not -- this\n",
    "[default_session]\r\ncommand = \"cage -- gtkgreet\"\r\nuser = \"x\"\r\n",
    "[ default_session ]\ncommand = 'cage -e \"a b\" -- gtkgreet'",
    "# " + String(repeating: "long ", count: 20000) + "\n[default_session]\ncommand = \"cage -- gtkgreet\"\n",
  ])
  func `the rest of greetd's file is unchanged`(_ text: String) throws {
    try directory.write(text, to: "etc/greetd/config.toml")
    #expect(try setup(.greetd).add() == "/etc/greetd/config.toml")
    #expect(self.text("etc/greetd/config.toml") == text.replacing("-- gtk", with: Self.wrapped + "gtk"))
    #expect(try setup(.greetd).remove() == "/etc/greetd/config.toml")
    #expect(self.text("etc/greetd/config.toml") == text)
  }

  @Test func `the wrapper of greetd's command is a whole word`() throws {
    let others = "[default_session]\ncommand = \"/srv/usr/libexec/autorotate/greeter cage -- gtkgreet\"\n"
    try directory.write(others, to: "etc/greetd/config.toml")
    #expect(try setup(.greetd).remove() == nil)
    #expect(try setup(.greetd).add() == "/etc/greetd/config.toml")
    #expect(text("etc/greetd/config.toml") == others.replacing("-- gtk", with: Self.wrapped + "gtk"))
  }

  @Test(arguments: [
    "command = \"cage\" # -- x\n", "command = \"sh -c 'a -- b'\"\n", "command = \"\"\"a -- b\"\"\"\n",
  ])
  func `dashes in a comment or between quotes are no greeter`(_ line: String) throws {
    try directory.write("[default_session]\n" + line, to: "etc/greetd/config.toml")
    #expect(throws: Message.self) { try setup(.greetd).add() }
    #expect(text("etc/greetd/config.toml") == "[default_session]\n" + line)
  }

  /// The message named an empty command.
  @Test func `a greetd command without quotes is not changed, and the message says so`() throws {
    let line = "[default_session]\ncommand = cage -- gtkgreet\n"
    try directory.write(line, to: "etc/greetd/config.toml")
    let error = #expect(throws: Message.self) { try setup(.greetd).add() }
    #expect(error?.description.contains("has no command in quotes in [default_session]") == true)
    #expect(text("etc/greetd/config.toml") == line)
  }

  @Test func `greetd's file keeps its rights, its link and its bytes`() throws {
    let file = directory["elsewhere"]
    let text = [UInt8](
      "# \u{E9}\n[default_session]\ncommand = \"cage -- gtkgreet\"\n".unicodeScalars.map { UInt8($0.value) })
    try SystemFile.replace(file, with: text, mode: 0o600)
    if geteuid() == 0 { #expect(chown(file, 1234, 1234) == 0) }
    try directory.makeDirectory("etc/greetd")
    #expect(symlink(file, directory["etc/greetd/config.toml"]) == 0)
    for change in [setup(.greetd).add, { try setup(.greetd).remove() ?? "" }] {
      #expect(try change() == "/etc/greetd/config.toml")
      var (link, target) = (stat(), stat())
      #expect(lstat(directory["etc/greetd/config.toml"], &link) == 0 && link.st_mode & S_IFMT == S_IFLNK)
      #expect(stat(file, &target) == 0 && target.st_mode & 0o7777 == 0o600)
      #expect(geteuid() != 0 || target.st_uid == 1234 && target.st_gid == 1234)
    }
    #expect(SystemFile.bytes(of: file, maximumBytes: 1000) == text)
  }

  @Test func `lines that an administrator has added stay`() throws {
    let path = "etc/lightdm/lightdm.conf.d/90-autorotate.conf"
    _ = try setup(.lightdm).add()
    try directory.write(Self.content + "user-session=xfce\n", to: path)
    #expect(try setup(.lightdm).add() == "/" + path)
    #expect(text(path) == Self.content + "user-session=xfce\n")
    #expect(try setup(.lightdm).remove() == "/" + path)
    #expect(text(path) == "[Seat:*]\nuser-session=xfce\n")
    #expect(try setup(.lightdm).remove() == nil)
  }

  /// The package is removed beside a copy in /usr/local.
  @Test func `what another copy has set up stays`() throws {
    let path = "etc/lightdm/lightdm.conf.d/90-autorotate.conf"
    let shipped = "# LightDM\n" + Self.content
    let theirs = shipped.replacing("/usr/", with: "/usr/local/")
    try directory.write(shipped, to: "usr/share/autorotate/greeter/lightdm.conf")
    try directory.write(theirs, to: path)
    #expect(try setup(.lightdm).remove() == nil)
    #expect(text(path) == theirs)
  }

  @Test func `only GDM's settings are shared with another copy`() throws {
    #expect(!setup(.gdm).isShared, "there is no other")
    try directory.write("#!/bin/sh\n", to: "usr/local/libexec/autorotate/greeter")
    #expect(DisplayManager.allCases.filter { setup($0).isShared } == [.gdm])
  }

  /// They were once lost when one of our lines was missing.
  @Test func `lines of an administrator stay when ours are added again`() throws {
    let path = "etc/lightdm/lightdm.conf.d/90-autorotate.conf"
    let setting = "greeter-wrapper=/usr/libexec/autorotate/greeter\n"
    try directory.write("# LightDM\n" + Self.content, to: "usr/share/autorotate/greeter/lightdm.conf")
    for (before, after) in [
      ("\n\(Self.content)user-session=xfce\n", "\n\(Self.content)user-session=xfce\n"),
      ("[Seat:*]\nallow-guest=no\n\n[X]\nx=1\n", "[Seat:*]\nallow-guest=no\n\(setting)\n[X]\nx=1\n"),
      ("[Seat:*]\ngreeter-wrapper=/opt/autorotate\n[X]\n", "[Seat:*]\n\(setting)[X]\n"),
      ("# mine\n", "# mine\n\(Self.content)"),
    ] {
      try directory.write(before, to: path)
      #expect(try setup(.lightdm).add() == "/" + path)
      #expect(text(path) == after)
    }
  }

  @Test func `directories of the login screen are readable whatever the umask`() throws {
    try directory.makeDirectory("etc")
    let path = directory["etc/sddm.conf.d/deeper/file"]
    // Only this call: the umask is global, and other tests run in parallel.
    try SystemFile.makeDirectories(above: path, mode: 0o777, ignoresUmask: true)
    var file = stat()
    #expect(stat(directory["etc/sddm.conf.d/deeper"], &file) == 0 && file.st_mode & 0o7777 == 0o777)
  }

  @Test(arguments: [
    "[default_session]\ncommand = \"sway --config /etc/greetd/sway-config\"\n", "[default_session]\n", "",
    "[initial_session]\ncommand = \"cage -- sh\"\n", "[default_session]\ncommand = 3\n", "command = \" -- \"",
  ])
  func `other greetd commands are not changed`(_ text: String) throws {
    try directory.write(text, to: "etc/greetd/config.toml")
    let error = #expect(throws: Message.self) { try setup(.greetd).add() }
    #expect(error?.next?.description.contains("/usr/libexec/autorotate/greeter") == true)
    #expect(self.text("etc/greetd/config.toml") == text)
  }
}

// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Temporary
import Testing

@testable import DesktopBackends

@Suite("desktop files on disk")
@MainActor
struct DesktopFilesTests {
  @Test func `files are found by their ID case insensitively`() throws {
    let disk = try Disk()
    disk.write("home/org.example.Reader.desktop", declaring: "portrait")
    let files = disk.files
    #expect(files.orientations(of: ["org.example.Reader"]) == [.portrait])
    #expect(files.orientations(of: ["Reader", "ORG.example.reader"]) == [.portrait])
    #expect(files.orientations(of: ["Reader"]) == nil)
    #expect(files.orientations(of: []) == nil)
  }

  @Test func `files are found by StartupWMClass`() throws {
    let disk = try Disk()
    disk.write("home/org.gimp.GIMP.desktop", declaring: "landscape", "StartupWMClass=gimp-2.10")
    #expect(disk.files.orientations(of: ["Gimp-2.10", "gimp"]) == [.landscape])
  }

  @Test func `the ID has precedence over the class`() throws {
    let disk = try Disk()
    disk.write("home/a.desktop", declaring: "landscape", "StartupWMClass=reader")
    disk.write("system/reader.desktop", declaring: "portrait")
    #expect(disk.files.orientations(of: ["reader"]) == [.portrait])
  }

  @Test func `subdirectories are part of the ID`() throws {
    let disk = try Disk()
    disk.write("home/kde/more/konsole.desktop", declaring: "portrait")
    #expect(disk.files.orientations(of: ["kde-more-konsole"]) == [.portrait])
    #expect(disk.files.orientations(of: ["konsole"]) == nil)
  }

  @Test func `files of the user override those of the system`() throws {
    let disk = try Disk()
    disk.write("system/a.desktop", declaring: "landscape")
    disk.write("system/b.desktop", declaring: "landscape")
    disk.write("home/a.desktop", declaring: "portrait")
    disk.write("home/b.desktop", "Name=without a declaration")
    disk.write("system/c.desktop", declaring: "landscape")
    disk.write("home/c.desktop", "Hidden=true")
    let files = disk.files
    #expect(files.orientations(of: ["a"]) == [.portrait])
    #expect(files.orientations(of: ["b"]) == nil)
    #expect(files.orientations(of: ["c"]) == nil)
  }

  @Test func `files are read again when their directory changes`() throws {
    let disk = try Disk()
    let files = disk.files
    #expect(files.orientations(of: ["late"]) == nil)
    disk.write("home/late.desktop", declaring: "portrait")
    #expect(files.orientations(of: ["late"]) == [.portrait])
    disk.write("home/sub/later.desktop", declaring: "landscape")
    #expect(files.orientations(of: ["sub-later"]) == [.landscape])
    disk.write("home/sub/last.desktop", declaring: "landscape")
    #expect(files.orientations(of: ["sub-last"]) == [.landscape])
    disk.remove("home/late.desktop")
    #expect(files.orientations(of: ["late"]) == nil)
    disk.write("new/first.desktop", declaring: "portrait")
    #expect(files.orientations(of: ["first"]) == [.portrait])
  }

  /// Once only the time of the directory was compared, which does not change when a file is overwritten.
  @Test func `files are read again when one is overwritten`() throws {
    let disk = try Disk()
    disk.write("home/a.desktop", declaring: "portrait")
    let files = disk.files
    #expect(files.orientations(of: ["a"]) == [.portrait])
    disk.write("home/a.desktop", declaring: "landscape")
    #expect(files.orientations(of: ["a"]) == [.landscape])
  }

  /// Once each change of focus read all files again while one of them kept changing.
  @Test func `frequent changes do not cause frequent reading`() throws {
    let disk = try Disk()
    let files = DesktopFiles(directories: [disk.path + "/home"], restFactor: 1_000_000_000)
    #expect(files.orientations(of: ["late"]) == nil)
    disk.write("home/late.desktop", declaring: "portrait")
    #expect(files.orientations(of: ["late"]) == nil)
  }

  @Test func `special and huge files are ignored`() throws {
    let disk = try Disk()
    mkfifo(disk.path + "/home/pipe.desktop", 0o600)
    mkdir(disk.path + "/home/directory.desktop", 0o700)
    symlink(disk.path + "/nowhere", disk.path + "/home/dangling.desktop")
    symlink("..", disk.path + "/home/circle")
    symlink("/dev/zero", disk.path + "/home/zero.desktop")
    disk.write(
      "home/huge.desktop",
      bytes: "[Desktop Entry]\n" + String(repeating: "Name=x\n", count: 1_000_000)
        + "X-Lomiri-Supported-Orientations=portrait\n")
    disk.write("home/good.desktop", declaring: "portrait")
    #expect(disk.files.orientations(of: ["good"]) == [.portrait])
    #expect(disk.files.orientations(of: ["huge", "pipe", "zero", "directory", "dangling"]) == nil)
  }

  @Test func `a file is read up to 256 KiB`() throws {
    let disk = try Disk()
    let (start, declaration) = ("[Desktop Entry]\n", "X-Lomiri-Supported-Orientations=portrait")
    let room = 256 * 1024 - start.utf8.count - declaration.utf8.count - 1
    for (name, count) in [("whole", room), ("cut", room + 1)] {
      disk.write(
        "home/\(name).desktop", bytes: start + String(repeating: "x", count: count) + "\n" + declaration)
    }
    #expect(disk.files.orientations(of: ["whole"]) == [.portrait])
    #expect(disk.files.orientations(of: ["cut"]) == nil)
  }

  @Test func `files in too deep directories are not found`() throws {
    let disk = try Disk()
    disk.write("home/1/2/3/4/5/6/7/a.desktop", declaring: "portrait")
    disk.write("home/1/2/3/4/5/6/7/8/b.desktop", declaring: "portrait")
    #expect(disk.files.orientations(of: ["1-2-3-4-5-6-7-a"]) == [.portrait])
    #expect(disk.files.orientations(of: ["1-2-3-4-5-6-7-8-b"]) == nil)
  }

  @Test func `the number of searched directories is limited`() throws {
    let disk = try Disk()
    for number in 0..<1010 {
      mkdir(disk.path + "/home/\(number)", 0o700)
      let file = open(disk.path + "/home/\(number)/a.desktop", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      let text = "[Desktop Entry]\nX-Lomiri-Supported-Orientations=portrait\n"
      #expect(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
      close(file)
    }
    let files = disk.files
    #expect((0..<1010).count { files.orientations(of: ["\($0)-a"]) != nil } == 1000)
  }

  @Test func `the directories come from the environment`() {
    let everything = ["XDG_DATA_HOME": "/h", "XDG_DATA_DIRS": "/a:relative::/b:/a", "HOME": "/me"]
    #expect(
      DesktopFiles.directories { everything[$0] } == [
        "/h/applications", "/a/applications", "/b/applications",
      ])
    #expect(
      DesktopFiles.directories { ["HOME": "/me"][$0] } == [
        "/me/.local/share/applications", "/usr/local/share/applications", "/usr/share/applications",
      ])
    #expect(DesktopFiles.directories { _ in nil }.count == 2)
  }
}

/// A directory with `home` and `system` in it; `new` does not exist yet.
@MainActor
private final class Disk {
  var path: String { directory.path }
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("home")
    try directory.makeDirectory("system")
  }

  var files: DesktopFiles {
    DesktopFiles(directories: ["home", "system", "new"].map { "\(path)/\($0)" }, restFactor: 0)
  }

  func write(_ name: String, declaring words: String? = nil, _ line: String = "Type=Application") {
    let declaration = words.map { "X-Lomiri-Supported-Orientations=\($0)\n" } ?? ""
    write(name, bytes: "[Desktop Entry]\nName=Test\n\(declaration)\(line)\n")
  }

  func write(_ name: String, bytes: String) {
    system("mkdir -p \"$(dirname '\(path)/\(name)')\"")
    guard let file = fopen("\(path)/\(name)", "w") else { return }
    fputs(bytes, file)
    fclose(file)
  }

  func remove(_ name: String) {
    unlink("\(path)/\(name)")
  }
}

// SPDX-License-Identifier: MIT

import Glibc
import System

/// Attributes of a sensor that are set for a while and then restored: a sensor hub keeps the rate that was last set, at
/// the expense of all its readers. The old values are kept in the runtime directory meanwhile, in case this process is
/// killed.
nonisolated final class BorrowedAttributes {
  private struct Change {
    var name: String
    var found: String
    var set: String
  }

  /// To be asked for before there is a second thread, since it looks into the environment.
  static let memory = StateFile(.runtime, "sensor")

  private let id: String
  private let files: DeviceFiles
  private let memory: StateFile
  private var changes: [Change] = []

  /// - Parameter id: the kernel's, "iio:device0".
  init(id: String, memory: StateFile = BorrowedAttributes.memory) {
    self.id = id
    self.memory = memory
    files = DeviceFiles(id: id)
  }

  /// Does nothing if the attribute has this value already.
  func set(_ name: String, to value: String) throws(ErrorNumber) {
    let found = files.read(name) ?? ""
    guard found != value else { return }
    changes.append(Change(name: name, found: found, set: value))
    remember()
    do throws(ErrorNumber) {
      try files.write(value, to: name)
    } catch {
      changes.removeLast()
      remember()
      throw error
    }
    // Drivers round, and write in their own way.
    guard let written = files.read(name), written != value else { return }
    changes[changes.count - 1].set = written
    remember()
  }

  /// The last first. What somebody else has set since is left as it is.
  func putBack() {
    guard !changes.isEmpty else { return }
    for change in changes.reversed() where files.read(change.name) == change.set {
      // An empty write would not reach the driver.
      try? files.write(change.found.isEmpty ? "\n" : change.found, to: change.name)
    }
    changes = []
    remember()
  }

  /// Restores what a process that was killed had set for this sensor.
  static func putBackWhatWasLeft(id: String, memory: StateFile = BorrowedAttributes.memory) {
    let lines = (memory.read() ?? "").split(separator: "\n")
    guard let first = lines.first, let owner = ProcessIdentity(text: first), !owner.isAlive else { return }
    let left = BorrowedAttributes(id: id, memory: memory)
    for line in lines.dropFirst() {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 4, parts[0] == id, isAttribute(parts[1]) else { continue }
      left.changes.append(Change(name: parts[1], found: parts[2], set: parts[3]))
    }
    if !left.changes.isEmpty { left.putBack() }
  }

  static func isAttribute(_ name: String) -> Bool {
    !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
  }

  /// Without such a file they are put back all the same, unless this process is killed.
  private func remember() {
    guard !changes.isEmpty, let owner = ProcessIdentity(of: getpid()) else {
      try? memory.remove()
      return
    }
    let lines = changes.map { "\(id)\t\($0.name)\t\($0.found)\t\($0.set)\n" }
    try? memory.write("\(owner.text)\n\(lines.joined())")
  }
}

/// The files of a sensor in /sys that libiio does not hand out.
nonisolated struct DeviceFiles {
  /// "/sys/bus/iio/devices/iio:device0".
  let directory: String

  init(id: String) {
    directory = "/sys/bus/iio/devices/\(id)"
  }

  /// - Returns: without the end of the line; `nil` if it cannot be read.
  func read(_ name: String) -> String? {
    SystemFile.line(of: "\(directory)/\(name)")
  }

  func write(_ text: String, to name: String) throws(ErrorNumber) {
    let descriptor = open("\(directory)/\(name)", O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard descriptor >= 0 else { throw ErrorNumber(code: errno) }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
      throw ErrorNumber(code: errno)
    }
  }

  func names(in folder: String) -> [String] {
    SystemFile.names(in: "\(directory)/\(folder)").sorted()
  }
}

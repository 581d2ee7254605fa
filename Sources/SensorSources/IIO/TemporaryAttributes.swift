// SPDX-License-Identifier: MIT

import Glibc
import System

/// Sets attributes of a sensor and restores them afterwards: a sensor hub keeps the rate that was last set, at the
/// expense of all its readers. The original values are saved in the runtime directory, in case this process is killed.
nonisolated final class TemporaryAttributes {
  /// Must first be used before a second thread starts, since it reads the environment.
  static let stateFile = StateFile(.runtime, "sensor")

  private let id: String
  private let files: DeviceFiles
  private let stateFile: StateFile
  private var changes: [(name: String, original: String, set: String)] = []

  /// - Parameter id: of the device in the kernel, "iio:device0".
  init(id: String, stateFile: StateFile = TemporaryAttributes.stateFile) {
    self.id = id
    self.stateFile = stateFile
    files = DeviceFiles(id: id)
  }

  /// Does nothing if the attribute has this value already.
  func set(_ name: String, to value: String) throws(SystemError) {
    let original = files.read(name) ?? ""
    guard original != value else { return }
    changes.append((name, original, value))
    save()
    do throws(SystemError) {
      try files.write(value, to: name)
    } catch {
      changes.removeLast()
      save()
      throw error
    }
    // Drivers round values, and format them in their own way.
    guard let written = files.read(name), written != value else { return }
    changes[changes.count - 1].set = written
    save()
  }

  /// In reverse order. A value that another program has changed since stays.
  func restore() {
    guard !changes.isEmpty else { return }
    for change in changes.reversed() where files.read(change.name) == change.set {
      // An empty write would not reach the driver.
      try? files.write(change.original.isEmpty ? "\n" : change.original, to: change.name)
    }
    changes = []
    save()
  }

  /// Restores the attributes of this sensor that a killed process had set.
  static func restoreAbandoned(id: String, stateFile: StateFile = TemporaryAttributes.stateFile) {
    let lines = stateFile.lines
    guard let first = lines.first, let owner = ProcessIdentity(text: first), !owner.isAlive else { return }
    let abandoned = TemporaryAttributes(id: id, stateFile: stateFile)
    for line in lines.dropFirst() {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 4, parts[0] == id, isAttribute(parts[1]) else { continue }
      abandoned.changes.append((parts[1], parts[2], parts[3]))
    }
    if !abandoned.changes.isEmpty { abandoned.restore() }
  }

  static func isAttribute(_ name: String) -> Bool {
    let slash = UInt8(ascii: "/")
    let parts = name.utf8.split(separator: slash)
    return name.utf8.first != slash && !parts.contains { $0.elementsEqual("..".utf8) }
  }

  /// Without the file, the values are still restored, unless this process is killed.
  private func save() {
    let owner = changes.isEmpty ? nil : ProcessIdentity(of: getpid())
    let lines = changes.map { "\(id)\t\($0.name)\t\($0.original)\t\($0.set)" }
    try? stateFile.write(lines: owner.map { [$0.text] + lines } ?? [])
  }
}

/// The files of a sensor in /sys that libiio does not give access to.
nonisolated struct DeviceFiles {
  /// "/sys/bus/iio/devices/iio:device0".
  let directory: String

  init(id: String) {
    directory = "/sys/bus/iio/devices/\(id)"
  }

  /// - Returns: the first line, without its end; `nil` if it cannot be read.
  func read(_ name: String) -> String? { SystemFile.line(of: "\(directory)/\(name)") }

  func write(_ text: String, to name: String) throws(SystemError) {
    let descriptor = open("\(directory)/\(name)", O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: "open", code: errno) }
    defer { close(descriptor) }
    try SystemFile.write(Array(text.utf8), to: descriptor, name)
  }

  func names(in folder: String) -> [String] {
    SystemFile.names(in: "\(directory)/\(folder)").sorted()
  }
}

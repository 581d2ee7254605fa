// SPDX-License-Identifier: MIT

import Glibc
import System
import Temporary
import Waiting

@testable import Autorotation
@testable import autorotate

/// Directories with the hooks of one test, and its event loop.
@MainActor final class HookHome {
  let loop: EventLoop
  var path: String { directory.path }
  private let directory: TemporaryDirectory
  private(set) var log: [String] = []

  init() throws {
    loop = try EventLoop()
    directory = try TemporaryDirectory()
    for layer in ["user", "system"] {
      for kind in HookKind.allCases { try makeDirectories("\(layer)/\(kind.rawValue)") }
    }
  }

  var finder: HookFinder { HookFinder(directories: ["\(path)/user", "\(path)/system"]) }

  func hooks(limits: HookLimits = HookLimits()) throws -> Hooks {
    try Hooks(loop: loop, finder: finder, limits: limits) { [unowned self] in log.append($0) }
  }

  func write(
    _ name: String, _ script: String, _ kind: HookKind = .did, in layer: String = "user", mode: mode_t = 0o755
  ) throws {
    let file = "\(layer)/\(kind.rawValue)/\(name)"
    let text = script.isEmpty || script.hasPrefix("#!") ? script : "#!/bin/sh\n\(script)\n"
    try write(text, to: file, mode: mode)
  }

  private func write(_ text: String, to file: String, mode: mode_t) throws {
    let descriptor = open("\(path)/\(file)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw SystemError(call: file, code: errno) }
    Console.write(text, to: descriptor)
    close(descriptor)
  }

  func makeDirectories(_ name: String) throws {
    try directory.makeDirectory(name)
  }

  /// A named pipe and its open descriptor.
  func makePipe(_ name: String, _ mode: Int32 = O_RDONLY) throws -> Int32 {
    guard mkfifo("\(path)/\(name)", 0o600) == 0 else { throw SystemError(call: "mkfifo", code: errno) }
    return open("\(path)/\(name)", mode | O_NONBLOCK | O_CLOEXEC)
  }

  /// - Returns: `false` if the condition does not become true.
  func run(until condition: () throws -> Bool) throws -> Bool {
    try loop.run(until: condition)
  }

  /// Handles remaining events, and returns whether no hook runs any more. Ends a test, so that the process keeps no
  /// zombies.
  func endsQuietly(_ hooks: Hooks) throws -> Bool {
    let haveEnded = try run { hooks.will.running == nil && hooks.did.running == nil }
    try loop.settle()
    return haveEnded
  }
}

extension HookContext {
  static func rotation(
    _ from: InterfaceOrientation, _ to: InterfaceOrientation, application: String = "mpv"
  ) -> Self {
    let rotation = Rotation(from: from, to: to, outputs: ["eDP-1"], width: 1080, height: 1920)
    return HookContext(rotation: rotation, application: application)
  }
}

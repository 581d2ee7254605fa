// SPDX-License-Identifier: MIT

import Glibc
import System
import Testing
import Waiting

@testable import Autorotation
@testable import autorotate

/// Runs real scripts in a real event loop.
@MainActor struct HooksTests {
  let home: HookHome

  init() throws {
    home = try HookHome()
  }

  /// Runs the hooks of one rotation to their end, and returns the log.
  private func rotate(_ hooks: Hooks, _ context: HookContext = .rotation(.normal, .left)) throws -> [String] {
    let before = home.log.count
    var isReady = false
    hooks.will.add(context) { isReady = true }
    #expect(try home.run { isReady })
    return Array(home.log.dropFirst(before))
  }

  @Test func `without hooks a rotation does not wait`() throws {
    let hooks = try home.hooks()
    var isReady = false
    hooks.will.add(.rotation(.normal, .left)) { isReady = true }
    #expect(isReady)
    hooks.did.add(.rotation(.normal, .left))
    #expect(try !home.loop.runPending() && home.loop.nextTimer == nil)
  }

  @Test func `hooks run in order with their variables`() throws {
    setenv("ORIENTATION", "of the outer world", 1)
    setenv("HOOK_TEST_INHERITED", "kept", 1)
    defer { for name in ["ORIENTATION", "HOOK_TEST_INHERITED"] { unsetenv(name) } }
    try home.write("20-b", "echo second", .will)
    try home.write(
      "10-a", "echo $PREVIOUS_ORIENTATION $ORIENTATION $OUTPUT $WIDTH $HEIGHT $APP $HOOK_TEST_INHERITED",
      .will)
    try home.write("15-c", "echo of the system >&2", .will, in: "system")
    try home.write("10-a", "echo replaced", .will, in: "system")
    try home.write("05-other", "echo other", .did)
    let hooks = try home.hooks()
    #expect(
      try rotate(hooks) == [
        "will-rotate.d/10-a: normal left eDP-1 1080 1920 mpv kept", "will-rotate.d/15-c: of the system",
        "will-rotate.d/20-b: second",
      ])
    hooks.did.add(.rotation(.normal, .left))
    #expect(try home.run { home.log.last == "did-rotate.d/05-other: other" })
    #expect(try home.endsQuietly(hooks))
  }

  /// A hook got the name of only the first panel.
  @Test func `a hook gets all outputs that rotate together`() {
    let rotation = Rotation(
      from: .normal, to: .left, outputs: ["eDP-1", "eDP-2"], width: 800, height: 1280)
    let recorded = HookContext(rotation: rotation, application: "").variables.filter {
      $0.name.hasPrefix("OUTPUT")
    }
    #expect(recorded.map(\.name) == ["OUTPUT", "OUTPUTS"])
    #expect(recorded.map(\.value) == ["eDP-1", "eDP-1 eDP-2"])
  }

  @Test func `a hook inherits no files and default signals`() throws {
    let null = open("/dev/null", O_RDONLY)
    // A shell keeps its script open as descriptor 10 or so.
    let foreign = fcntl(null, F_DUPFD, 100)
    defer { for descriptor in [null, foreign] { close(descriptor) } }
    signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, SIG_DFL) }
    let script = """
      ls /proc/$$/fd | tr '\\n' ' '; echo; readlink /proc/$$/fd/0
      grep -E '^Sig(Ign|Blk)' /proc/self/status | tr -d '\\t'
      [ "$(ps -o pgid= -p $$ 2>/dev/null || echo $$)" -eq $$ ] && echo own group
      """
    try home.write("a", script, .will)
    let log = try rotate(home.hooks())
    let open = try #require(log.first).split(separator: " ").dropFirst()
    #expect(Set(["0", "1", "2"]).isSubset(of: open))
    #expect(foreign > 2 && !open.contains("\(foreign)"), "\(open)")
    #expect(log.dropFirst().first == "will-rotate.d/a: /dev/null")
    #expect(log.contains("will-rotate.d/a: SigBlk:0000000000000000"))
    let ignored = try #require(log.first { $0.contains("SigIgn:") }?.split(separator: ":").last)
    #expect(try #require(UInt64(ignored, radix: 16)) & 1 << (SIGPIPE - 1) == 0)
    #expect(log.last == "will-rotate.d/a: own group")
  }

  @Test(arguments: [
    ("exit 3", mode_t(0o755), "failed with exit status 3"),
    ("kill -SEGV $$", 0o755, "was killed by signal 11 (Segmentation fault)"),
    ("exit 0", 0o644, "cannot be started: make it executable with: chmod +x "),
    ("#!/nonexistent/interpreter\n", 0o755, "cannot be started: the file, or the program in its first line"),
    ("#!\n", 0o755, "cannot be started: its first line names no program, such as #!/bin/sh"),
  ])
  func `a failing hook is reported once and stops nothing`(_ script: String, _ mode: mode_t, _ words: String)
    throws
  {
    try home.write("a", script, .will, mode: mode)
    try home.write("b", "echo still", .will)
    let hooks = try home.hooks()
    let first = try rotate(hooks)
    #expect(first.first?.hasPrefix("will-rotate.d/a \(words)") == true, "\(first)")
    #expect(first.first?.hasSuffix("This is reported once, until the hook works again.") == true)
    #expect(first.last == "will-rotate.d/b: still")
    #expect(try rotate(hooks) == ["will-rotate.d/b: still"])

    let path = "\(home.path)/user/will-rotate.d/a"
    unlink(path)
    try home.write("a", "exit 0", .will)
    #expect(try rotate(hooks) == ["will-rotate.d/a works again.", "will-rotate.d/b: still"])
    unlink(path)
    try home.write("a", script, .will, mode: mode)
    #expect(try rotate(hooks).count == 2)
  }

  @Test func `a hook of the administrator is corrected with sudo`() throws {
    try home.write("a", "exit 0", .will, in: "system", mode: 0o644)
    let path = "\(home.path)/system/will-rotate.d/a"
    let started = try rotate(home.hooks())
    #expect(started.first?.contains("make it executable with: sudo chmod +x \(path)") == true, "\(started)")
    #expect(chmod(path, 0o777) == 0)
    #expect(try rotate(home.hooks()).first?.contains("with: sudo chmod go-w \(path).") == true)
  }

  @Test func `a missing hook is reported`() throws {
    let missing = "\(home.path)/user/will-rotate.d/dangling"
    #expect(symlink("/nonexistent/hook", missing) == 0)
    defer { unlink(missing) }
    let log = try rotate(home.hooks())
    #expect(
      log.first?.hasPrefix("will-rotate.d/dangling cannot be started: the file, or the program") == true)
  }

  /// Its child ignores SIGTERM, and keeps the pipe open while it lives.
  @Test func `a hanging hook is killed with its group`() throws {
    let pipe = try home.makePipe("alive")
    defer { close(pipe) }
    let script = """
      exec 3>\(home.path)/alive
      sh -c 'trap "" TERM; while :; do sleep 100; done' &
      echo started
      wait
      """
    try home.write("a", script)
    let hooks = try home.hooks(
      limits: HookLimits(runningNanoseconds: 500_000_000, endingNanoseconds: 200_000_000))
    hooks.did.add(.rotation(.normal, .left))
    #expect(try home.run { !home.log.isEmpty })
    #expect(home.log == ["did-rotate.d/a: started"])
    var isAlone = false
    let watch = try home.loop.watch(pipe) { isAlone = true }
    #expect(try home.run { isAlone && home.log.count == 2 })
    #expect(home.log.last?.hasPrefix("did-rotate.d/a did not end within 0.5 s and was stopped.") == true)
    watch.cancel()
    #expect(try home.endsQuietly(hooks))
  }

  @Test func `a hook that ignores the signal is killed`() throws {
    try home.write("a", "trap '' TERM; while :; do sleep 1; done")
    try home.write("b", "echo next")
    let hooks = try home.hooks(
      limits: HookLimits(runningNanoseconds: 100_000_000, endingNanoseconds: 100_000_000))
    hooks.did.add(.rotation(.normal, .left))
    #expect(try home.run { home.log.last == "did-rotate.d/b: next" })
    #expect(home.log.first?.hasPrefix("did-rotate.d/a did not end within 0.1 s") == true)
    #expect(try home.endsQuietly(hooks))
  }

  @Test func `a rotation that stops waiting skips the other hooks`() throws {
    try home.write("10-slow", "echo slow; read line < \(home.path)/back", .will)
    try home.write("20-never", "echo never", .will)
    let back = try home.makePipe("back", O_RDWR)
    defer { close(back) }
    let hooks = try home.hooks()
    var ready = 0
    hooks.will.add(.rotation(.normal, .left)) { ready += 1 }
    #expect(try home.run { !home.log.isEmpty })
    hooks.will.skipRemaining()
    #expect(
      home.log.last
        == "will-rotate.d/10-slow took too long, so the screen was rotated without waiting for it "
        + "(skipped: 20-never). This is reported once, until the hook works again.")
    // The next rotation's hooks wait for the slow one, and are skipped if that takes too long again.
    hooks.will.add(.rotation(.left, .right)) { ready += 1 }
    hooks.will.skipRemaining()
    hooks.will.add(.rotation(.right, .normal)) { ready += 1 }
    Console.write("\n", to: back)
    #expect(try home.run { home.log.count == 3 })
    #expect(home.log.last == "will-rotate.d/10-slow: slow")
    Console.write("\n", to: back)
    #expect(try home.run { ready == 1 })
    #expect(home.log.dropFirst(3) == ["will-rotate.d/10-slow works again.", "will-rotate.d/20-never: never"])
  }

  @Test func `later rotations wait and only the last runs hooks`() throws {
    let back = try home.makePipe("back", O_RDWR)
    defer { close(back) }
    try home.write("a", "echo $PREVIOUS_ORIENTATION $ORIENTATION; read line < \(home.path)/back")
    let hooks = try home.hooks()
    hooks.did.add(.rotation(.normal, .left))
    hooks.did.add(.rotation(.left, .inverted))
    hooks.did.add(.rotation(.inverted, .right))
    hooks.did.add(.rotation(.right, .normal))
    Console.write("\n\n", to: back)
    #expect(try home.run { home.log.count == 2 })
    #expect(try home.endsQuietly(hooks))
    #expect(home.log == ["did-rotate.d/a: normal left", "did-rotate.d/a: left normal"])
  }

  @Test func `unfinished invalid and excessive output is logged`() throws {
    try home.write("a", #"printf 'no end \377 \033[31m'"#, .will)
    try home.write("b", "yes | head -n 100000; head -c 3000 /dev/zero | tr '\\0' x", .will)
    let log = try rotate(home.hooks())
    #expect(log.first == "will-rotate.d/a: no end \u{FFFD}  [31m")
    #expect(log.dropFirst().prefix(200).allSatisfy { $0 == "will-rotate.d/b: y" })
    #expect(log.dropFirst(201) == ["will-rotate.d/b: (further output is left out)"])
  }

  /// The output of a leftover `yes` was read byte by byte for ever, at two thirds of a CPU core.
  @Test func `a flood of output is read with pauses`() throws {
    try home.write("a", "yes & echo $! > \(home.path)/flood", .will)
    _ = try rotate(home.hooks())
    #expect(try home.run { home.log.last == "will-rotate.d/a: (further output is left out)" })
    defer { unlink("\(home.path)/flood") }
    let flood = try #require(SystemFile.line(of: "\(home.path)/flood").flatMap { pid_t($0) })
    defer { kill(flood, SIGKILL) }
    // After each read the pause is longer.
    for _ in 0..<10 {
      #expect(try home.run { home.loop.nextTimer != nil }, "it is read only after a timer")
      #expect(try home.run { try home.loop.runOnce(timeoutNanoseconds: EventLoop.limit) })
    }
    #expect(kill(flood, 0) == 0)
  }

  @Test(arguments: ["user", "user/will-rotate.d", "user/will-rotate.d/a"])
  func `a hook that others may write does not run`(_ place: String) throws {
    try home.write("a", "echo ran", .will)
    let path = "\(home.path)/\(place)"
    #expect(chmod(path, 0o777) == 0)
    let hooks = try home.hooks()
    let log = try rotate(hooks)
    #expect(
      log == [
        "will-rotate.d/a is not run, because others may write to \(path): restrict it with: "
          + "chmod go-w \(path). This is reported once, until the hook works again."
      ])
    #expect(chmod(path, 0o755) == 0)
    #expect(try rotate(hooks) == ["will-rotate.d/a: ran", "will-rotate.d/a works again."])
  }

  @Test func `a leftover child process continues and may print`() throws {
    let back = try home.makePipe("back", O_RDWR)
    defer { close(back) }
    try home.write("a", "(read line < \(home.path)/back; echo from behind) & echo done", .will)
    let hooks = try home.hooks()
    #expect(try rotate(hooks) == ["will-rotate.d/a: done"])
    Console.write("\n", to: back)
    #expect(try home.run { home.log.last == "will-rotate.d/a: from behind" })
    #expect(try home.endsQuietly(hooks))
  }

  @Test func `stopping ends running hooks`() throws {
    try home.write("a", "trap 'echo asked; exit 0' TERM; echo up; while :; do sleep 0.01; done")
    try home.write("b", "echo never")
    let hooks = try home.hooks()
    hooks.did.add(.rotation(.normal, .left))
    #expect(try home.run { !home.log.isEmpty })
    hooks.stop()
    #expect(try home.run { home.log.last == "did-rotate.d/a: asked" })
    #expect(try home.endsQuietly(hooks))
    #expect(!home.log.contains("did-rotate.d/b: never"))
  }
}

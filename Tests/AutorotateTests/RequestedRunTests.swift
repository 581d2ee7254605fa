// SPDX-License-Identifier: MIT

import Glibc
import Language
import PrivateBus
import System
import Testing

@testable import Autorotation
@testable import autorotate

@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct RequestedRunTests {
  private static let options = RequestedRun.Options(mask: ["landscape"], application: "test", why: "")
  let home: PrivateBus

  init() throws {
    home = try PrivateBus()
    // An earlier run on this thread has blocked signals.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
  }

  /// The exit status and the messages.
  private func run(_ command: String...) throws -> (Int32, [String]) {
    var messages: [String] = []
    let status = try RequestedRun.run(command, Self.options, bus: .at(address: home.address)) {
      messages.append($0)
    }
    return (status, messages)
  }

  @Test(arguments: [("exit 0", 0), ("exit 7", 7), ("kill -ALRM $$", 142), ("kill -KILL $$", 137)])
  func `the exit status is the programs status`(_ script: String, _ expected: Int32) throws {
    let (status, messages) = try run("sh", "-c", script)
    #expect(status == expected)
    #expect(
      messages == [
        "sh runs without the request: autorotate is not running: start it with `setsid -f autorotate --wait >/dev/null 2>&1`"
      ])
  }

  @Test func `without a bus the program still runs`() throws {
    home.kill()
    let (status, messages) = try run("sh", "-c", "exit 3")
    #expect(status == 3)
    #expect(messages.count == 1)
    #expect(messages.first?.hasPrefix("sh runs without the request: the session bus") == true)
  }

  @Test(arguments: [("/nonexistent/program", 127), ("no-such-program-here", 127), ("/etc/passwd", 126)])
  func `a program that cannot start has the shells status`(_ program: String, _ expected: Int32) throws {
    let (status, messages) = try run(program)
    #expect(status == expected)
    #expect(messages.last?.hasPrefix("\(program) cannot be started: ") == true)
  }

  /// The program inherits the signal mask of the process.
  @Test func `the program inherits the signal mask`() throws {
    let (status, _) = try run(
      "sh", "-c", "grep -q '^SigBlk:.*[1-9a-f]' /proc/self/status && exit 9; kill -USR1 $$")
    #expect(status == 128 + SIGUSR1)
  }

  @Test func `a standing request is repeated after a restart`() throws {
    var answers: [Bool] = []
    let bus = try home.connect()
    let request = try StandingRequest(bus: bus, .init(mask: ["left"], application: "a", why: "b")) {
      answers.append((try? $0.get()) != nil)
    }
    #expect(try home.run { answers == [false] })
    for round in 1...2 {
      var events: [Event] = []
      let own = try home.connect()
      let service = try ControlService(bus: own) {
        events.append($0)
        $1(nil)
      }
      _ = try own.requestName(ControlInterface.name)
      #expect(try home.run { answers.count == 2 * round })
      let request = OrientationRequest(id: 1, mask: [.left], application: "a", why: "b")
      #expect(events == [.requestAdded(request)])
      withExtendedLifetime(service) { own.close() }
      #expect(try home.run { answers.count == 2 * round + 1 })
    }
    #expect(answers == [false, true, false, true, false])
    withExtendedLifetime(request) {}
  }
}

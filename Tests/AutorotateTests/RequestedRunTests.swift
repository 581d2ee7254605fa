// SPDX-License-Identifier: MIT

import Glibc
import PrivateBus
import System
import Testing

@testable import Autorotation
@testable import autorotate

@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct RequestedRunTests {
  private static let wish = RequestedRun.Wish(mask: ["landscape"], application: "test", why: "")
  let home: PrivateBus

  init() throws {
    home = try PrivateBus()
    // An earlier run on this thread has held signals back.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
  }

  /// The exit status, and what was said.
  private func run(_ command: String...) throws -> (Int32, [String]) {
    var said: [String] = []
    let status = try RequestedRun.run(command, Self.wish, bus: .at(address: home.address)) { said.append($0) }
    return (status, said)
  }

  @Test(arguments: [("exit 0", 0), ("exit 7", 7), ("kill -ALRM $$", 142), ("kill -KILL $$", 137)])
  func theProgramsEndIsTheCommands(_ script: String, _ expected: Int32) throws {
    let (status, said) = try run("sh", "-c", script)
    #expect(status == expected)
    #expect(
      said == ["sh runs without its request: autorotate is not running: start it with `autorotate`"])
  }

  @Test func withoutABusTheProgramRunsAllTheSame() throws {
    home.kill()
    let (status, said) = try run("sh", "-c", "exit 3")
    #expect(status == 3)
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("sh runs without its request: autorotate is reached over the") == true)
  }

  @Test(arguments: [("/nonexistent/program", 127), ("no-such-program-here", 127), ("/etc/passwd", 126)])
  func aProgramThatCannotBeStarted(_ program: String, _ expected: Int32) throws {
    let (status, said) = try run(program)
    #expect(status == expected)
    #expect(said.last?.hasPrefix("\(program) cannot be started: ") == true)
  }

  /// What the process held back before is what the program holds back.
  @Test func theProgramGetsTheSignalMaskThatWas() throws {
    let (status, _) = try run(
      "sh", "-c", "grep -q '^SigBlk:.*[1-9a-f]' /proc/self/status && exit 9; kill -USR1 $$")
    #expect(status == 128 + SIGUSR1)
  }

  @Test func aStandingRequestIsMadeAnewAfterARestart() throws {
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
      let wish = OrientationRequest(id: 1, mask: [.left], application: "a", why: "b")
      #expect(events == [.requestAdded(wish)])
      withExtendedLifetime(service) { own.close() }
      #expect(try home.run { answers.count == 2 * round + 1 })
    }
    #expect(answers == [false, true, false, true, false])
    withExtendedLifetime(request) {}
  }
}

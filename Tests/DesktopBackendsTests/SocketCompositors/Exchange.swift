// SPDX-License-Identifier: MIT

import Glibc
import System
import Testing

/// A recorded exchange with a compositor: `> ` a request of the backend, followed by the lines of the answer, `! ` an
/// event of the compositor, `@ ` a place where the test acts, `# ` a remark.
struct Exchange {
  enum Step: Equatable {
    case question(String, answer: String)
    case event(String)
    case place(String)
  }

  private(set) var steps: [Step] = []

  /// - Parameter path: relative to the folder of these tests.
  init(_ path: String) {
    let folder = #filePath.split(separator: "/").dropLast(1).reduce("") { $0 + "/" + $1 }
    for line in Self.lines(of: "\(folder)/\(path)") {
      let rest = String(line.dropFirst(2))
      switch line.prefix(2) {
      case "# ": break
      case "> ": steps.append(.question(rest, answer: ""))
      case "! ": steps.append(.event(rest))
      case "@ ": steps.append(.place(rest))
      default: continueAnswer(line)
      }
    }
  }

  private mutating func continueAnswer(_ line: String) {
    guard case .question(let text, let answer)? = steps.popLast() else { return }
    steps.append(.question(text, answer: answer.isEmpty ? line : answer + "\n" + line))
  }

  private static func lines(of path: String) -> [String] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var lines: [String] = []
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    while getline(&line, &size, file) > 0, let line {
      lines.append(
        String(String(cString: line).drop { $0 == "\n" }.reversed().drop { $0 == "\n" }.reversed()))
    }
    return lines
  }
}

/// A compositor that replays an exchange and compares each request with it.
@MainActor
final class ExchangePlayer {
  private var steps: ArraySlice<Exchange.Step>
  private var eventClients: [FakeServer.Client] = []
  /// Requests that the exchange does not have.
  private(set) var problems: [String] = []

  init(_ exchange: Exchange) {
    steps = exchange.steps[...]
    #expect(!steps.isEmpty, "the exchange is there")
  }

  var isDone: Bool { steps.isEmpty }

  /// Whether everything before this place has been exchanged.
  func isAt(_ place: String) -> Bool {
    steps.first == .place(place)
  }

  func resume() {
    if case .place? = steps.first { steps.removeFirst() }
    sendEvents()
  }

  func listens(_ client: FakeServer.Client) {
    eventClients.append(client)
    sendEvents()
  }

  func answer(_ question: String) -> String {
    guard case .question(let expected, let answer)? = steps.first, expected == question else {
      problems.append(
        "got “\(question)” where “\(steps.first.map { "\($0)".prefix(200) } ?? "nothing")” was due")
      return "unknown request"
    }
    steps.removeFirst()
    return answer
  }

  func sendEvents() {
    while case .event(let line)? = steps.first, !eventClients.isEmpty {
      steps.removeFirst()
      for client in eventClients { client.write(line + "\n") }
    }
  }
}

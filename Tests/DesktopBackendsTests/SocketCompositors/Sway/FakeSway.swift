// SPDX-License-Identifier: MIT

import Autorotation
import System

@testable import DesktopBackends

/// A fake sway with two outputs. It answers like sway 1.7, unless it is given another version.
@MainActor
final class FakeSway {
  struct Head {
    var name: String
    var x = 0
    var width: Int
    var height: Int
    var transform = "normal"
    var isEnabled = true
    /// An output that is off stores a transform, and applies it when it is on again.
    var hasPower = true
    var stored: String?
    var isSideways: Bool { transform.hasSuffix("90") || transform.hasSuffix("270") }
  }

  var version = (major: 1, minor: 7, patch: 0)
  /// Whether it reports outputs that are off as on, and does not move them: as 1.7 does on the headless backend.
  var hidesPower = false

  var heads = [
    Head(name: "eDP-1", width: 1280, height: 800), Head(name: "HDMI-A-1", x: 1280, width: 1024, height: 768),
  ]
  var inputs = "[]"
  var tree = #"{"id":1,"type":"root","focus":[],"nodes":[],"floating_nodes":[]}"#
  var configuration = ""
  /// The commands that were run.
  private(set) var commands: [String] = []
  private(set) var requests: [UInt32] = []
  /// Overrides the answer to a request; `nil` for the usual answer, empty for none.
  var answer: (SwayMessage.Request, String) -> [UInt8]? = { _, _ in nil }
  private(set) var server: FakeServer?
  weak var channel: (any CompositorChannel)?

  /// The backend's time limit for each answer from now on, in nanoseconds.
  var timeout: Int64 {
    get { channel?.timeout ?? 0 }
    set { channel?.timeout = newValue }
  }

  init(loop: EventLoop) throws {
    server = try FakeServer(loop: loop) { [unowned self] in handle($0) }
  }

  var path: String { server?.path ?? "" }

  func end() {
    server?.end()
  }

  func sendEvent(_ event: SwayMessage.Event, _ text: String) {
    for client in server?.clients ?? [] { client.write(Self.frame(event.rawValue, text)) }
  }

  static func frame(_ type: UInt32, _ text: String) -> [UInt8] {
    let number = { (value: UInt32) in withUnsafeBytes(of: value) { Array($0) } }
    return Array("i3-ipc".utf8) + number(UInt32(text.utf8.count)) + number(type) + Array(text.utf8)
  }

  private func handle(_ client: FakeServer.Client) {
    while client.received.count >= 14 {
      let header = client.received.withUnsafeBytes {
        (
          $0.loadUnaligned(fromByteOffset: 6, as: UInt32.self),
          $0.loadUnaligned(fromByteOffset: 10, as: UInt32.self)
        )
      }
      guard client.received.count >= 14 + Int(header.0) else { return }
      let text = String(decoding: client.consume(14 + Int(header.0)).dropFirst(14), as: UTF8.self)
      requests.append(header.1)
      guard let request = SwayMessage.Request(rawValue: header.1) else { continue }
      client.write(answer(request, text) ?? Self.frame(header.1, usual(request, text)))
    }
  }

  func usual(_ request: SwayMessage.Request, _ text: String) -> String {
    switch request {
    case .runCommand: run(text)
    case .subscribe: "{\"success\": \(text != #"["output"]"# || (version.major, version.minor) >= (1, 9))}"
    case .getOutputs: outputs
    case .getTree: tree
    case .getInputs: inputs
    case .getConfig: #"{"config": \#(JSON.string(configuration))}"#
    case .getVersion:
      """
      {"human_readable":"\(version.major).\(version.minor)","variant":"sway",
      "major":\(version.major),"minor":\(version.minor),"patch":\(version.patch)}
      """
    }
  }

  private func run(_ text: String) -> String {
    let results = text.split(separator: ",").map { command in
      commands.append(command.trimmed)
      perform(command.split(separator: " ").map { $0.filter { $0 != "\"" } })
      return #"{"success": true}"#
    }
    return "[\(results.joined(separator: ","))]"
  }

  private func perform(_ words: [String]) {
    guard words.first == "output", let index = heads.firstIndex(where: { $0.name == words[1] }) else {
      return
    }
    let isOff = !heads[index].hasPower
    if let at = words.firstIndex(of: "transform") {
      if isOff { heads[index].stored = words[at + 1] } else { heads[index].transform = words[at + 1] }
    }
    if let at = words.firstIndex(of: "position"), !isOff || !hidesPower {
      heads[index].x = Int(words[at + 1]) ?? 0
    }
  }

  /// Switches outputs as swayidle does.
  func setPower(_ isOn: Bool, of names: [String] = ["eDP-1", "HDMI-A-1"]) {
    for index in heads.indices where names.contains(heads[index].name) {
      heads[index].hasPower = isOn
      guard isOn, let stored = heads[index].stored else { continue }
      heads[index].transform = stored
      heads[index].stored = nil
    }
    if (version.major, version.minor) >= (1, 9) { sendEvent(.output, #"{"change": "unspecified"}"#) }
  }

  var outputs: String {
    let all = heads.map { head in
      guard head.isEnabled else { return #"{"name":"\#(head.name)","active":false,"rect":{}}"# }
      let power = head.hasPower || hidesPower
      let (width, height) = head.isSideways ? (head.height, head.width) : (head.width, head.height)
      return """
        {"name":"\(head.name)","active":true,"dpms":\(power),"scale":1.0,"transform":"\(head.transform)",
        "current_mode":{"width":\(head.width),"height":\(head.height),"refresh":60000},
        "rect":{"x":\(head.x),"y":0,"width":\(width),"height":\(height)}}
        """
    }
    return "[\(all.joined(separator: ","))]"
  }
}

extension Substring {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}

// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The syntax of settings at run time: `keyword` where Hyprland is configured by hyprland.conf, `eval` where by
/// hyprland.lua, which came with 0.55 and is the only one from 0.57 on.
enum HyprlandLanguage: Equatable {
  case keywords
  case lua

  /// To an empty chunk Hyprland answers `ok` only if it is configured in Lua: others do not know the request, or
  /// refuse it.
  static let question = CompositorMessage("/eval return 1")

  init(answer: [UInt8]) {
    self = answer.elementsEqual("ok".utf8) ? .lua : .keywords
  }

  /// Makes every monitor draw a frame: dismisses none of Hyprland's notifications.
  ///
  /// From 0.55 on, a monitor's rule is applied only when a frame is drawn
  /// (`CMonitorRuleManager::scheduleReload`), and an idle desktop draws none.
  static let frame = CompositorMessage("/dismissnotify 0")

  /// The answer to `frame` before 0.37, which applies rules at once.
  private static let unknownRequest = "unknown request"

  /// - Parameter answer: a line for each command.
  static func outcome(_ answer: [UInt8]) -> Result<Void, Message> {
    let lines = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isNewline)
    if let words = lines.first(where: { $0 != "ok" && $0 != unknownRequest }) {
      return .failure(.refusal(String(words.prefix(200))))
    }
    return lines.isEmpty ? .failure(.refusal("nothing")) : .success(())
  }

  /// Complete rules. Each replaces the rule for its monitor's name, so `keyword` must repeat every setting.
  func rules(_ monitors: [CompositorOutput]) -> CompositorMessage {
    switch self {
    case .keywords:
      let commands = monitors.map { monitor in
        let (place, words) = (monitor.rectangle, monitor.details)
        return
          (["\(monitor.name),\(words[0]),\(place.x)x\(place.y),\(words[1]),transform,\(monitor.transform)"]
          + words.dropFirst(2).map { "bitdepth,\($0)" }).joined(separator: ",")
      }
      return Self.batch(commands)
    case .lua: return CompositorMessage("/eval " + monitors.map(Self.lua).joined(separator: " "))
    }
  }

  private static func lua(_ monitor: CompositorOutput) -> String {
    let (place, words) = (monitor.rectangle, monitor.details)
    let depth = words.dropFirst(2).map { ", bitdepth = \($0)" }.joined()
    return "hl.monitor({ output = \(luaText(monitor.name)), mode = \"\(words[0])\", "
      + "position = \"\(place.x)x\(place.y)\", scale = \"\(words[1])\", transform = \(monitor.transform)\(depth) })"
  }

  /// Changes only the transform in the rule for each name; without such a rule, Hyprland answers `ok` and does
  /// nothing.
  static func transformOnly(_ monitors: [CompositorOutput]) -> CompositorMessage {
    batch(monitors.map { "\($0.name),transform,\($0.transform)" })
  }

  private static func batch(_ rules: [String]) -> CompositorMessage {
    let commands = rules.map { "/keyword monitor \($0)" }
    return CompositorMessage(
      commands.count == 1 ? commands[0] : "[[BATCH]]" + commands.joined(separator: ";"))
  }

  /// Instead of the name of an output: Hyprland's text for an empty setting (STRVAL_EMPTY).
  static let noOutput = "[[EMPTY]]"

  /// - Parameter output: to map the device to; `nil` keeps its mapping, which does not matter with a single output.
  func transform(_ device: String, to transform: Int, on output: String? = nil) -> CompositorMessage {
    switch self {
    case .keywords:
      let command = "/keyword device[\(device)]:transform \(transform)"
      return CompositorMessage(
        output.map { "[[BATCH]]/keyword device[\(device)]:output \($0);\(command)" } ?? command)
    case .lua:
      let place = output.map { ", output = \(Self.luaText($0))" } ?? ""
      return CompositorMessage(
        "/eval hl.device({ name = \(Self.luaText(device)), transform = \(transform)\(place) })")
    }
  }

  func enable(_ device: String, _ isEnabled: Bool) -> CompositorMessage {
    switch self {
    case .keywords: CompositorMessage("/keyword device[\(device)]:enabled \(isEnabled)")
    case .lua:
      CompositorMessage("/eval hl.device({ name = \(Self.luaText(device)), enabled = \(isEnabled) })")
    }
  }

  private static func luaText(_ text: String) -> String {
    let special = "\"\\\n\r".unicodeScalars
    return "\"" + text.unicodeScalars.map { special.contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
  }
}

extension CompositorOutput {
  /// - Parameter value: an element of `j/monitors all`; `nil` for one without a name.
  init?(hyprland value: JSONValue) {
    guard let name = value["name"]?.string, !name.isEmpty else { return nil }
    let (width, height) = (value["width"].extent, value["height"].extent)
    let rate = value["refreshRate"]?.double.flatMap { (1...1000).contains($0) ? $0 : nil } ?? 60
    let given = value["scale"]?.double ?? 1
    // Scales are multiples of 1/120, and have only two decimals before 0.50.
    let scale = (0.1...20).contains(given) ? (given * 120).rounded() / 120 : 1
    let isDeep = value["currentFormat"]?.string?.contains("2101010") ?? false
    self.init(
      name: name, number: value["id"]?.int ?? -1, isActive: value["disabled"]?.bool != true,
      hasPower: value["dpmsStatus"]?.bool ?? true,
      isMirror: value["mirrorOf"]?.string.map { $0 != "none" && !$0.isEmpty } ?? false, width: width,
      height: height, scale: scale,
      rectangle: ScreenRectangle(x: value["x"].coordinate, y: value["y"].coordinate, width: 0, height: 0),
      details: ["\(width)x\(height)@\(rate.text(decimals: 5))", scale.text(decimals: 6)]
        + (isDeep ? ["10"] : []))
    transform = value["transform"]?.int.flatMap { (0...7).contains($0) ? $0 : nil } ?? 0
    let (wide, high) = rotation.swapsSides ? (height, width) : (width, height)
    rectangle.width = Int((Double(wide) / scale).rounded())
    rectangle.height = Int((Double(high) / scale).rounded())
  }
}

/// The active window, from `j/activewindow`.
enum HyprlandFocus {
  /// - Parameter monitors: to find the name for the monitor's number.
  /// - Returns: `nil` if no window is active, such as while a menu or launcher has the keyboard.
  static func window(
    _ value: JSONValue, among monitors: [CompositorOutput], withTitle: Bool = false
  ) -> Window? {
    guard let id = value["address"]?.string.flatMap(number) else { return nil }
    let names = [value["class"], value["initialClass"]].compactMap { $0?.string }.filter { !$0.isEmpty }
    let monitor = value["monitor"]?.int
    return Window(
      id: id, identifiers: names.eachOnce, title: withTitle ? value["title"]?.string : nil,
      isFullscreen: isFullscreen(value), output: monitors.first { $0.number == monitor }?.name,
      process: value["pid"]?.int.flatMap(Int32.init(exactly:)))
  }

  /// Since 0.42 a number of two bits, of which the higher is fullscreen and the lower maximized; before, a Boolean
  /// with the kind in `fullscreenMode`.
  private static func isFullscreen(_ value: JSONValue) -> Bool {
    if let bits = value["fullscreen"]?.int { return bits & 2 != 0 }
    return value["fullscreen"]?.bool == true && value["fullscreenMode"]?.int ?? 0 == 0
  }

  /// Whether a window is still there behind the menu or launcher that has the keyboard.
  /// - Parameter workspace: the answer to `j/activeworkspace`.
  static func isBehind(_ window: Window, _ workspace: JSONValue) -> Bool {
    workspace["windows"]?.int ?? 0 > 0 && workspace["lastwindow"]?.string.flatMap(number) == window.id
  }

  /// "0x55d5b4b0d2a0"
  private static func number(_ address: String) -> UInt64? {
    guard address.hasPrefix("0x") else { return nil }
    return UInt64(address.dropFirst(2), radix: 16).flatMap { $0 == 0 ? nil : $0 }
  }
}

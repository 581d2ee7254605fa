// SPDX-License-Identifier: MIT

import Autorotation
import System

/// A kind of value: how it is read from a file, and shown to the user.
struct ValueForm<Value: Sendable>: Sendable {
  /// The valid words for completion; empty if any text is valid.
  var words: [String] = []
  /// Whether it is a list of one or several of the same kind, so that commas separate them on a command line.
  var isList = false
  /// Whole, in a form that a command line accepts.
  let text: @Sendable (Value) -> String
  /// Called with the value and a complete valid line. If the value is invalid, logs why and returns `nil`.
  let read: @Sendable (TomlNode, String, inout DiagnosticLog) -> Value?
}

extension ValueForm where Value: Equatable {
  static func word(_ words: Words<Value>) -> Self {
    let text = Form.text(expected: words.kind)
    return Self(words: words.words.map(\.word), text: { words.word(for: $0) }) { node, example, log in
      guard let word = text.read(node, example, &log) else { return nil }
      if let value = words[word] { return value }
      return log.reject(
        node, "\"\(word.quotable)\" is not \(words.kind)", advice: words.advice(for: word))
    }
  }
}

extension ValueForm {
  /// `nil` if the file has this value.
  static func auto<Wrapped: Equatable>(_ auto: Wrapped, or form: ValueForm<Wrapped>) -> Self
  where Value == Wrapped? {
    let word = (auto as? String).map { [$0] } ?? (auto as? [String]) ?? []
    return Self(words: word + form.words, isList: form.isList, text: { form.text($0 ?? auto) }) {
      node, example, log in
      form.read(node, example, &log).map { $0 == auto ? nil : $0 }
    }
  }

  /// `nil` if the file does not have it.
  static func optional<Wrapped>(_ form: ValueForm<Wrapped>) -> Self where Value == Wrapped? {
    Self(words: form.words, text: { $0.map(form.text) ?? "" }) {
      form.read($0, $1, &$2).map { .some($0) }
    }
  }

  /// One or several of these words.
  static func words<Element: Equatable>(_ words: Words<Element>) -> Self where Value == [Element] {
    ValueForm<Element>.word(words).list(expected: words.kind)
  }

  /// One or several in a list. A list with an invalid element is invalid,
  /// since part of a list would have another meaning.
  /// - Parameter expected: one of them, with its article.
  func list(mayBeEmpty: Bool = false, expected: Phrase) -> ValueForm<[Value]> {
    ValueForm<[Value]>(words: words, isList: true, text: { $0.map(text).shown(separator: ", ") }) {
      node, example, log in
      switch node.value {
      case .array(let nodes) where nodes.isEmpty && !mayBeEmpty:
        return log.reject(node, "an empty list allows nothing", advice: "Write \(example)")
      case .array(let nodes):
        let elements = nodes.map { read($0, example, &log) }
        return elements.contains { $0 == nil } ? nil : elements.compactMap(\.self)
      case .text: return read(node, example, &log).map { [$0] }
      default:
        return log.rejectKind(node, expected: "\(expected) or a list of them", example: example)
      }
    }
  }
}

/// The forms of the values of the keys.
enum Form {
  static let boolean = ValueForm<Bool>(words: ["true", "false"], text: { "\($0)" }) { node, example, log in
    if case .boolean(let value) = node.value { return value }
    return log.rejectKind(node, expected: "true or false", example: example)
  }

  /// - Parameter expected: with its article.
  static func text(expected: Phrase = "text") -> ValueForm<String> {
    ValueForm(text: { $0 }) { node, example, log in
      guard case .text(let text) = node.value else {
        return log.rejectKind(node, expected: expected, example: example)
      }
      guard !text.unicodeScalars.allSatisfy(\.properties.isWhitespace) else {
        return log.reject(node, "expected \(expected), found none", advice: "Write \(example)")
      }
      return text
    }
  }

  static let device = text(expected: "the name of a device")

  /// A detachable keyboard, by its name. "on" and "off" are no names: the user probably means another key.
  static let keyboard = ValueForm<String>(text: device.text) { node, example, log in
    guard let word = device.read(node, example, &log) else { return nil }
    guard ["on", "off", "true", "false", "yes", "no"].contains(word.lowercased()) else { return word }
    return log.reject(
      node, "\"\(word)\" is not the name of a keyboard",
      advice: "Write \(example) or \"none\". The key for an on-screen keyboard is "
        + "on-screen-keyboard; for disabled keys it is disable-input")
  }

  static func names(mayBeEmpty: Bool = false, expected: Phrase) -> ValueForm<[String]> {
    text(expected: expected).list(mayBeEmpty: mayBeEmpty, expected: expected)
  }

  static let devices = names(expected: "the name of a device")
  static let devicesOrNone = names(mayBeEmpty: true, expected: "the name of a device")

  /// A program and its arguments, as one text without quotes or as a list of words; empty for none.
  static let command = ValueForm<[String]>(text: { $0.shown(separator: " ") }) { node, example, log in
    if case .text(let text) = node.value, !text.contains("\0") {
      return text.split(separator: " ").map(String.init)
    }
    let words = names(mayBeEmpty: true, expected: "a command").read(node, example, &log)
    guard words?.contains(where: { $0.contains("\0") }) == true else { return words }
    return log.reject(node, "a command cannot contain a zero character", advice: "Write \(example)")
  }

  static let tabletSwitch = ValueForm<TabletSwitchChoice>(words: ["auto", "none"], text: { $0.word }) {
    text(expected: "\"auto\", \"none\" or the name of a device").read($0, $1, &$2).map(
      TabletSwitchChoice.init)
  }

  /// "auto", the name of an output, or several in a list.
  static let outputs = ValueForm<OutputChoice>(
    words: ["auto"], isList: true, text: { $0.isAutomatic ? "auto" : outputNames.text($0.names) }
  ) {
    outputNames.read($0, $1, &$2).map { OutputChoice($0 == ["auto"] ? [] : $0) }
  }

  private static let outputNames = names(expected: "the name of an output")

  /// A table of names of devices, with the output of each.
  static let touchMap = ValueForm<[TouchAssignment]>(text: { $0.shown }) { node, example, log in
    guard case .table(let entries) = node.value else {
      return log.rejectKind(node, expected: "a table of devices with their outputs", example: example)
    }
    let lines = entries.map { entry in
      text(expected: "the name of an output").read(entry.node, example, &log).map {
        TouchAssignment(entry.key, on: $0)
      }
    }
    return lines.contains { $0 == nil } ? nil : lines.compactMap(\.self)
  }

  /// A relative path of a trace is relative to the folder of the file.
  static let sensorSource = ValueForm<MachineSettings.SensorSource>(
    words: MachineSettings.SensorSource.allWords,
    text: { source in
      if case .replay(let path) = source { "replay:\(path)" } else { Word.sensorSource.word(for: source) }
    }
  ) { node, example, log in
    guard case .text(let text) = node.value, text.hasPrefix("replay:") else {
      return ValueForm.word(Word.sensorSource).read(node, example, &log)
    }
    guard case .replay(let path)? = MachineSettings.SensorSource(word: text), !path.contains("\0") else {
      return log.reject(
        node, "replay: has no file name", advice: "Write source = \"replay:/path/of/trace.csv\"")
    }
    return .replay(path: path.hasPrefix("/") ? path : SystemFile.split(log.file.path).directory + path)
  }

  static let mountMatrix = ValueForm<MountMatrix?>(words: ["auto"], text: { $0?.text ?? "auto" }) {
    node, example, log in
    guard let text = text(expected: "a matrix as text").read(node, example, &log) else { return nil }
    if text == "auto" { return .some(nil) }
    if let matrix = MountMatrix(text: text) { return matrix }
    log.report(
      at: node.place, "not a matrix of three rows of three numbers, or its rows are not independent",
      advice: "Write \(example) (; between rows, as in udev's ACCEL_MOUNT_MATRIX), or \"auto\"")
    return nil
  }

  static let sensorRate = ValueForm<Double?>(words: ["auto"], text: { $0.map { "\($0)" } ?? "auto" }) {
    node, example, log in
    let rate: Double
    switch node.value {
    case .integer(let value): rate = Double(value)
    case .number(let value): rate = value
    case .text("auto"): return .some(nil)
    default:
      log.report(
        at: node.place, "expected samples per second, found \(node.value.kind)",
        advice: "Write \(example), or \"auto\"")
      return nil
    }
    if AccelerometerSettings.rates.contains(rate) { return rate }
    log.report(
      at: node.place, "a rate is 4 to 100 samples per second", advice: "Write \(example), or \"auto\"")
    return nil
  }

  /// Two angles of the hinge in degrees, the smaller first. Words of a command line are texts.
  static let hingeAngles = ValueForm<ClosedRange<Int>>(text: { "\($0.lowerBound), \($0.upperBound)" }) {
    node, example, log in
    let limits = AccelerometerSettings.unambiguousHingeAngles
    let nodes = if case .array(let nodes) = node.value { nodes } else { [TomlNode]() }
    let angles = nodes.compactMap(\.value.angle).filter { limits.contains(Double($0)) }
    if nodes.count == 2, angles.count == 2, angles[0] < angles[1] { return angles[0]...angles[1] }
    return log.reject(
      node, "hinge-angles are two whole numbers of degrees from 20 to 340, the smaller first",
      advice: "Write \(example)")
  }
}

extension TomlValue {
  fileprivate var angle: Int? {
    switch self {
    case .integer(let degrees): Int(exactly: degrees)
    case .text(let degrees): Int(degrees)
    default: nil
    }
  }
}

extension [String] {
  /// In the form of the file if an element contains the separator.
  fileprivate func shown(separator: String) -> String {
    let isClear = allSatisfy { !$0.contains(separator.first ?? " ") }
    return isClear ? joined(separator: separator) : TomlLiteral.list(self)
  }
}

extension [TouchAssignment] {
  /// In the form of the file if a name contains what separates names, or quotes.
  fileprivate var shown: String {
    let isClear = allSatisfy { entry in
      !(entry.pattern + entry.output).contains { ",=\"".contains($0) }
    }
    let pairs = map { entry in
      let names = [entry.pattern, entry.output]
      return (isClear ? names : names.map(TomlLiteral.text)).joined(separator: " = ")
    }
    return isClear ? pairs.joined(separator: ", ") : "{ \(pairs.joined(separator: ", ")) }"
  }
}

// SPDX-License-Identifier: MIT

import CSystemd

/// A rule that matches signals by all fields that are set.
nonisolated package struct SignalRule: Equatable, Sendable {
  /// A well-known or a unique name.
  package var sender: String
  package var path: String?
  package var interface: String?
  package var member: String?
  /// The first argument, if it is a string.
  package var firstArgument: String?
  /// A name that the first argument equals, or starts with before a dot.
  package var firstArgumentNamespace: String?

  /// Local signals of sd-bus.
  static let connected = local("Connected")
  static let disconnected = local("Disconnected")

  private static func local(_ member: String) -> Self {
    Self(
      sender: "org.freedesktop.DBus.Local", path: "/org/freedesktop/DBus/Local",
      interface: "org.freedesktop.DBus.Local", member: member)
  }

  /// Whether the sender can never change: a unique name, the bus, or sd-bus.
  var namesOneSender: Bool {
    sender.hasPrefix(":") || sender == BusTarget.driver.service || sender == Self.disconnected.sender
  }

  /// The match rule of D-Bus. `nil` if a value has a character that needs escaping, which no valid name of D-Bus has.
  var text: String? {
    let fields = [
      ("sender", sender), ("path", path), ("interface", interface), ("member", member),
      ("arg0", firstArgument), ("arg0namespace", firstArgumentNamespace),
    ]
    let set = fields.compactMap { key, value in value.map { (key, $0) } }
    let isPlain = set.allSatisfy { !$0.1.utf8.contains { "'\\\0".utf8.contains($0) } }
    guard isPlain else { return nil }
    return (["type='signal'"] + set.map { "\($0)='\($1)'" }).joined(separator: ",")
  }
}

nonisolated extension SignalRule {
  /// A signal of one object.
  package init(_ source: BusTarget, _ member: String, firstArgument: String? = nil) {
    self.init(
      sender: source.service, path: source.path, interface: source.interface, member: member,
      firstArgument: firstArgument)
  }
}

extension Bus {
  /// Calls `handler` for each signal that matches the rule, until the result is released. If the bus refuses the match
  /// rule, the connection is closed.
  ///
  /// The bus delivers signals that are addressed to this connection regardless of match rules, and sd-bus does not
  /// check the owner of the sender's name. So each signal is compared with the owner that the bus reports. Until that
  /// is known, signals are ignored: the owner was requested before the match rule was added, so no signal before that
  /// reply was broadcast to subscribers.
  package func match(
    _ rule: SignalRule, _ handler: @escaping (BusMessage) -> Void
  ) throws(BusError) -> Subscription {
    guard !rule.namesOneSender else {
      return Subscription(try addMatch(rule) { if $0.sender == rule.sender { handler($0) } })
    }
    let owner = try owner(of: rule.sender)
    return Subscription(
      try addMatch(rule) { if let sender = $0.sender, sender == owner.current { handler($0) } })
  }

  /// Calls `handler` each time when properties of the interface have changed.
  /// - Parameter handler: receives their values, and the names of those whose values are not sent.
  package func matchChanges(
    of target: BusTarget, _ handler: @escaping (_ changed: [String: Value], _ invalidated: [String]) -> Void
  ) throws(BusError) -> Subscription {
    let rule = SignalRule(target.properties, "PropertiesChanged", firstArgument: target.interface)
    return try match(rule) { signal in
      guard let arguments = try? signal.arguments(), let changed: [String: Value] = try? arguments.read(1)
      else { return }
      handler(changed, (try? arguments.read(2)) ?? [])
    }
  }

  private func addMatch(
    _ rule: SignalRule, _ handler: @escaping (BusMessage) -> Void
  ) throws(BusError) -> OpaquePointer {
    guard let text = rule.text else {
      throw BusError(BusError.invalidArguments, "a signal rule with a quote or backslash in it")
    }
    return try SlotContext.bind(MessageHandler(handler), "matching \(text)") { slot, context in
      sd_bus_add_match_async(pointer, &slot, text, MessageHandler.callback, nil, context)
    }
  }

  /// Sends a signal without arguments to `target.service` alone.
  package func signal(_ target: BusTarget, _ member: String) throws(BusError) {
    let signal = try BusMessage("signalling \(member)", arguments: []) { message in
      sd_bus_message_new_signal(pointer, &message, target.path, target.interface, member)
    }
    let addressed = sd_bus_message_set_destination(signal.pointer, target.service)
    try BusError.check(addressed, "addressing \(target.service)")
    try send(signal, "signalling \(member)")
  }

  func send(_ message: BusMessage, _ action: @autoclosure () -> String) throws(BusError) {
    try BusError.check(sd_bus_send(pointer, message.pointer, nil), action())
  }
}

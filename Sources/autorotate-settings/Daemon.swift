// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Language

/// A client of the daemon, over the session bus.
final class Daemon {
  private static let name = "org.autorotate.Autorotate1"
  private static let path = "/org/autorotate/Autorotate1"
  /// Limits for received data. Real lists of reasons are shorter, and longer texts are not readable.
  private static let maximumTexts = 32
  private static let maximumCharacters = 300
  private static let maximumApplications = 1000

  /// Called at each change of its properties, and when it starts and ends.
  var onChange: () -> Void = {}
  /// Called with the text of each refusal.
  var onRefusal: (String) -> Void = { _ in }

  enum Connection: Equatable {
    case connecting
    /// The daemon or the bus does not answer in time.
    case timedOut
    case noBus(String)
    case connected
  }

  /// Milliseconds; an answer usually takes a few.
  private static let timeLimit: UInt32 = 2000

  private var proxy: OpaquePointer?
  private(set) var connection = Connection.connecting

  init() { connect() }

  /// Asynchronously: `onChange` is called with the answer. The daemon is not started.
  private func connect() {
    connection = .connecting
    let reached = Completion { [self] result in
      var error: UnsafeMutablePointer<GError>?
      let proxy = g_dbus_proxy_new_for_bus_finish(result, &error).map { OpaquePointer($0) }
      begin(with: proxy, Self.words(of: &error) ?? "")
    }
    g_dbus_proxy_new_for_bus(
      G_BUS_TYPE_SESSION, GDBusProxyFlags(rawValue: cadw_proxy_do_not_auto_start), nil, Self.name, Self.path,
      Self.name, nil, Completion.call, reached.data)
    after(milliseconds: Self.timeLimit) { [weak self] in
      guard let self, connection == .connecting else { return }
      connection = .timedOut
      onChange()
    }
  }

  /// GDBus gives up waiting for the properties after 25 s; they are then asked for again at the next change.
  private func begin(with proxy: OpaquePointer?, _ refusal: String) {
    if let old = self.proxy { g_object_unref(UnsafeMutableRawPointer(old)) }
    self.proxy = proxy
    let hasAnswered = read(.interfaceOrientation, "s") { _ in true } ?? !isRunning
    connection = proxy == nil ? .noBus(refusal) : hasAnswered ? .connected : .timedOut
    for signal in ["g-properties-changed", "notify::g-name-owner"] {
      proxy.map { Widget($0) }?.on(signal) { [weak self] in
        if self?.connection == .timedOut { self?.connect() }
        self?.onChange()
      }
    }
    onChange()
  }

  var isRunning: Bool {
    guard let proxy, let owner = g_dbus_proxy_get_name_owner(proxy.proxy) else { return false }
    g_free(owner)
    return true
  }

  // MARK: Properties

  /// Empty if an older daemon has no such property.
  func text(_ property: StatusProperty) -> String {
    read(property, "s") { String(cString: g_variant_get_string($0, nil)) } ?? ""
  }

  func flag(_ property: StatusProperty) -> Bool {
    read(property, "b") { g_variant_get_boolean($0) != 0 } ?? false
  }

  func texts(_ property: StatusProperty) -> [String] {
    read(property, "as") { Self.texts($0, atMost: Self.maximumTexts) } ?? []
  }

  var postureEvidence: [PostureEvidence] {
    read(.postureEvidence, "a(ssssstb)") { list in
      let count = min(g_variant_n_children(list), gsize(Self.maximumTexts))
      return (0..<count).compactMap { Self.child(list, $0, Self.evidence) }
    } ?? []
  }

  private static func evidence(_ tuple: OpaquePointer) -> PostureEvidence {
    func text(_ index: gsize) -> String { child(tuple, index, Self.text) ?? "" }
    return PostureEvidence(
      kind: text(0), device: text(1), posture: text(4),
      counts: child(tuple, 6) { g_variant_get_boolean($0) != 0 } ?? false)
  }

  private func read<T>(_ property: StatusProperty, _ type: String, _ value: (OpaquePointer) -> T) -> T? {
    guard isRunning, let proxy, let variant = g_dbus_proxy_get_cached_property(proxy.proxy, property.name)
    else { return nil }
    defer { g_variant_unref(variant) }
    guard String(cString: g_variant_get_type_string(variant)) == type else { return nil }
    return value(variant)
  }

  // MARK: Calls

  func send(_ command: DaemonCommand) {
    let (method, arguments) = command.call
    send(to: Self.name, Self.path, method, arguments)
  }

  /// Starts it by D-Bus activation.
  func start() {
    let (bus, path) = ("org.freedesktop.DBus", "/org/freedesktop/DBus")
    send(to: bus, path, "StartServiceByName", [.text(Self.name), .number(0)]) { [weak self] _, refusal in
      guard let refusal else { return }
      let words: Phrase =
        "autorotate could not be started (\(refusal)). Check that the package autorotate is installed."
      self?.onRefusal(refusal == Self.noAnswer ? refusal : localized(words))
    }
  }

  /// The applications that have a window or had focus; `nil` from a daemon that does not answer or is older.
  func fetchApplications(_ answer: @escaping ([String]?) -> Void) {
    guard isRunning else { return answer([]) }
    send(to: Self.name, Self.path, "GetChoices", [.text("applications")]) { values, _ in
      guard let values, String(cString: g_variant_get_type_string(values)) == "(as)" else {
        return answer(nil)
      }
      answer(Self.child(values, 0) { Self.texts($0, atMost: Self.maximumApplications) })
    }
  }

  /// - Parameters:
  ///   - service: also the name of the interface.
  ///   - answered: receives the answer or the text of a refusal; without it, a refusal is shown to the user.
  private func send(
    to service: String, _ path: String, _ member: String, _ arguments: [DaemonCommand.Argument],
    answered: ((OpaquePointer?, String?) -> Void)? = nil
  ) {
    guard proxy != nil else {
      return onRefusal(localized("The session bus is not connected yet. Try again."))
    }
    let call = BusCall { [weak self] answer, refusal in
      if let answered { answered(answer, refusal) } else if let refusal { self?.onRefusal(refusal) }
    }
    call.start(service, path, member, arguments)
  }

  /// The elements of a list of strings.
  private static func texts(_ list: OpaquePointer, atMost most: Int) -> [String] {
    (0..<min(g_variant_n_children(list), gsize(most))).compactMap { child(list, $0, text) }
  }

  private static func text(_ value: OpaquePointer) -> String {
    String(cString: g_variant_get_string(value, nil)).printable(limit: maximumCharacters)
  }

  /// - Parameter read: receives the child, which it must not keep.
  /// - Returns: `nil` if there is no such child.
  private static func child<T>(_ values: OpaquePointer, _ index: gsize, _ read: (OpaquePointer) -> T) -> T? {
    guard index < g_variant_n_children(values), let child = g_variant_get_child_value(values, index)
    else { return nil }
    defer { g_variant_unref(child) }
    return read(child)
  }

  static var noAnswer: String {
    localized("autorotate does not answer. Run `autorotate doctor` in a terminal.")
  }

  /// Without the D-Bus error name at its beginning.
  static func words(of error: inout UnsafeMutablePointer<GError>?) -> String? {
    guard let error else { return nil }
    defer { g_error_free(error) }
    guard g_error_matches(error, g_io_error_quark(), cadw_cancelled) == 0 else { return noAnswer }
    g_dbus_error_strip_remote_error(error)
    return String(String(cString: error.pointee.message).prefix(maximumCharacters))
  }
}

extension OpaquePointer {
  fileprivate var proxy: UnsafeMutablePointer<GDBusProxy> { UnsafeMutablePointer(self) }
}

// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Disables keyboards and pointing devices, by the property `enabled` of each of KWin's input devices on the bus, and
/// maps touchscreens and pens to outputs by `outputName`. KWin stores both in its own settings, so the previous value
/// of the first is kept over the session, too.
final class KWinInput {
  nonisolated static let manager = BusTarget(
    service: "org.kde.KWin", path: "/org/kde/KWin/InputDevice", interface: "org.kde.KWin.InputDeviceManager")
  nonisolated static let deviceInterface = "org.kde.KWin.InputDevice"
  /// KWin answers at once, unless it hangs.
  nonisolated private static let timeout = Duration.seconds(4)

  private let bus: Bus
  private let loop: EventLoop
  private let note: (Message) -> Void
  private var subscriptions: [Subscription] = []
  private var disabling: InputDisabling?
  /// The event nodes ("event4") of the devices by identifier, from the last reading: several devices may have the
  /// same name.
  private var eventNodes: [String: [String]] = [:]
  private var readings = 0
  /// Reads the devices again after a call that failed: KWin may be too busy, or the device be about to appear.
  private var retry: EventTimer?
  private var backoff: Backoff
  private var isRunning = false
  private var complained: Set<String> = []
  /// The outputs of touchscreens and pens, as the settings assign them.
  var touchMap: [TouchAssignment] = [] { didSet { if touchMap != oldValue { readDevices() } } }
  /// The names of all outputs.
  var outputs: [String] = [] { didSet { if outputs != oldValue { readDevices() } } }
  /// Set at the end, when the loop will not run again.
  private var last: Bus?

  init(
    _ bus: Bus, loop: EventLoop, kept: StateFile, kernelDirectory: String, backoff: Backoff = Backoff(),
    note: @escaping (Message) -> Void
  ) {
    self.bus = bus
    self.loop = loop
    self.backoff = backoff
    self.note = note
    disabling = InputDisabling(
      kept: kept, kernelDirectory: kernelDirectory, note: note,
      InputDisabling.Commands(
        disabled: "false", others: ["true"], setsOnlyConnected: true,
        set: { [weak self] in self?.set($0 == "true", $1, ended: $2) }, desktop: "KWin",
        next: { _ in Phrase("try it in System Settings, under Mouse & Touchpad") }))
  }

  func start() throws {
    retry = try loop.timer { [weak self] in self?.readDevices() }
    subscriptions = [
      try bus.match(SignalRule(Self.manager, "deviceAdded")) { [weak self] _ in self?.readAtOnce() },
      try bus.match(SignalRule(Self.manager, "deviceRemoved")) { [weak self] _ in self?.readAtOnce() },
      try bus.watchName(Self.manager.service) { [weak self] in
        self?.isRunning = $0 != nil
        self?.readAtOnce()
      },
    ]
  }

  func disable(_ devices: DisabledInput?) {
    disabling?.wanted = devices
    readAtOnce()
  }

  /// Restores all devices.
  /// - Parameter last: a connection that is still open.
  func stop(on last: Bus?) {
    self.last = last
    disabling?.stop()
  }

  // MARK: Devices

  private func readAtOnce() {
    backoff.reset()
    readDevices()
  }

  private func readDevices(isRepeated: Bool = false) {
    readings += 1
    retry?.arm(at: nil)
    guard isRunning, let disabling, disabling.isNeeded || !touchMap.isEmpty else { return }
    let reading = readings
    ask(Self.manager, "Get", [.string(Self.manager.interface), .string("devicesSysNames")]) {
      [weak self] answer in
      guard let self, readings == reading, let names: [String] = try? answer.get().read(0) else { return }
      read(names, reading, isRepeated: isRepeated)
    }
  }

  private func scheduleRetry(after error: BusError) {
    // A call that is always refused would be repeated without end.
    guard retry?.isArmed == false, error.isReplyTimeout || !backoff.isAtLongest else { return }
    retry?.arm(at: backoff.next(after: EventLoop.now))
  }

  private func read(_ names: [String], _ reading: Int, isRepeated: Bool) {
    let eventNodes = Set(names.filter(Self.isEventNode))
    var found: [String: [String: Value]] = [:]
    if eventNodes.isEmpty { apply([:]) }
    for name in eventNodes {
      ask(Self.device(name), "GetAll", [.string(Self.deviceInterface)]) { [weak self] answer in
        guard let self, readings == reading else { return }
        found[name] = (try? answer.get().read(0)) ?? [:]
        guard found.count == eventNodes.count else { return }
        // A device that does not answer may have been removed just now, or be there still: a second reading shows it.
        let isComplete = !found.values.contains(where: \.isEmpty)
        if isComplete || isRepeated { apply(found) } else { readDevices(isRepeated: true) }
      }
    }
  }

  private func apply(_ devices: [String: [String: Value]]) {
    let found = devices.sorted { $0.key < $1.key }.compactMap { name, properties in
      SwitchableInput(kwin: properties, kernel: disabling?.kernelDevice(node: name)).map {
        (name, $0)
      }
    }
    let groups = Dictionary(grouping: found, by: \.1.identifier)
    eventNodes = groups.mapValues { $0.map(\.0) }
    disabling?.reconcile(groups.sorted { $0.key < $1.key }.compactMap { Self.common($0.value.map(\.1)) })
    for (node, properties) in devices {
      if let device = KWinTouchDevice(node, properties) { map(device) }
    }
  }

  /// Devices of one name as one, without a state if theirs differ.
  private static func common(_ inputs: [SwitchableInput]) -> SwitchableInput? {
    var common = inputs.first
    if Set(inputs.map(\.state)).count > 1 { common?.state = nil }
    return common
  }

  private func map(_ device: KWinTouchDevice) {
    guard let output = touchMap.first(of: [device.name])?.output, outputs.contains(output),
      output != device.output
    else { return }
    let arguments = [Value.string(Self.deviceInterface), .string("outputName"), .variant(.string(output))]
    ask(Self.device(device.node), "Set", arguments) { [weak self] in
      guard case .failure(let error) = $0, let self, complained.insert(device.node).inserted else { return }
      note(
        Message(
          .touchMisplaced, "KWin does not map “\(device.name)” to \(output) (\(error))",
          next: "try it in System Settings, under Touchscreen"))
    }
  }

  // MARK: Switching

  private func set(_ isEnabled: Bool, _ identifier: String, ended: @escaping (Message?) -> Void) {
    let places = eventNodes[identifier] ?? []
    // Never shown, since only a connected device is ever disabled.
    if places.isEmpty { ended(Message(.inputNotDisabled, "\(identifier)")) }
    var pending = places.count
    var failure: Message?
    for place in places {
      set(isEnabled, of: Self.device(place)) { error in
        // KWin may set one of several, or set it late.
        let isUnsure = places.count > 1 || error?.isReplyTimeout == true
        failure = error.map { Message(isUnsure ? .displaySilent : .inputNotDisabled, "\($0)") } ?? failure
        pending -= 1
        if pending == 0 { ended(failure) }
      }
    }
  }

  private func set(_ isEnabled: Bool, of device: BusTarget, ended: @escaping (BusError?) -> Void) {
    let arguments = [Value.string(Self.deviceInterface), .string("enabled"), .variant(.bool(isEnabled))]
    if let last {
      do throws(BusError) {
        _ = try last.callAndWait(device.properties, "Set", arguments, timeout: .milliseconds(200))
        ended(nil)
      } catch {
        ended(error)
      }
      return
    }
    ask(device, "Set", arguments) { ended($0.failure) }
  }

  private func ask(
    _ target: BusTarget, _ member: String, _ arguments: [Value],
    _ completion: @escaping (Result<[Value], BusError>) -> Void
  ) {
    bus.ask(target.properties, member, arguments, timeout: Self.timeout) { [weak self] answer in
      if case .failure(let error) = answer { self?.scheduleRetry(after: error) }
      completion(answer)
    }
  }

  /// Whether a name is safe as part of an object path: "event4".
  nonisolated static func isEventNode(_ name: String) -> Bool {
    name.hasPrefix("event") && name.dropFirst(5).allSatisfy { ("0"..."9").contains($0) } && name.count > 5
  }

  nonisolated fileprivate static func device(_ name: String) -> BusTarget {
    BusTarget(service: manager.service, path: "\(manager.path)/\(name)", interface: deviceInterface)
  }
}

extension SwitchableInput {
  /// - Returns: `nil` for devices other than keyboards and pointing devices, for touchscreens and tablets, and for
  ///   those that cannot be disabled.
  init?(kwin properties: [String: Value], kernel: KernelInput?) {
    let isTrue = { (name: String) -> Bool in (try? properties[name]?.read()) ?? false }
    guard let name: String = try? properties["name"]?.read(), isTrue("supportsDisableEvents"),
      isTrue("keyboard") || isTrue("alphaNumericKeyboard") || isTrue("pointer") || isTrue("touchpad"),
      !isTrue("touch"), !isTrue("tabletTool"), !isTrue("tabletPad")
    else { return nil }
    let number = { (key: String) -> UInt32 in (try? properties[key]?.read()) ?? 0 }
    let identifier = "\(number("vendor")):\(number("product")):\(name.printable())"
    guard StateFile.isName(identifier) else { return nil }
    self.init(
      identifier: identifier, names: [name.printable()], state: isTrue("enabled") ? "true" : "false",
      kernelDevices: kernel.map { [$0] } ?? [])
  }
}

/// A touchscreen or pen of KWin.
struct KWinTouchDevice: Equatable {
  private static let timeout = Duration.milliseconds(500)

  /// "event4"
  var node: String
  var name: String
  /// The output that it is mapped to; `nil` if KWin chooses one.
  var output: String?

  /// - Returns: `nil` for other devices.
  init?(_ node: String, _ properties: [String: Value]) {
    let isTrue = { (name: String) -> Bool in (try? properties[name]?.read()) ?? false }
    guard isTrue("touch") || isTrue("tabletTool"), let name: String = try? properties["name"]?.read() else {
      return nil
    }
    self.node = node
    self.name = name.printable()
    let output: String = (try? properties["outputName"]?.read()) ?? ""
    self.output = output.isEmpty ? nil : output.printable()
  }

  func command(mappingTo output: String) -> String {
    let target = KWinInput.device(node)
    return "busctl --user set-property \(target.service) \(target.path) \(target.interface) outputName s "
      + output.asArgument
  }

  /// All of them. Waits for KWin, some 1 s at most if that hangs.
  @MainActor
  static func all(on bus: Bus) -> [Self] {
    let ask = { (target: BusTarget, member: String, arguments: [Value]) in
      try bus.callAndWait(target.properties, member, arguments, timeout: timeout)
    }
    let question = [Value.string(KWinInput.manager.interface), .string("devicesSysNames")]
    let names: [String]? = try? ask(KWinInput.manager, "Get", question).read(0)
    var devices: [Self] = []
    for node in (names ?? []).filter(KWinInput.isEventNode).sorted() {
      do {
        let properties = try ask(KWinInput.device(node), "GetAll", [.string(KWinInput.deviceInterface)])
        if let device = Self(node, try properties.read(0)) { devices.append(device) }
      } catch let error as BusError where error.isReplyTimeout {
        return devices
      } catch {}
    }
    return devices
  }
}

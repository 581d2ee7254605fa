// SPDX-License-Identifier: MIT

import Configuration
import Foundation
import PrivateBus
import Temporary
import Testing

@testable import Autorotation
@testable import System
@testable import autorotate

/// The tray icon with a simulated daemon and tray.
@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct TrayTests {
  private final class Recorded {
    var sentences: [String] = []
    var registered: [String] = []
    var signals: [String] = []
    var refusals: [String] = []
    var hasQuit = false
  }

  private let control: ControlHome
  private let files: TemporaryDirectory
  private let recorded = Recorded()
  private let item = BusTarget(service: Tray.name, path: TrayItem.path, interface: TrayItem.name)
  private let menu = BusTarget(service: Tray.name, path: MenuService.path, interface: MenuService.name)

  init() throws {
    control = try ControlHome()
    files = try TemporaryDirectory()
  }

  private var directories: ConfigurationDirectories {
    ConfigurationDirectories(user: files["user"], administrator: [], shipped: [])
  }

  private func tray(window: InstalledWindow = .init({ _ in nil }, besides: nil)) throws -> Tray {
    let tray = try Tray(
      bus: control.home.connect(), dataDirectories: [], directories: directories,
      window: window,
      log: { [recorded] in recorded.sentences.append($0) },
      refuse: { [recorded] in recorded.refusals.append($0.description) },
      quit: { [recorded] in recorded.hasQuit = true })
    try awaitName(on: control.home)
    return tray
  }

  private func awaitName(on home: PrivateBus) throws {
    var owner: String?
    let bus = try home.connect()
    let watch = try bus.watchName(Tray.name) { owner = $0 }
    #expect(try home.run { owner != nil })
    withExtendedLifetime((bus, watch)) {}
  }

  @Test func `only one icon is shown`() throws {
    let first = try tray()
    let second = try tray()
    #expect(try control.home.run { !recorded.refusals.isEmpty })
    #expect(recorded.refusals == ["The icon is already in the tray. Its menu removes it."])
    withExtendedLifetime((first, second)) {}
  }

  private func watcher() throws -> (Bus, ExportedInterface) {
    let bus = try control.home.connect()
    let method = BusMethod("RegisterStatusNotifierItem", takes: [BusArgument("service", "s")]) {
      [recorded] call in
      recorded.registered.append(try call.arguments.read(0))
      return []
    }
    let exported = try bus.export(
      BusInterface(name: Tray.watcher.interface, methods: [method]), at: Tray.watcher.path)
    _ = try bus.requestName(Tray.watcher.service)
    return (bus, exported)
  }

  private func property(_ name: String) throws -> Value {
    let answer = try control.answer("Get", [.string(TrayItem.name), .string(name)], of: item.properties)
    return try #require(try answer.get().first).unwrapped
  }

  private func labels() throws -> [String] {
    let answer = try control.answer(
      "GetGroupProperties", [.array(of: "i", []), .strings(["label"])], of: menu
    ).get()
    guard case .array(_, let lines) = answer.first else { return [] }
    return lines.compactMap { line in
      guard case .structure(let parts) = line else { return nil }
      return try? parts.read(1, as: [String: Value].self)["label"]?.read()
    }
  }

  @Test(arguments: [Int32.min, -1, Int32.max]) func `a layout of any depth is answered`(depth: Int32)
    throws
  {
    let tray = try tray()
    func layout(_ depth: Int32) throws -> [Value] {
      try control.answer("GetLayout", [.int32(0), .int32(depth), .array(of: "s", [])], of: menu).get()
    }
    #expect(try layout(depth).count == 2)
    withExtendedLifetime(tray) {}
  }

  private func click(_ id: Int32, _ kind: String = "clicked") throws -> BusError? {
    let arguments: [Value] = [.int32(id), .string(kind), .variant(.string("")), .uint32(0)]
    if case .failure(let error) = try control.answer("Event", arguments, of: menu) { return error }
    return nil
  }

  private func awaitLabel(_ label: String) throws {
    try #require(try control.home.run { try labels().contains(label) }, "\(label)")
  }

  @Test func `the icon is registered with every new tray`() throws {
    let tray = try tray()
    #expect(try control.home.run { recorded.sentences.count == 1 })
    #expect(recorded.sentences.first?.contains("There is no tray;") == true)
    var (bus, exported) = try watcher()
    #expect(try control.home.run { recorded.registered == [Tray.name] })
    bus.close()
    (bus, exported) = try watcher()
    #expect(try control.home.run { recorded.registered == [Tray.name, Tray.name] })
    withExtendedLifetime((tray, exported)) {}
    #expect(recorded.sentences.count == 1)
  }

  @Test func `the icon shows the daemons status`() throws {
    let tray = try tray()
    var status = Status.example
    status.lock = Lock(orientation: .left)
    control.service.publish(status)
    try awaitLabel("Rotation Lock")
    guard case .structure(let tooltip) = try property("ToolTip") else {
      throw Message(.commandFailed, "no tooltip")
    }
    #expect(try tooltip.read(2) == "autorotate")
    #expect(try tooltip.read(3, as: String.self).hasPrefix("left · device left-up · locked (left edge up)\n"))
    #expect(try property("ItemIsMenu") == .bool(false))
    #expect(try property("Menu") == .objectPath("/MenuBar"))
    withExtendedLifetime(tray) {}
  }

  @Test func `without installed icons theme icons are used`() throws {
    // The icon may show the daemon before it is read.
    #expect(RotationState.off.fallbackIconName == "process-stop")
    let tray = try tray()
    control.service.publish(.example)
    try awaitLabel("Rotation Lock")
    #expect(try property("IconName") == .string("object-rotate-right"))
    #expect(try property("IconPixmap") == .array(of: "(iiay)", []))
    withExtendedLifetime(tray) {}
  }

  @Test(arguments: RotationState.allCases)
  func `every icon is shipped`(_ state: RotationState) {
    let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = project.appending(path: "packaging/icons/\(state.iconName).svg")
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `an installed icon is found by name`() throws {
    let folder = "/tmp/autorotate-icons-\(getpid())"
    let icons = URL(filePath: "\(folder)/icons/hicolor/scalable/status")
    try FileManager.default.createDirectory(at: icons, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data().write(to: icons.appending(path: "org.autorotate.Autorotate-off.svg"))
    let directories = BaseDirectories { $0 == "XDG_DATA_DIRS" ? "relative:\(folder)" : nil }.data
    #expect(RotationState.off.shownIconName(directories) == "org.autorotate.Autorotate-off")
    #expect(RotationState.auto.shownIconName(directories) == "object-rotate-right")
  }

  @Test func `a click toggles the lock`() throws {
    let tray = try tray()
    control.service.publish(.example)
    try awaitLabel("Rotation Lock")
    _ = try control.answer("Activate", [.int32(1), .int32(2)], of: item).get()
    #expect(try control.home.run { control.received == [.command(.toggleLock)] })
    withExtendedLifetime(tray) {}
  }

  @Test func `menu entries send commands`() throws {
    let tray = try tray()
    control.service.publish(.example)
    try awaitLabel("Rotation Lock")
    let clicked: [Int32] = [1, 2, 22]
    for id in clicked { #expect(try click(id) == nil) }
    #expect(try control.home.run { control.received.count == 3 })
    #expect(
      control.received == [
        .command(.toggleLock), .command(.hold(true)), .command(.rotate(.to(.inverted), output: nil)),
      ])
    #expect(try click(1, "hovered") == nil)
    #expect(try click(100) == nil)
    #expect(try click(999)?.name == BusError.invalidArguments)
    #expect(try click(6) == nil)
    #expect(recorded.hasQuit)
    #expect(control.received.count == 3)
    withExtendedLifetime(tray) {}
  }

  @Test func `several clicks in one call are handled`() throws {
    let tray = try tray()
    control.service.publish(.example)
    try awaitLabel("Rotation Lock")
    let events: [Value] = [1, 999].map {
      .structure([.int32($0), .string("clicked"), .variant(.int32(0)), .uint32(0)])
    }
    let answer = try control.answer("EventGroup", [.array(of: "(isvu)", events)], of: menu).get()
    #expect(answer == [.array(of: "i", [.int32(999)])])
    #expect(try control.home.run { control.received == [.command(.toggleLock)] })
    withExtendedLifetime(tray) {}
  }

  @Test func `without a daemon a click starts one`() throws {
    let alone = try PrivateBus()
    let recorded = recorded
    let tray = try Tray(
      bus: alone.connect(), dataDirectories: [], log: { recorded.sentences.append($0) },
      refuse: { _ in }, quit: {})
    try awaitName(on: alone)
    let caller = try alone.connect()
    var answer: Result<[Value], BusError>?
    try caller.call(item, "Activate", [.int32(0), .int32(0)]) { answer = $0 }
    #expect(try alone.run { answer != nil && recorded.sentences.contains(Message.notRunning.description) })
    withExtendedLifetime(tray) {}
  }

  @Test func `only changes are signalled`() throws {
    let tray = try tray()
    control.service.publish(.example)
    try awaitLabel("Rotation Lock")
    let rule = SignalRule(sender: Tray.name)
    let subscription = try control.bus.match(rule) { [recorded] in recorded.signals.append($0.member ?? "") }
    var status = Status.example
    status.lock = Lock(orientation: .left)
    control.service.publish(status)
    #expect(try control.home.run { recorded.signals.count == 3 })
    #expect(recorded.signals.sorted() == ["ItemsPropertiesUpdated", "NewIcon", "NewToolTip"])
    recorded.signals = []
    status.reasons = [.locked(.left, nil)]
    control.service.publish(status)
    #expect(try control.home.run { recorded.signals.contains("LayoutUpdated") })
    withExtendedLifetime((tray, subscription)) {}
  }

  @Test func `a choice in the menu writes a rule`() throws {
    let tray = try tray()
    control.service.publish(.example)
    try awaitLabel("App Rule: mpv")
    #expect(try click(41) == nil)
    let file = "user/apps/mpv.toml"
    #expect(try control.home.run { (try? files.text(file)) != nil })
    #expect(try files.text(file) == "match = \"mpv\"\nsupported = [\"landscape\"]\n")
    #expect(try click(40) == nil)
    #expect(try control.home.run { (try? files.text(file)) == nil })
    #expect(recorded.sentences.count == 1, "\(recorded.sentences)")
    withExtendedLifetime(tray) {}
  }

  @Test func `a suggestion can be accepted in the menu`() throws {
    let tray = try tray()
    var status = Status.example
    status.suggestion = .inverted
    control.service.publish(status)
    try awaitLabel("Rotate: Upside Down")
    #expect(try click(7) == nil)
    #expect(try control.home.run { control.received == [.command(.acceptSuggestion)] })
    withExtendedLifetime(tray) {}
  }

  @Test func `a lock from the menu has an end`() throws {
    let tray = try tray()
    control.service.publish(.example)
    try awaitLabel("While mpv Is Focused")
    for id: Int32 in [30, 31, 32] { #expect(try click(id) == nil) }
    #expect(try control.home.run { control.received.count == 3 })
    let ends: [LockEnd<Duration>] = [.time(.seconds(1800)), .unfolded, .focus(application: "mpv")]
    #expect(control.received == ends.map { .command(.lock(nil, until: $0)) })
    withExtendedLifetime(tray) {}
  }

  @Test func `the window is opened if it is installed`() throws {
    let path = files["bin"]
    let tray = try tray(window: InstalledWindow({ $0 == "PATH" ? "/nowhere:\(path)" : nil }, besides: nil))
    control.service.publish(.example)
    try awaitLabel("Rotation Lock")
    #expect(try !labels().contains("Settings…"))
    try files.write("#!/bin/sh\necho opened $* >\(files["opened"])\n", to: "bin/autorotate-settings")
    #expect(chmod(files["bin/autorotate-settings"], 0o755) == 0)
    control.service.publish(.wrong)
    try awaitLabel("Settings…")
    for (id, opened) in [(Int32(50), "opened\n"), (51, "opened diagnostics\n")] {
      #expect(try click(id) == nil)
      #expect(try control.home.run { (try? files.text("opened")) == opened })
      unlink(files["opened"])
    }
    #expect(recorded.sentences.count == 1, "\(recorded.sentences)")
    withExtendedLifetime(tray) {}
  }

  @Test func `without a window the reasons have the problems`() {
    let report = StatusReport(.wrong)
    let (without, with) = (TrayMenu.entries(report), TrayMenu.entries(report, hasWindow: true))
    #expect(with.contains { $0.request == .showProblems })
    #expect(!without.contains { $0.request == .showProblems })
    let reasons = without.first { $0.label == "Why" }?.children.map(\.label) ?? []
    #expect(!report.faults.isEmpty && report.faults.allSatisfy(reasons.contains))
  }

  @Test(arguments: [
    Reason.noSensor(Message(.sensorRemoved, "gone")), .noSensor(Message(.traceEnded, "ended")),
    .sensorIsImplausible, .noOutput(named: OutputChoice()), .noOutput(named: OutputChoice(["DP-1"])),
    .outputCannotRotate(output: "DP-1", .left), .outputIsFixed("DP-1"),
    .lastRotationFailed(Message(.rotationRefused, "no")), .settingsAreFaulty("line 1"),
    .desktopNotRotating(Message(.desktopNotRotating, "idle")),
    .outputNotRestored(Message(.outputNotRestored, "off")),
    .upright(.normal), .displayIsOff, .noOutputReported, .locked(.left, nil),
    .panelIsOff("DP-1"), .desktopRotates(Message(.desktopRotates, "KWin")), .rotating(.left),
  ])
  func `a code is a fault exactly if its reason is`(_ reason: Reason) {
    #expect(reason.message(on: nil).code.isFault == (reason.fault != nil))
  }

  // MARK: The menu without a bus

  private func entries(_ status: Status, choice: RuleChoice? = .rotates) -> [MenuEntry] {
    TrayMenu.entries(StatusReport(status), choice: choice)
  }

  @Test func `without an app there is no rule entry`() {
    var status = Status.example
    status.application = nil
    let labels = entries(status).map(\.label)
    #expect(!labels.contains { $0.hasPrefix("App Rule") })
    #expect(!labels.contains { $0.hasPrefix("Rotate:") })
  }

  @Test func `the rule of the app is selected`() throws {
    for (choice, shown) in [(RuleChoice.landscape, [1]), (nil, [])] {
      let menu = try #require(entries(.example, choice: choice).first { $0.id == 9 })
      #expect(
        menu.children.map(\.label) == [
          "Rotates with the Device", "Landscape", "Portrait", "Keeps Current Orientation",
        ])
      #expect(menu.children.indices.filter { menu.children[$0].style == .radio(isOn: true) } == shown)
    }
  }

  @Test func `only allowed orientations are enabled`() {
    var status = Status.example
    status.allowed = [OrientationName.landscape].mask(on: .landscape)
    status.naturalAspect = .landscape
    let radios = entries(status).filter { if case .radio = $0.style { true } else { false } }
    #expect(radios.map(\.label) == ["Landscape", "Left Edge Up", "Upside Down", "Right Edge Up"])
    #expect(radios.map(\.isEnabled) == [true, false, true, false])
    #expect(radios.map(\.style).firstIndex(of: .radio(isOn: true)) == 1)
  }

  @Test func `entries have unique numbers`() {
    var offering = Status.example
    offering.suggestion = .left
    for entries in [TrayMenu.entries(nil), entries(.example), entries(offering)] {
      let ids = MenuEntry(id: 0, children: entries).all.map(\.id)
      #expect(Set(ids).count == ids.count)
    }
  }

  @Test func `underscores are escaped in labels`() throws {
    let entry = MenuEntry(id: 1, label: "my_app__2")
    #expect(entry.properties["label"] == .string("my__app____2"))
  }

  @Test func `layouts have the requested depth`() throws {
    let leaf = MenuEntry(id: 3, label: "leaf")
    let root = MenuEntry(id: 0, children: [MenuEntry(id: 2, label: "sub", children: [leaf])])
    func below(_ layout: Value) throws -> [Value] {
      guard case .structure(let parts) = layout, case .array("v", let found) = parts[2] else { return [] }
      return found.map(\.unwrapped)
    }
    #expect(try below(root.layout(depth: 0, [])).isEmpty)
    let one = try below(root.layout(depth: 1, []))
    #expect(one.count == 1)
    #expect(try below(one[0]).isEmpty)
    #expect(try below(below(root.layout(depth: -1, []))[0]).count == 1)
    #expect(root.layout(depth: .min, []) == root.layout(depth: -1, []))
  }
}

extension Status {
  /// A status with a fault that needs the user.
  fileprivate static var wrong: Self {
    var status = example
    status.reasons = [.upright(.leftUp), .outputCannotRotate(output: "eDP-1", .left)]
    return status
  }
}

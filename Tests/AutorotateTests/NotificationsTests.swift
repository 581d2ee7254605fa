// SPDX-License-Identifier: MIT

import PrivateBus
import System
import Testing

@testable import Autorotation
@testable import autorotate

@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct NotificationsTests {
  private final class Recorded {
    var sentences: [String] = []
    var events: [Event] = []
  }

  let home: PrivateBus
  private let recorded = Recorded()
  private let service: NotificationService
  private let notifications: Notifications

  init() throws {
    home = try PrivateBus()
    let recorded = recorded
    service = NotificationService(timeout: .forever) { recorded.sentences.append($0) }
    notifications = try Notifications(loop: home.loop, service: service) { recorded.events.append($0) }
    notifications.service.use(try home.connect())
    var locked = Status.example
    locked.lock = Lock(orientation: .left)
    notifications.publish(locked)
  }

  @Test func `a suggestion is shown with a button`() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.board.suggestion = .normal
    #expect(try home.run { server.shown != nil })
    let shown = try #require(server.shown)
    #expect(shown.summary == "Rotate the screen (upright)?")
    #expect(shown.body == "The screen is locked (left edge up).")
    #expect(shown.actions == ["rotate", "Rotate"])
    #expect(shown.expiry == 10_000)
    #expect(shown.hints["transient"] == .bool(true))
  }

  @Test(arguments: ["rotate", "default"])
  func `the button rotates the screen`(_ key: String) throws {
    let server = try FakeNotificationServer(on: home)
    notifications.board.suggestion = .normal
    #expect(try home.run { server.shown != nil })
    let id = try #require(server.shown).id
    try server.close(id + 1, reason: 2)
    try server.choose(key, of: id + 1)
    try server.choose("another", of: id)
    try server.choose(key, of: id)
    #expect(try home.run { !recorded.events.isEmpty })
    #expect(recorded.events == [.command(.rotate(.to(.normal), output: nil))])
    #expect(try home.run { server.shown == nil })
  }

  @Test(arguments: [true, false])
  func `take over is a button if possible`(_ canTakeOver: Bool) throws {
    let card = NotificationCard(.fault(.desktopNotRotating, "It stays."), nil, canTakeOver: canTakeOver)
    #expect(card.button?.key == (canTakeOver ? "take-over" : nil))
    let other = NotificationCard(.fault(.noSensor, "It went."), nil, canTakeOver: canTakeOver)
    #expect(other.button == nil)
  }

  @Test func `the button enables take over`() throws {
    let server = try FakeNotificationServer(on: home)
    var isTaken = false
    notifications.canTakeOver = { true }
    notifications.takeOver = { isTaken = true }
    var idle = Status.example
    idle.reasons = [.desktopNotRotating("It stays.")]
    notifications.note("It stays.", of: .desktopNotRotating)
    notifications.publish(idle)
    #expect(try home.run { server.shown != nil })
    let shown = try #require(server.shown)
    #expect(shown.actions == ["take-over", "Use autorotate Instead"])
    try server.choose("take-over", of: shown.id)
    #expect(try home.run { isTaken && server.shown == nil })
    #expect(recorded.events.isEmpty)
  }

  @Test func `a new suggestion replaces the notification`() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.board.suggestion = .normal
    #expect(try home.run { server.shown != nil })
    let id = try #require(server.shown).id
    notifications.board.suggestion = .right
    #expect(try home.run { server.shown?.summary == "Rotate the screen (right edge up)?" })
    #expect(server.shown?.id == id)
    #expect(server.replaced == [0, id])
  }

  @Test func `rotating back closes the notification`() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.board.suggestion = .normal
    #expect(try home.run { server.shown != nil })
    notifications.board.suggestion = nil
    #expect(try home.run { server.shown == nil })
  }

  /// The answer to the first call arrives when the suggestion is withdrawn.
  @Test func `rotating back at once shows nothing`() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.board.suggestion = .normal
    #expect(try home.run { server.calls > 0 })
    notifications.board.suggestion = nil
    try home.runPending()
    #expect(try home.run { server.shown == nil })
    notifications.board.suggestion = .right
    #expect(try home.run { server.shown?.summary == "Rotate the screen (right edge up)?" })
  }

  @Test func `a notification that the user closes stays closed`() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.board.suggestion = .normal
    #expect(try home.run { server.shown != nil })
    try server.close(try #require(server.shown).id, reason: 2)
    #expect(try home.run { recorded.events == [.declineSuggestion] })
    notifications.publish(.example)
    try home.deliver()
    #expect(server.replaced == [0])
  }

  /// xfce4-notifyd showed two buttons; dunst and mako show none.
  @Test func `without buttons the notification itself is clickable`() throws {
    let card = NotificationCard(.suggestion(.left), nil)
    let dunst = card.arguments(replacing: 0, for: ["actions", "x-dunst-stack-tag"])
    #expect(try dunst.read(5) == ["default", "Rotate", "rotate", "Rotate"])
  }

  @Test func `without buttons the body names the command`() throws {
    let server = try FakeNotificationServer(on: home, capabilities: ["body"])
    notifications.board.suggestion = .normal
    #expect(try home.run { server.shown != nil })
    #expect(server.shown?.actions == [])
    #expect(server.shown?.body == "The screen is locked (left edge up). To rotate: autorotate rotate normal")
  }

  @Test(arguments: [(["body-markup"], "A &lt;b&gt; &amp;"), (["body"], "A <b> &")])
  func `the body is markup if the service supports it`(_ capabilities: [String], _ body: String) throws {
    let card = NotificationCard(.fault(.noSensor, "A <b> &"), nil)
    let arguments = card.arguments(replacing: 0, for: Set(capabilities))
    #expect(try arguments.read(4) == body)
    #expect(try arguments.read(7, as: Int32.self) == -1)
  }

  @Test func `a missing service is reported once`() throws {
    notifications.board.suggestion = .normal
    #expect(try home.run { !recorded.sentences.isEmpty })
    #expect(recorded.sentences.first?.contains("no notification service runs") == true)
    notifications.board.suggestion = .right
    try home.deliver()
    #expect(recorded.sentences.count == 1)
  }

  @Test func `a service that starts later shows the notification`() throws {
    notifications.board.suggestion = .normal
    #expect(try home.run { !recorded.sentences.isEmpty })
    let server = try FakeNotificationServer(on: home)
    #expect(try home.run { server.shown?.summary == "Rotate the screen (upright)?" })
  }

  @Test func `a service that ends is reported once`() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.board.suggestion = .normal
    #expect(try home.run { server.shown != nil })
    server.end()
    #expect(try home.run { !recorded.sentences.isEmpty })
    #expect(recorded.sentences.first?.contains("Start one, such as dunst") == true)
    notifications.board.suggestion = .right
    try home.runPending()
    #expect(recorded.sentences.count == 1)
  }

  /// The bus would start it again for the next call.
  @Test func `a service that ends during a call is not called again`() throws {
    let server = try FakeNotificationServer(on: home)
    server.manner = .ending
    notifications.board.suggestion = .normal
    #expect(try home.run { !recorded.sentences.isEmpty })
    #expect(recorded.sentences.first?.contains("does not answer") == true)
    #expect(server.calls == 1)
  }

  @Test func `a restarted service gets the notification again`() throws {
    let first = try FakeNotificationServer(on: home)
    notifications.board.suggestion = .normal
    #expect(try home.run { first.shown != nil })
    first.end()
    let second = try FakeNotificationServer(on: home)
    #expect(try home.run { second.shown != nil })
    #expect(second.replaced == [0])
    notifications.board.suggestion = nil
    #expect(try home.run { second.shown == nil })
  }

  @Test(arguments: [
    (FakeNotificationServer.Manner.silent, "does not answer. Restart it"),
    (.refusing, "reports: out of order. Restart it, or start another one"),
  ])
  func `a failing service is reported once`(_ manner: FakeNotificationServer.Manner, _ words: String) throws {
    let server = try FakeNotificationServer(on: home)
    server.manner = manner
    if manner == .silent { service.timeout = .milliseconds(1) }
    notifications.board.suggestion = .normal
    #expect(try home.run { !recorded.sentences.isEmpty })
    service.timeout = .forever
    #expect(recorded.sentences.first?.contains(words) == true)
    notifications.board.suggestion = .right
    notifications.board.suggestion = nil
    server.manner = .good
    notifications.board.suggestion = .inverted
    #expect(try home.run { server.shown?.summary == "Rotate the screen (upside down)?" })
    #expect(recorded.sentences.count == 1)
  }

  @Test func `invalid answers cause no loop`() throws {
    let server = try FakeNotificationServer(on: home)
    server.manner = .garbled
    notifications.board.suggestion = .normal
    #expect(try home.run { server.calls > 0 })
    try home.deliver()
    #expect(server.calls <= 2)
  }

  @Test func `a new bus has a new service`() throws {
    notifications.service.use(nil)
    notifications.board.suggestion = .normal
    let server = try FakeNotificationServer(on: home)
    try home.deliver()
    #expect(server.shown == nil)
    notifications.service.use(try home.connect())
    #expect(try home.run { server.shown != nil })
  }

  @Test func `stopping closes the notification`() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.board.suggestion = .normal
    #expect(try home.run { server.shown != nil })
    notifications.stop()
    #expect(try home.run { server.shown == nil })
  }

  @Test func `forged notification signals are ignored`() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.board.suggestion = .normal
    #expect(try home.run { server.shown != nil })
    let id = try #require(server.shown).id
    let stranger = try Stranger(on: home)
    let target = NotificationService.target
    try stranger.signalAll(target, "ActionInvoked", [.uint32(id), .string("rotate")])
    try stranger.signalAll(target, "NotificationClosed", [.uint32(id), .uint32(1)])
    try stranger.spoofOwner("", of: target.service)
    try stranger.settle()
    #expect(recorded.events.isEmpty)
    #expect(server.calls == 2)
    try server.choose("rotate", of: id)
    #expect(try home.run { recorded.events == [.command(.rotate(.to(.normal), output: nil))] })
  }
}

// SPDX-License-Identifier: MIT

import PrivateBus
import System
import Testing

@testable import Autorotation
@testable import autorotate

@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct NotificationsTests {
  private final class Told {
    var sentences: [String] = []
    var events: [Event] = []
  }

  let home: PrivateBus
  private let told = Told()
  private let service: NotificationService
  private let notifications: Notifications

  init() throws {
    home = try PrivateBus()
    let told = told
    service = NotificationService(timeout: .forever) { told.sentences.append($0) }
    notifications = try Notifications(loop: home.loop, service: service) { told.events.append($0) }
    notifications.use(try home.connect())
    var locked = Status.example
    locked.lock = Lock(orientation: .left)
    notifications.publish(locked)
  }

  @Test func aSuggestionIsShownWithAButton() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.suggest(.normal)
    #expect(try home.run { server.shown != nil })
    let shown = try #require(server.shown)
    #expect(shown.summary == "Rotate the picture to normal?")
    #expect(shown.body == "It is locked to left.")
    #expect(shown.actions == ["rotate", "Rotate"])
    #expect(shown.expiry == 10_000)
    #expect(shown.hints["transient"] == .bool(true))
  }

  @Test(arguments: ["rotate", "default"])
  func theButtonTurnsThePicture(_ key: String) throws {
    let server = try FakeNotificationServer(on: home)
    notifications.suggest(.normal)
    #expect(try home.run { server.shown != nil })
    let id = try #require(server.shown).id
    try server.close(id + 1, reason: 2)
    try server.choose(key, of: id + 1)
    try server.choose("another", of: id)
    try server.choose(key, of: id)
    #expect(try home.run { !told.events.isEmpty })
    #expect(told.events == [.command(.rotate(.to(.normal), output: nil))])
    #expect(try home.run { server.shown == nil })
  }

  @Test(arguments: [true, false])
  func whereTheDesktopCanBeSwitchedOffThatIsAButton(_ canTakeOver: Bool) throws {
    let card = NotificationCard(.fault(.desktopIdle, "It stays."), nil, canTakeOver: canTakeOver)
    #expect(card.buttons.map(\.key) == (canTakeOver ? ["take-over"] : []))
    let other = NotificationCard(.fault(.noSensor, "It went."), nil, canTakeOver: canTakeOver)
    #expect(other.buttons.isEmpty)
  }

  @Test func theButtonTakesOver() throws {
    let server = try FakeNotificationServer(on: home)
    var isTaken = false
    notifications.canTakeOver = { true }
    notifications.takeOver = { isTaken = true }
    var idle = Status.example
    idle.reasons = [.desktopIdle("It stays.")]
    notifications.note("It stays.", of: .desktopIdle)
    notifications.publish(idle)
    #expect(try home.run { server.shown != nil })
    let shown = try #require(server.shown)
    #expect(shown.actions == ["take-over", "Let autorotate turn it"])
    try server.choose("take-over", of: shown.id)
    #expect(try home.run { isTaken && server.shown == nil })
    #expect(told.events.isEmpty)
  }

  @Test func anotherSuggestionTakesItsPlace() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.suggest(.normal)
    #expect(try home.run { server.shown != nil })
    let id = try #require(server.shown).id
    notifications.suggest(.right)
    #expect(try home.run { server.shown?.summary == "Rotate the picture to right?" })
    #expect(server.shown?.id == id)
    #expect(server.replaced == [0, id])
  }

  @Test func turningBackClosesIt() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.suggest(.normal)
    #expect(try home.run { server.shown != nil })
    notifications.suggest(nil)
    #expect(try home.run { server.shown == nil })
  }

  /// The answer to the first call comes when nothing is wanted any more.
  @Test func turningBackAtOnceLeavesNothing() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.suggest(.normal)
    #expect(try home.run { server.calls > 0 })
    notifications.suggest(nil)
    try home.runPending()
    #expect(try home.run { server.shown == nil })
    notifications.suggest(.right)
    #expect(try home.run { server.shown?.summary == "Rotate the picture to right?" })
  }

  @Test func whatThePersonClosesStaysClosed() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.suggest(.normal)
    #expect(try home.run { server.shown != nil })
    try server.close(try #require(server.shown).id, reason: 2)
    #expect(try home.run { told.events == [.declineSuggestion] })
    notifications.publish(.example)
    try home.deliver()
    #expect(server.replaced == [0])
  }

  /// xfce4-notifyd showed two buttons, dunst and mako had none to click on.
  @Test func theNotificationItselfIsTheButtonWhereThereAreNone() throws {
    let card = NotificationCard(.suggestion(.left), nil)
    let dunst = card.arguments(replacing: 0, for: ["actions", "x-dunst-stack-tag"])
    #expect(try dunst.read(5) == ["default", "Rotate", "rotate", "Rotate"])
  }

  @Test func withoutButtonsItSaysWhatToType() throws {
    let server = try FakeNotificationServer(on: home, capabilities: ["body"])
    notifications.suggest(.normal)
    #expect(try home.run { server.shown != nil })
    #expect(server.shown?.actions == [])
    #expect(server.shown?.body == "It is locked to left. To do so: autorotate --rotate normal")
  }

  @Test(arguments: [(["body-markup"], "A &lt;b&gt; &amp;"), (["body"], "A <b> &")])
  func bodiesAreMarkupWhereTheServiceReadsIt(_ capabilities: [String], _ body: String) throws {
    let card = NotificationCard(.fault(.noSensor, "A <b> &"), nil)
    let arguments = card.arguments(replacing: 0, for: Set(capabilities))
    #expect(try arguments.read(4) == body)
    #expect(try arguments.read(7, as: Int32.self) == -1)
  }

  @Test func withoutAServiceItIsToldOnce() throws {
    notifications.suggest(.normal)
    #expect(try home.run { !told.sentences.isEmpty })
    #expect(told.sentences.first?.contains("no notification service runs") == true)
    notifications.suggest(.right)
    try home.deliver()
    #expect(told.sentences.count == 1)
  }

  @Test func aServiceThatComesLaterShowsIt() throws {
    notifications.suggest(.normal)
    #expect(try home.run { !told.sentences.isEmpty })
    let server = try FakeNotificationServer(on: home)
    #expect(try home.run { server.shown?.summary == "Rotate the picture to normal?" })
  }

  @Test func `a service that dies is missed once`() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.suggest(.normal)
    #expect(try home.run { server.shown != nil })
    server.end()
    #expect(try home.run { !told.sentences.isEmpty })
    #expect(told.sentences.first?.contains("start one, such as dunst") == true)
    notifications.suggest(.right)
    try home.runPending()
    #expect(told.sentences.count == 1)
  }

  @Test func aServiceThatIsStartedAnewHasForgottenTheOld() throws {
    let first = try FakeNotificationServer(on: home)
    notifications.suggest(.normal)
    #expect(try home.run { first.shown != nil })
    first.end()
    let second = try FakeNotificationServer(on: home)
    #expect(try home.run { second.shown != nil })
    #expect(second.replaced == [0])
    notifications.suggest(nil)
    #expect(try home.run { second.shown == nil })
  }

  @Test(arguments: [
    (FakeNotificationServer.Manner.silent, "does not answer; restart it"),
    (.refusing, "says: out of order; restart it, or start another"),
  ])
  func aServiceThatFailsIsToldOnce(_ manner: FakeNotificationServer.Manner, _ words: String) throws {
    let server = try FakeNotificationServer(on: home)
    server.manner = manner
    if manner == .silent { service.timeout = .milliseconds(1) }
    notifications.suggest(.normal)
    #expect(try home.run { !told.sentences.isEmpty })
    service.timeout = .forever
    #expect(told.sentences.first?.contains(words) == true)
    notifications.suggest(.right)
    notifications.suggest(nil)
    server.manner = .good
    notifications.suggest(.inverted)
    #expect(try home.run { server.shown?.summary == "Rotate the picture to inverted?" })
    #expect(told.sentences.count == 1)
  }

  @Test func garbledAnswersAreNoLoop() throws {
    let server = try FakeNotificationServer(on: home)
    server.manner = .garbled
    notifications.suggest(.normal)
    #expect(try home.run { server.calls > 0 })
    try home.deliver()
    #expect(server.calls <= 2)
  }

  @Test func anotherBusIsAnotherService() throws {
    notifications.use(nil)
    notifications.suggest(.normal)
    let server = try FakeNotificationServer(on: home)
    try home.deliver()
    #expect(server.shown == nil)
    notifications.use(try home.connect())
    #expect(try home.run { server.shown != nil })
  }

  @Test func nothingIsLeftAtTheEnd() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.suggest(.normal)
    #expect(try home.run { server.shown != nil })
    notifications.stop()
    #expect(try home.run { server.shown == nil })
  }

  @Test func aStrangerChoosesAndClosesNothing() throws {
    let server = try FakeNotificationServer(on: home)
    notifications.suggest(.normal)
    #expect(try home.run { server.shown != nil })
    let id = try #require(server.shown).id
    let stranger = try Stranger(on: home)
    let target = NotificationService.target
    try stranger.signalEverybody(target, "ActionInvoked", [.uint32(id), .string("rotate")])
    try stranger.signalEverybody(target, "NotificationClosed", [.uint32(id), .uint32(1)])
    try stranger.pretendOwner("", of: target.service)
    try stranger.settle()
    #expect(told.events.isEmpty)
    #expect(server.calls == 2)
    try server.choose("rotate", of: id)
    #expect(try home.run { told.events == [.command(.rotate(.to(.normal), output: nil))] })
  }
}

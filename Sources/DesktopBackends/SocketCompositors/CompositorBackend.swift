// SPDX-License-Identifier: MIT

package import Autorotation
import System

/// The session of a compositor that has an IPC socket of its own; the dialect knows its requests.
package final class CompositorBackend: DesktopBackend {
  package var name: String { dialect.profile.name }

  private let dialect: any CompositorDialect
  private let context: CompositorContext
  private let report = Reporter()
  private let touch: CompositorTouch
  private let queue: RotationQueue
  private let nextPass: NextLoopPass
  private var outputs: [CompositorOutput] = []
  private var rotation: CompositorRotation?
  private var remembered: RememberedRotations
  /// Reads again what was not answered: often no event comes after it.
  private var retry: EventTimer?
  private var backoff: Backoff
  private var power = PowerWatch.Interest() {
    didSet { dialect.watch?.power.interest = power }
  }
  /// Whether something has changed during a rotation, which reads the outputs itself.
  private var isStale = false
  private var isSilent = false
  /// Whether the compositor has reloaded its configuration since the devices were read.
  private var isConfigurationNew = false
  private lazy var readOutputs = CoalescedReader { [weak self] in self?.readOutputs(then: $0) }
  private lazy var readDevices = CoalescedReader { [weak self] in self?.readDevices(then: $0) }
  private lazy var readFocus = CoalescedReader { [weak self] in self?.readFocus(then: $0) }

  init(_ dialect: any CompositorDialect, _ context: CompositorContext) throws {
    self.dialect = dialect
    self.context = context
    touch = CompositorTouch(dialect, context)
    nextPass = try NextLoopPass(context.loop)
    queue = RotationQueue(report, nextPass)
    remembered = RememberedRotations(settleTime: dialect.profile.settleTime)
    backoff = context.backoff
    retry = try context.loop.timer { [weak self] in self?.handle([.outputs, .devices, .focus]) }
  }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) throws {
    self.report.start(report, gone: gone)
    try dialect.channel.listen(
      event: { [weak self] in self?.handle($0) }, ended: { [weak self] in self?.end($0) })
    nextPass { [weak self] in
      self?.dialect.start { self?.handle($0) }
      self?.handle([.outputs, .devices])
    }
  }

  package func use(_ settings: DisplaySettings) {
    guard settings != dialect.settings else { return }
    dialect.settings = settings
    touch.follow(outputs)
  }

  package var applications: [[String]]? { dialect.applications }

  package func watchForBlanking(_ isWanted: Bool) { power.awaitsOff = isWanted }

  package func watchTitles(_ isWanted: Bool) {
    guard isWanted != dialect.watchesTitles else { return }
    dialect.watchesTitles = isWanted
    readFocus()
  }

  package func visibilityChanged(isVisible: Bool) { power.isVisible = isVisible }

  package func disable(_ devices: DisabledInput?) -> Bool {
    guard let disabling = dialect.disabling else { return false }
    disabling.wanted = devices
    readDevices()
    return true
  }

  package func stop() {
    touch.stop(outputs)
    dialect.stop()
    dialect.channel.close()
  }

  // MARK: Rotating

  package func apply(_ rotations: [PanelRotation], completion: @escaping (Result<Void, Message>) -> Void) {
    queue.add(rotations, completion) { [weak self] in try self?.rotate(rotations, completion: $0) }
  }

  private func rotate(_ wanted: [PanelRotation], completion: @escaping RotationQueue.Completion) throws {
    let known = dialect.reportsLayout && report.hasReportedOutputs && !isStale ? outputs : nil
    rotation = try CompositorRotation(dialect, context, wanted, known: known) { [weak self] outcome in
      self?.nextPass { self?.finish(outcome, wanted, completion) }
    }
    rotation?.start()
  }

  private func finish(
    _ outcome: CompositorRotation.Outcome, _ wanted: [PanelRotation], _ completion: RotationQueue.Completion
  ) {
    rotation = nil
    if case .success = outcome.result {
      for rotation in wanted { remembered.remember(rotation.transform, of: rotation.output) }
      outcome.change.map(dialect.changeWasApplied)
      if let seen = outcome.outputs { adopt(seen) }
      touch.follow(outputs)
      completion(.success(()))
      restoreOrReport()
    } else {
      if let undoing = outcome.undoing { dialect.rotationWasIgnored(wanted.map(\.output), undoing: undoing) }
      // Report that an output is off or unplugged before the failure, which is then expected.
      if let seen = outcome.outputs {
        adopt(seen)
        reportState()
      }
      completion(outcome.result)
      isStale = true
    }
    if isStale { outputsChanged() }
  }

  // MARK: Events and state

  private func handle(_ event: CompositorMessage) {
    backoff.reset()
    do throws(Message) { handle(try dialect.changes(event)) } catch { complain(error) }
  }

  private func handle(_ changes: CompositorChanges) {
    if changes.contains(.configuration) {
      isConfigurationNew = true
      context.visited.forget()
      remembered.configurationWasRead(now: EventLoop.now)
      dialect.configurationWasRead()
    }
    // Without output events, any other event is a reason to check an output that is off.
    let mayBeLit = !dialect.reportsOutputs && outputs.contains(where: \.isOff)
    if mayBeLit || !changes.isDisjoint(with: [.outputs, .configuration]) { outputsChanged() }
    if !changes.isDisjoint(with: [.devices, .configuration]) { readDevices() }
    if changes.contains(.focus) { readFocus() }
  }

  private func outputsChanged() {
    isStale = queue.isBusy && report.hasReportedOutputs
    if !isStale { readOutputs() }
  }

  private func readOutputs(then finish: @escaping () -> Void) {
    dialect.readOutputs { [weak self] answer in
      if let outputs = self?.valid(answer) {
        self?.isSilent = false
        // A rotation reads the outputs itself, and later than this.
        if self?.queue.isBusy == false { self?.adopt(outputs) }
        self?.restoreOrReport()
      }
      finish()
    }
  }

  /// Restores rotations that a reload has reset, and reports the rest when nothing rotates.
  private func restoreOrReport() {
    guard !queue.isBusy else { return }
    let lost = remembered.lost(
      in: outputs.map(\.output), panels: dialect.settings.output.names, now: EventLoop.now)
    // No caller has requested these, so failures are only noted for the user.
    for rotation in lost {
      apply([rotation]) { [note = context.note] result in
        if case .failure(let failure) = result { note(failure) }
      }
    }
    if !queue.isBusy { reportState() }
  }

  private func adopt(_ outputs: [CompositorOutput]) {
    self.outputs = outputs.map { output in
      var output = output
      output.hasPower = output.hasPower && !dialect.presumedOff.contains(output.name)
      return output
    }
    power.isOff = self.outputs.contains(where: \.isOff)
  }

  private func reportState() {
    // The window is reported only after the outputs.
    let isFirst = !report.hasReportedOutputs
    if report(.outputsChanged(outputs.map(\.output))) { touch.follow(outputs) }
    if isFirst || dialect.profile.tracksFocus { readFocus() }
  }

  private func readFocus(then finish: @escaping () -> Void) {
    dialect.readFocus(on: outputs, before: report.window) { [weak self] answer in
      if let self, let window = valid(answer), report.hasReportedOutputs { report(.focusChanged(window)) }
      finish()
    }
  }

  private func readDevices(then finish: @escaping () -> Void) {
    let isAfterReload = isConfigurationNew
    dialect.readDevices { [weak self] answer in
      if let self, valid(answer) != nil {
        if isAfterReload {
          isConfigurationNew = false
          touch.forget()
        }
        touch.follow(outputs)
      }
      finish()
    }
  }

  private func valid<Value>(_ answer: Result<Value, Message>) -> Value? {
    switch answer {
    case .success(let value): return value
    case .failure(let reason):
      complain(reason)
      // Other failures would come again.
      if [.displaySilent, .displayUnreachable].contains(reason.code), retry?.isArmed == false {
        retry?.arm(at: backoff.next(after: EventLoop.now))
      }
      return nil
    }
  }

  /// Notes that reading failed, once until the outputs can be read again.
  private func complain(_ reason: Message) {
    // The channel reports its end itself.
    guard reason != .connectionClosed else { return }
    if !isSilent {
      context.note(
        Message(
          reason.code, "\(name) does not report its state (\(reason))",
          next: "autorotate asks again at the next change"))
    }
    isSilent = true
  }

  private func end(_ reason: Message) {
    report.end(
      reason == .connectionClosed
        ? Message(.displayEnded, "\(name) has ended")
        : Message(reason.code, "autorotate can no longer read \(name)'s events: \(reason)"))
  }

  /// The results of `autorotate doctor`.
  static func inspect(
    _ dialect: any CompositorDialect, _ context: CompositorContext
  ) throws -> DisplayInspection {
    defer { dialect.channel.close() }
    let questions = dialect.inspectionQuestions + [dialect.outputsQuestion]
    do throws(Message) {
      var answers = try dialect.channel.answers(to: questions, context)
      let found = try dialect.outputs(in: dialect.value(answers.removeLast())).get()
      return dialect.inspection(answers, of: found)
    } catch {
      throw Message.mute(dialect.profile, error)
    }
  }
}

extension Phrase {
  static func version(_ version: String?, of name: String) -> Phrase {
    version.map { "\(name) \($0)" } ?? "\(name) of unknown version"
  }
}

extension CompositorDialect {
  /// The results for a compositor that reports the focus and lists its touchscreens and pens.
  func inspection(system: Phrase, of outputs: [CompositorOutput]) -> DisplayInspection {
    let devices = touchDevices(among: outputs)
    let line = devices.mapLine(settings)
    let remarks = devices.compactMap { $0.place?.remark($0.name, line) ?? $0.follows }
    let none = Message(
      .touchNone, "\(profile.name) lists no touchscreen or pen that should follow the screen")
    return DisplayInspection(
      system: system, outputs: outputs.map(\.output), touch: remarks.isEmpty ? [none] : remarks,
      focus: Message(.focusKnown, "\(profile.name) reports which window has focus"))
  }
}

extension CompositorChannel {
  fileprivate func answers(
    to questions: [CompositorMessage], _ context: CompositorContext
  ) throws(Message) -> [[UInt8]] {
    var answers: Result<[[UInt8]], Message> = .success([])
    for question in questions {
      ask(question) { new in answers = answers.flatMap { known in new.map { known + [$0] } } }
    }
    let deadline = EventLoop.now + context.timeout
    while case .success(let known) = answers, known.count < questions.count {
      guard EventLoop.now < deadline else { throw .silence }
      _ = try? context.loop.runOnce(timeoutNanoseconds: deadline - EventLoop.now)
    }
    return try answers.get()
  }
}

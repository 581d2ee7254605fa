// SPDX-License-Identifier: MIT

import Autorotation
import System

/// All that differs between compositors with a socket of their own: how each is found, what it is asked and told, and
/// what its answers and events mean. The rest is `CompositorBackend`'s and `CompositorTurn`'s.
protocol CompositorDialect: AnyObject {
  nonisolated static var words: CompositorWords { get }

  /// Connects to the compositor of this session.
  /// - Throws: `Message`.
  init(_ context: CompositorContext) throws

  var conversation: any CompositorConversation { get }

  // MARK: Answers and events

  func value(_ answer: [UInt8]) -> Result<JSONValue, Message>
  /// What came of a request to change something; `displayRefused` if it has something against it.
  func outcome(_ answer: [UInt8]) -> Result<Void, Message>
  /// Called before anything else is asked.
  /// - Parameter changed: to be called when something has changed of which no event tells.
  func start(_ changed: @escaping (CompositorChanges) -> Void)
  func changes(_ event: CompositorMessage) throws(Message) -> CompositorChanges
  /// It has forgotten what it was told before.
  func configurationWasRead()

  // MARK: Outputs

  var outputsQuestion: CompositorMessage { get }
  /// - Returns: `nil` if those are no outputs.
  func outputs(_ value: JSONValue) -> [CompositorOutput]?
  /// Whether it tells when anything about an output changes.
  var tellsOutputs: Bool { get }
  /// Whether somebody tells when anything about an output changes that a turn is thought out from: then the compositor need
  /// not be asked before each.
  var tellsLayout: Bool { get }
  /// Has `changed` called when the power of outputs may have changed, where no event tells.
  func watchPower(_ interest: PowerWatch.Interest)
  /// When to look whether outputs were put back, in nanoseconds after it said that it has read its configuration.
  var looksAfterReload: [Int64] { get }

  // MARK: Turning

  func step(
    _ change: LayoutChange, _ goal: LayoutChange.Goal, among outputs: [CompositorOutput]
  ) -> CompositorStep
  /// Whether the same can be said in other words, after it was refused or had no effect.
  func rephrase(_ outputs: [String], after refusal: Message?) -> Bool
  /// Outputs that are away, at the places where they come back.
  var absent: [CompositorOutput] { get }
  /// Whether a turn stands though a neighbour does not move.
  var toleratesStrayNeighbours: Bool { get }
  func turned(_ change: LayoutChange)
  /// It took a turn without a word, and did nothing.
  /// - Parameter undoing: takes back what it may have kept of it; empty if that was said.
  func ignored(_ outputs: [String], undoing: [CompositorMessage])
  /// Outputs that it calls lit, and that are held for dark all the same.
  var heldForDark: Set<String> { get }

  // MARK: Focus

  /// - Parameter before: as it was at the last reading.
  func readFocus(
    on outputs: [CompositorOutput], before: Window?,
    then: @escaping (Result<Window?, Message>) -> Void)
  /// Whether that takes no question, and may come out differently when the outputs change.
  var knowsFocus: Bool { get }
  var applications: [[String]]? { get }

  // MARK: Input devices

  func use(_ settings: DisplaySettings)
  func readDevices(then: @escaping (Result<Void, Message>) -> Void)
  /// Those of the last reading, where the compositor does not let touch and pen follow their panels by itself.
  func touchDevices(among outputs: [CompositorOutput]) -> [CompositorTouch.Device]
  func disable(_ devices: DisabledInput?) -> Bool
  /// For the moment when the loop will not run again.
  func stop()

  // MARK: What doctor tells

  /// The first asks for the version. One that need not be answered in JSON.
  var inspectionQuestions: [CompositorMessage] { get }
  func inspection(_ answers: [[UInt8]], of outputs: [CompositorOutput], panel: String?)
    -> CompositorInspection
}

/// Most compositors do as they are told at once, or say no, and move touch by themselves.
extension CompositorDialect {
  func value(_ answer: [UInt8]) -> Result<JSONValue, Message> {
    JSONValue(answer).map(Result.success) ?? .failure(.garbled("it is not JSON"))
  }

  func start(_ changed: @escaping (CompositorChanges) -> Void) {}
  func configurationWasRead() {}
  var tellsOutputs: Bool { false }
  var tellsLayout: Bool { tellsOutputs }
  func watchPower(_ interest: PowerWatch.Interest) {}
  var looksAfterReload: [Int64] { [] }
  func rephrase(_ outputs: [String], after refusal: Message?) -> Bool { false }
  var absent: [CompositorOutput] { [] }
  var toleratesStrayNeighbours: Bool { false }
  func turned(_ change: LayoutChange) {}
  func ignored(_ outputs: [String], undoing: [CompositorMessage]) {}
  var heldForDark: Set<String> { [] }
  var knowsFocus: Bool { false }
  var applications: [[String]]? { nil }
  func use(_ settings: DisplaySettings) {}
  func readDevices(then: @escaping (Result<Void, Message>) -> Void) { then(.success(())) }
  func touchDevices(among outputs: [CompositorOutput]) -> [CompositorTouch.Device] { [] }
  func disable(_ devices: DisabledInput?) -> Bool { false }
  func stop() {}
}

extension CompositorDialect {
  var words: CompositorWords { Self.words }

  func ask(
    _ question: CompositorMessage, then: @escaping (Result<JSONValue, Message>) -> Void
  ) {
    conversation.ask(question) { [self] in then($0.flatMap(value)) }
  }

  func run(_ request: CompositorMessage, then: @escaping (Result<Void, Message>) -> Void) {
    conversation.ask(request) { [self] in then($0.flatMap(outcome)) }
  }

  func readOutputs(then: @escaping (Result<[CompositorOutput], Message>) -> Void) {
    ask(outputsQuestion) { [self] answer in
      then(answer.flatMap { outputs($0).map(Result.success) ?? .failure(.garbled("no outputs")) })
    }
  }
}

/// What a dialect is made with.
struct CompositorContext {
  var loop: EventLoop
  var settings = DisplaySettings()
  /// How long an answer may take, in nanoseconds.
  var patience = Self.usualPatience
  /// Takes what the person is told.
  var note: (Message) -> Void = { _ in }
  let visited = VisitedArrangements()

  /// The slowest turn measured on a loaded machine took 10 ms.
  nonisolated static let usualPatience: Int64 = 2_000_000_000
}

/// What may be otherwise than it was read last.
struct CompositorChanges: OptionSet {
  var rawValue: UInt8

  static let outputs = Self(rawValue: 1)
  static let focus = Self(rawValue: 2)
  static let devices = Self(rawValue: 4)
  /// The configuration was read, which may have changed all but the focus.
  static let configuration = Self(rawValue: 8)
}

/// What is said on the way to a goal before the outputs are looked at.
struct CompositorStep {
  /// One after the other, each when the one before was agreed to.
  var requests: [CompositorMessage] = []
  /// Whether the places are left to another step, which is thought out when the turns have come about.
  var turnsOnly = false
}

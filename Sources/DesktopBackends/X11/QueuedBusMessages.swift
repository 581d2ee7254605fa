// SPDX-License-Identifier: MIT

import System

/// Makes the X server handle messages that logind has sent to it.
///
/// While Xorg 21.1 releases its devices, it waits for logind's reply. Messages that arrive meanwhile stay in libdbus's
/// queue, which Xorg reads again only when the next message arrives. If logind's message that returns the devices is
/// among them, Xorg has no input and sets no mode until then, and it follows a switch to another virtual terminal too
/// late: it takes the devices while its session is inactive. Any signal to Xorg alone makes it read the queue.
final class QueuedBusMessages {
  private static let maximumConnections = 1024
  private static let timeout = Duration.seconds(25)

  private let process: UInt32
  private let loop: EventLoop
  private let kind: Bus.Kind
  /// Kept until all connections of the bus are known.
  private var bus: Bus?

  /// - Parameters:
  ///   - process: the X server's id.
  ///   - kind: the bus of logind.
  init(of process: UInt32, loop: EventLoop, on kind: Bus.Kind = .system) {
    self.process = process
    self.loop = loop
    self.kind = kind
  }

  /// Sends a signal to each of the server's connections. Without a bus, or without a connection, there is no queue.
  func handle() {
    guard bus == nil, let bus = try? Bus(kind), (try? bus.attach(to: loop)) != nil else { return }
    self.bus = bus
    bus.onSilent = { [weak self] in self?.end() }
    bus.onClosed = { [weak self] in self?.end() }
    bus.ask(.driver, "ListNames", timeout: Self.timeout) { [weak self] answer in
      let names: [String] = (try? answer.get().read(0)) ?? []
      self?.requestProcesses(of: names.filter { $0.hasPrefix(":") }.prefix(Self.maximumConnections), bus)
    }
  }

  private func requestProcesses(of connections: some Collection<String>, _ bus: Bus) {
    guard !connections.isEmpty else { return end() }
    var unknown = connections.count
    for connection in connections {
      bus.requestProcessID(of: connection, timeout: Self.timeout) { [weak self] id in
        self?.signal(connection, ifOf: id, bus)
        unknown -= 1
        if unknown == 0 { self?.end() }
      }
    }
  }

  private func signal(_ connection: String, ifOf process: UInt32?, _ bus: Bus) {
    guard process == self.process else { return }
    let target = BusTarget(
      service: connection, path: "/org/autorotate/Autorotate", interface: "org.autorotate.QueuedMessages")
    try? bus.signal(target, "Handle")
  }

  private func end() {
    bus?.close()
    bus = nil
  }
}

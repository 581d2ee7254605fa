// SPDX-License-Identifier: MIT

import PrivateBus
import System
import Testing

private let target = BusTarget(
  service: "org.example.Echo", path: "/org/example/Echo", interface: "org.example.Echo")

@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct TextTests {
  /// A window whose name held one of these made `--status` fail.
  @Test(arguments: [0, 0xFDD0, 0xFFFE, 0xFFFF, 0x10FFFF] as [UInt32])
  func `characters that D-Bus forbids are replaced`(number: UInt32) throws {
    let text = String(try #require(Unicode.Scalar(number)))
    let home = try PrivateBus()
    let server = try home.connect()
    let client = try home.connect()
    #expect(try server.requestName(target.service) == .owned)
    let method = BusMethod("Name", returns: [BusArgument("name", "s")]) { _ in [.string("a\(text)ä\u{FFFD}𝄞")]
    }
    let exported = try server.export(
      BusInterface(name: target.interface, methods: [method]), at: target.path)
    var result: Result<[Value], BusError>?
    try client.call(target, "Name") { result = $0 }
    #expect(try home.run { result != nil })
    #expect(result == .success([.string("a\u{FFFD}ä\u{FFFD}𝄞")]))
    withExtendedLifetime(exported) {}
  }
}

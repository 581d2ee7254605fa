// SPDX-License-Identifier: MIT

import System
import Testing

@Suite struct ValueTests {
  @Test func `a value is read as its type`() throws {
    let values: [Value] = [.string("left"), .variant(.variant(.uint32(7))), .strings(["a", "b"])]
    #expect(try values.read(0, as: String.self) == "left")
    #expect(try values.read(1, as: UInt32.self) == 7)
    #expect(try values.read(2, as: [String].self) == ["a", "b"])
  }

  @Test func `a wrong type is an error that names both`() {
    let error = #expect(throws: BusError.self) {
      try [Value.uint32(7)].read(0, as: String.self)
    }
    #expect(error?.name == BusError.invalidArguments)
    #expect(error?.message == "a value of type u where String was expected")
  }

  @Test func `missing values are an error`() {
    #expect(throws: BusError(BusError.invalidArguments, "only 1 values where 3 were expected")) {
      try [Value.bool(true)].read(2, as: Bool.self)
    }
    #expect(throws: BusError.self) { try [Value.bool(true)].read(-1, as: Bool.self) }
  }

  @Test func `an array with one wrong element is not read`() {
    let mixed = Value.array(of: "v", [.variant(.string("a")), .variant(.bool(true))])
    #expect(throws: BusError.self) { try mixed.read(as: [String].self) }
  }

  @Test(arguments: [
    (Value.array(of: "s", []), "as"), (.dictionary([:]), "a{sv}"),
    (.structure([.int32(1), .array(of: "{su}", [])]), "(ia{su})"), (.variant(.bool(true)), "v"),
    (.entry(.string(""), .double(0)), "{sd}"),
  ])
  func signatures(of value: Value, are signature: String) {
    #expect(value.typeSignature == signature)
  }

  @Test func `a match rule has the syntax of D-Bus`() {
    let rule = SignalRule(.driver, "NameOwnerChanged", firstArgument: "org.example.A")
    #expect(rule.sender == "org.freedesktop.DBus")
    #expect(rule.firstArgument == "org.example.A")
  }
}

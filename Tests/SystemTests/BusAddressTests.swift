// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import System

struct BusAddressTests {
  @Test(arguments: [
    ("/run/user/1000", "/run/user/1000"), ("/tmp/a b,c=ü;", "/tmp/a%20b%2cc%3d%c3%bc%3b"), ("\t", "%09"),
    ("\u{10}", "%10"),
  ])
  func `a path is escaped for an address`(_ path: String, _ escaped: String) {
    #expect(Bus.Kind.escaped(path) == escaped)
  }

  @Test func `a bus without an address is no bus that is down`() {
    #expect(Bus.Kind.session.absence(-ENOMEDIUM).fault == .withoutAddress(.session))
    #expect(
      Bus.Kind.system.absence(-ENOENT).fault == .unreachable(.system, reason: "No such file or directory"))
    #expect(Bus.Kind.at(address: "unix:path=/x").hasAddress)
  }

  @Test(arguments: [ENOTCONN, ECONNRESET, EPIPE, ESHUTDOWN])
  func `the end of the bus is an error of its own`(code: Int32) {
    let error = BusError.from(-code, "asking")
    #expect(error.name == BusError.disconnected)
    #expect(error.fault == .ended("asking", reason: String(cString: strerror(code))))
  }

  @Test func `other errors of the bus keep their reason`() {
    #expect(BusError.from(-ETIMEDOUT, "asking").fault == .unanswered("asking"))
    #expect(BusError.from(-EINVAL, "asking") == BusError(BusError.failed, "asking: Invalid argument"))
  }

  @Test(arguments: [
    (BusError.timeout, true, false), (BusError.noReply, true, false), (BusError.serviceUnknown, false, true),
    (BusError.nameHasNoOwner, false, true), (BusError.failed, false, false),
  ])
  func `a missing service is not a silent one`(_ name: String, _ isTimeout: Bool, _ isMissing: Bool) {
    let error = BusError(name, "")
    #expect(error.isReplyTimeout == isTimeout && error.isServiceMissing == isMissing)
    #expect(error.description == name)
  }

  @Test func `a timeout is never zero`() {
    #expect(Duration.zero.wholeMicroseconds == 1)
    #expect(Duration.nanoseconds(1600).wholeMicroseconds == 2)
    #expect(Duration.milliseconds(1500).wholeMicroseconds == 1_500_000)
    #expect(Duration.forever.wholeMicroseconds == .max)
  }

  @Test @MainActor func `a subscription ends when it is released`() {
    var ends = 0
    var subscription: Subscription? = Subscription { ends += 1 }
    withExtendedLifetime(subscription) { #expect(ends == 0) }
    subscription = nil
    #expect(ends == 1)
  }
}

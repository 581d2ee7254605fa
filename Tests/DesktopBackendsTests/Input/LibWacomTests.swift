// SPDX-License-Identifier: MIT

import CLibWacom
import Glibc
import System
import Testing

@testable import DesktopBackends

enum InstalledLibWacom {
  static var isInstalled: Bool {
    ["x86_64", "aarch64"].contains { access("/usr/lib/\($0)-linux-gnu/libwacom.so.9", F_OK) == 0 }
      && access("/usr/share/libwacom", F_OK) == 0
  }
}

/// Against the library and the database of this machine.
@Suite("libwacom", .enabled(if: InstalledLibWacom.isInstalled, "libwacom9 is not installed"))
@MainActor
struct LibWacomTests {
  private func integration(_ vendor: UInt16, _ product: UInt16, name: String = "Pen") -> TabletIntegration? {
    LibWacom().integration(
      of: TabletIdentity(node: "/dev/input/nowhere", name: name, vendor: vendor, product: product))
  }

  @Test func `the database has where tablets are built in`() {
    #expect(integration(0x056a, 0x0350) == [.display], "Cintiq Pro 16")
    #expect(integration(0x056a, 0x0357) == [], "Intuos Pro M")
    #expect(integration(0x056a, 0x00e6) == [.display, .system], "ISDv4 E6")
  }

  @Test func `a touchscreen is found by its pen`() {
    #expect(integration(0x056a, 0x0354) == [.display], "the touchscreen of the Cintiq Pro 16")
  }

  @Test func `an unknown device has no integration`() {
    #expect(integration(0x1209, 0x0001) == nil)
    #expect(integration(0, 0, name: "") == nil)
    #expect(integration(0xffff, 0xffff, name: "\u{FFFD}\n") == nil)
  }
}

/// With a fake library.
@Suite("unusual libwacom")
@MainActor
struct FakeLibWacomTests {
  /// A library with an empty database.
  private static let empty = clibwacom(
    database_new: { UnsafeMutableRawPointer(bitPattern: 8) }, database_destroy: { _ in },
    new_from_path: { _, _, _, _ in nil }, new_from_usbid: { _, _, _, _ in nil }, destroy: { _ in },
    list_devices_from_database: { _, _ in nil }, get_vendor_id: { _ in 0x056a },
    get_product_id: { _ in 0x0350 }, get_integration_flags: { _ in 1 }, get_paired_device: { _ in nil },
    match_get_vendor_id: { _ in 0 }, match_get_product_id: { _ in 0 })

  private func integration(_ change: (inout clibwacom) -> Void) -> TabletIntegration? {
    var functions = Self.empty
    change(&functions)
    return withUnsafePointer(to: functions) { functions in
      let pen = TabletIdentity(node: "/dev/input/event4", name: "Pen", vendor: 0x056a, product: 0x0350)
      return LibWacom { functions }.integration(of: pen)
    }
  }

  @Test func `a missing library returns nothing`() {
    let pen = TabletIdentity(node: "", name: "", vendor: 0, product: 0)
    #expect(LibWacom { nil }.integration(of: pen) == nil)
  }

  @Test func `an unreadable database returns nothing`() {
    #expect(integration { $0.database_new = { nil } } == nil)
    #expect(integration { _ in } == nil)
  }

  @Test func `a device is looked up once`() {
    var loads = 0
    let wacom = LibWacom {
      loads += 1
      return nil
    }
    let look = { (product: UInt16) in
      wacom.integration(
        of: TabletIdentity(node: "/dev/input/event4", name: "Pen", vendor: 1, product: product))
    }
    for _ in 0..<2 { for product in 0..<64 as Range<UInt16> { #expect(look(product) == nil) } }
    #expect(loads == 64)
    #expect(look(64) == nil && look(0) == nil)
    #expect(loads == 66, "a program may create any number of devices")
  }

  /// With the numbers of the pair at the pen of the only entry.
  private func integrationByPair(_ change: (inout clibwacom) -> Void) -> TabletIntegration? {
    integration { wacom in
      wacom.list_devices_from_database = { _, _ in listOfOneDevice() }
      wacom.get_integration_flags = { _ in 3 }
      wacom.get_paired_device = { _ in UnsafeRawPointer(bitPattern: 32) }
      wacom.match_get_vendor_id = { _ in 0x056a }
      wacom.match_get_product_id = { _ in 0x0350 }
      change(&wacom)
    }
  }

  @Test func `a touchscreen has both numbers of the pair of its pen`() {
    #expect(integrationByPair { _ in } == [.display, .system])
    #expect(integrationByPair { $0.match_get_vendor_id = { _ in 0x056b } } == nil)
    #expect(integrationByPair { $0.match_get_product_id = { _ in 0x0351 } } == nil)
    #expect(integrationByPair { $0.get_paired_device = { _ in nil } } == nil)
  }

  @Test func `a device is found by node before USB id`() {
    #expect(
      integration { wacom in
        wacom.new_from_path = { _, _, _, _ in UnsafeMutableRawPointer(bitPattern: 16) }
        wacom.new_from_usbid = { _, _, _, _ in UnsafeMutableRawPointer(bitPattern: 24) }
        wacom.get_integration_flags = { $0 == UnsafeRawPointer(bitPattern: 16) ? 3 : 1 }
      } == [.display, .system])
  }

  @Test func `an entry of another device is ignored`() {
    #expect(
      integration { wacom in
        wacom.new_from_path = { _, _, _, _ in UnsafeMutableRawPointer(bitPattern: 16) }
        wacom.get_product_id = { _ in 0x0351 }
      } == nil)
  }

  /// libwacom 2.14 added the first flag. The fake returns the low bits of the product id as flags.
  @Test(
    arguments: [
      (0x104, .screenlessTablet), (0x120, .screenlessTablet), (0x121, .penDisplay), (0x123, .builtIn),
    ] as [(UInt16, TouchOrigin)])
  func `unknown flags of a newer version are ignored`(_ product: UInt16, _ origin: TouchOrigin) {
    var functions = Self.empty
    functions.new_from_usbid = { _, _, product, _ in UnsafeMutableRawPointer(bitPattern: Int(product)) }
    functions.get_product_id = { Int32(Int(bitPattern: $0)) }
    functions.get_integration_flags = { Int32(Int(bitPattern: $0)) & 0xff }
    let found = withUnsafePointer(to: functions) { functions in
      LibWacom { functions }.integration(
        of: TabletIdentity(node: "/dev/input/event4", name: "Pen", vendor: 0x056a, product: product))
    }
    var device = MappedTouchscreens.Device(name: "Pen")
    device.isOnBoard = false
    device.integration = found
    #expect(TouchOrigin(of: device) == origin)
  }

  @Test func `flags that are not set return nothing`() {
    #expect(
      integration { wacom in
        wacom.new_from_usbid = { _, _, _, _ in UnsafeMutableRawPointer(bitPattern: 16) }
        wacom.get_integration_flags = { _ in -1 }
      } == nil)
  }
}

/// The address of a device, ended by `NULL`, in memory that the caller frees.
private func listOfOneDevice() -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
  let size = MemoryLayout<UnsafeMutableRawPointer?>.size
  let list = calloc(2, size)?.bindMemory(to: UnsafeMutableRawPointer?.self, capacity: 2)
  list?[0] = UnsafeMutableRawPointer(bitPattern: 16)
  return list
}

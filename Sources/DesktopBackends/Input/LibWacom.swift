// SPDX-License-Identifier: MIT

import CLibWacom
import Glibc

/// What a tablet, or the touchscreen on it, is built into.
nonisolated struct TabletIntegration: OptionSet, Hashable, Sendable {
  let rawValue: Int32

  /// The user draws on what a display shows.
  static let display = Self(rawValue: 1 << 0)
  /// It is part of the computer.
  static let system = Self(rawValue: 1 << 1)
  /// A pad without a drawing surface; since libwacom 2.14, before without a flag.
  static let remote = Self(rawValue: 1 << 2)
}

/// By what a tablet is looked up.
nonisolated struct TabletIdentity: Hashable, Sendable {
  /// "/dev/input/event4"
  var node: String
  var name: String
  var vendor: UInt16
  var product: UInt16
}

/// libwacom's database of tablets. It is read again for each device that was not asked for before, and not kept: most
/// machines never ask.
final class LibWacom {
  static let shared = LibWacom()

  private static let mostKept = 64
  private let load: () -> UnsafePointer<clibwacom>?
  private var known: [TabletIdentity: TabletIntegration?] = [:]

  /// - Parameter load: returns the functions of the library; `nil` if it is not there.
  init(load: @escaping () -> UnsafePointer<clibwacom>? = { clibwacom_load() }) {
    self.load = load
  }

  /// - Returns: `nil` of a device that is not in the database, or if there is no database.
  func integration(of tablet: TabletIdentity) -> TabletIntegration? {
    if let found = known[tablet] { return found }
    if known.count == Self.mostKept { known = [:] }
    let found = lookUp(tablet)
    known.updateValue(found, forKey: tablet)
    return found
  }

  private func lookUp(_ tablet: TabletIdentity) -> TabletIntegration? {
    guard let wacom = load(), let database = wacom.pointee.database_new() else { return nil }
    defer { wacom.pointee.database_destroy(database) }
    let open = OpenWacomDatabase(wacom: wacom, database: database)
    return open.byNode(tablet) ?? open.byNumber(tablet) ?? open.byPair(tablet)
  }
}

private struct OpenWacomDatabase {
  let wacom: UnsafePointer<clibwacom>
  let database: UnsafeMutableRawPointer

  /// Models that share one number (Huion's 256c:006d) are told apart by the names and firmware that udev has of a node.
  func byNode(_ tablet: TabletIdentity) -> TabletIntegration? {
    let noFallback: Int32 = 0
    return integration(wacom.pointee.new_from_path(database, tablet.node, noFallback, nil), of: tablet)
  }

  func byNumber(_ tablet: TabletIdentity) -> TabletIntegration? {
    let (vendor, product) = (Int32(tablet.vendor), Int32(tablet.product))
    return integration(wacom.pointee.new_from_usbid(database, vendor, product, nil), of: tablet)
  }

  /// The touchscreen of a pen display may have a number of its own, which the pen's entry names.
  func byPair(_ tablet: TabletIdentity) -> TabletIntegration? {
    guard let list = wacom.pointee.list_devices_from_database(database, nil) else { return nil }
    defer { free(list) }
    let devices = sequence(first: list) { $0 + 1 }.lazy.prefix { $0.pointee != nil }
    let pen = devices.compactMap(\.pointee).first { pen in
      wacom.pointee.get_paired_device(pen).map { isMatch($0, tablet) } ?? false
    }
    return pen.flatMap(integration)
  }

  private func isMatch(_ match: UnsafeRawPointer, _ tablet: TabletIdentity) -> Bool {
    wacom.pointee.match_get_vendor_id(match) == UInt32(tablet.vendor)
      && wacom.pointee.match_get_product_id(match) == UInt32(tablet.product)
  }

  /// - Parameter device: is destroyed.
  private func integration(
    _ device: UnsafeMutableRawPointer?, of tablet: TabletIdentity
  ) -> TabletIntegration? {
    guard let device else { return nil }
    defer { wacom.pointee.destroy(device) }
    guard wacom.pointee.get_vendor_id(device) == Int32(tablet.vendor),
      wacom.pointee.get_product_id(device) == Int32(tablet.product)
    else { return nil }
    return integration(device)
  }

  private func integration(_ device: UnsafeMutableRawPointer) -> TabletIntegration? {
    let flags = wacom.pointee.get_integration_flags(device)
    // libwacom's own "not set" is -1, of which all known versions make 0 here.
    return flags < 0 ? nil : TabletIntegration(rawValue: flags)
  }
}

// SPDX-License-Identifier: MIT

import CLibWacom
import Glibc

/// What a tablet, or its touchscreen, is built into.
nonisolated struct TabletIntegration: OptionSet, Hashable, Sendable {
  let rawValue: Int32

  /// A display: the user draws on a screen.
  static let display = Self(rawValue: 1 << 0)
  /// The computer.
  static let system = Self(rawValue: 1 << 1)
}

/// The properties by which a tablet is looked up.
nonisolated struct TabletIdentity: Hashable, Sendable {
  /// "/dev/input/event4"
  var node: String
  var name: String
  var vendor: UInt16
  var product: UInt16
}

/// libwacom's database of tablets. It is loaded for each new device and not kept in memory:
/// most machines never need it.
final class LibWacom {
  static let shared = LibWacom()

  private static let maximumCached = 64
  private let load: () -> UnsafePointer<clibwacom>?
  private var cache: [TabletIdentity: TabletIntegration?] = [:]

  /// - Parameter load: returns the functions of the library; `nil` if it is not installed.
  init(load: @escaping () -> UnsafePointer<clibwacom>? = { clibwacom_load() }) {
    self.load = load
  }

  /// - Returns: `nil` if the device is not in the database, or if there is no database.
  func integration(of tablet: TabletIdentity) -> TabletIntegration? {
    if let found = cache[tablet] { return found }
    if cache.count == Self.maximumCached { cache = [:] }
    let found = lookUp(tablet)
    cache.updateValue(found, forKey: tablet)
    return found
  }

  private func lookUp(_ tablet: TabletIdentity) -> TabletIntegration? {
    guard let wacom = load(), let database = wacom.pointee.database_new() else { return nil }
    defer { wacom.pointee.database_destroy(database) }
    let open = OpenWacomDatabase(wacom: wacom, database: database)
    return open.byNode(tablet) ?? open.byUSBID(tablet) ?? open.byPair(tablet)
  }
}

private struct OpenWacomDatabase {
  let wacom: UnsafePointer<clibwacom>
  let database: UnsafeMutableRawPointer

  /// Distinguishes models that share one USB id (Huion's 256c:006d) by the names and firmware that udev has for a node.
  func byNode(_ tablet: TabletIdentity) -> TabletIntegration? {
    let noFallback: Int32 = 0
    return integration(wacom.pointee.new_from_path(database, tablet.node, noFallback, nil), of: tablet)
  }

  func byUSBID(_ tablet: TabletIdentity) -> TabletIntegration? {
    let (vendor, product) = (Int32(tablet.vendor), Int32(tablet.product))
    return integration(wacom.pointee.new_from_usbid(database, vendor, product, nil), of: tablet)
  }

  /// The touchscreen of a pen display may have another USB id, which the pen's entry names.
  func byPair(_ tablet: TabletIdentity) -> TabletIntegration? {
    guard let list = wacom.pointee.list_devices_from_database(database, nil) else { return nil }
    defer { free(list) }
    let devices = sequence(first: list) { $0 + 1 }.lazy.prefix { $0.pointee != nil }
    let pen = devices.compactMap(\.pointee).first { pen in
      guard let match = wacom.pointee.get_paired_device(pen) else { return false }
      return wacom.pointee.match_get_vendor_id(match) == UInt32(tablet.vendor)
        && wacom.pointee.match_get_product_id(match) == UInt32(tablet.product)
    }
    return pen.flatMap(integration)
  }

  /// - Parameter device: destroyed here.
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
    // libwacom's "not set" is -1, but all known versions return 0 for it here.
    return flags < 0 ? nil : TabletIntegration(rawValue: flags)
  }
}

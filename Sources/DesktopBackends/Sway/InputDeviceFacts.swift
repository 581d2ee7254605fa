// SPDX-License-Identifier: MIT

import Glibc

/// What the kernel and udev say of an input device, and sway does not tell.
struct InputDeviceFacts: Equatable {
  /// INPUT_PROP_DIRECT: one touches what one sees.
  var isDirect: Bool
  /// WL_OUTPUT, by which libinput tells the output that a device lies on.
  var output: String?
  /// Whether it hangs on a bus of the machine's own, as sway tells it by ID_PATH.
  var isBuiltIn: Bool

  /// Where the files are.
  struct Place {
    var classes = "/sys/class/input"
    var udev = "/run/udev/data"
  }

  /// - Parameter identifier: sway's, "vendor:product:name" in decimal numbers, blanks as underscores.
  /// - Returns: `nil` if there is no such device, as for those that are not the kernel's.
  static func find(_ identifier: String, in place: Place = Place()) -> Self? {
    guard let stream = opendir(place.classes) else { return nil }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      let path = "\(place.classes)/\(name)"
      if name.hasPrefix("event"), Self.identifier(of: path) == identifier { return Self(path, place) }
    }
    return nil
  }

  private static func identifier(of path: String) -> String? {
    guard let vendor = line(path + "/device/id/vendor").flatMap({ Int($0, radix: 16) }),
      let product = line(path + "/device/id/product").flatMap({ Int($0, radix: 16) }),
      let name = line(path + "/device/name")
    else { return nil }
    return "\(vendor):\(product):" + String(name.map { $0 == " " ? "_" : $0 })
  }

  private init(_ path: String, _ place: Place) {
    let properties = Self.line(path + "/device/properties")?.split(separator: " ").last ?? ""
    isDirect = (Int(properties, radix: 16) ?? 0) & 1 << 1 != 0
    let number = Self.line(path + "/dev") ?? ""
    let known = Self.text("\(place.udev)/c\(number)").split(separator: "\n")
    let value = { (key: String) in
      known.first { $0.hasPrefix("E:\(key)=") }.map { String($0.dropFirst(key.utf8.count + 3)) }
    }
    output = value("WL_OUTPUT")
    let place = value("ID_PATH") ?? ""
    isBuiltIn = place.hasPrefix("platform-") || place.hasPrefix("pci-") && place.contains("-platform-")
  }

  private static func line(_ path: String) -> String? {
    text(path).split(separator: "\n").first.map(String.init)
  }

  private static func text(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
  }
}

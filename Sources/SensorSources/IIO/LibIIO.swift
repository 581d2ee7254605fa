// SPDX-License-Identifier: MIT

import Autorotation
import CLibIIO

/// libiio's functions. It is loaded when a sensor is looked for.
typealias LibIIO = UnsafePointer<clibiio>

nonisolated extension LibIIO {
  /// - Throws: that it is not installed. It is tried again next time.
  static func load() throws(Message) -> LibIIO {
    var reason: UnsafePointer<CChar>?
    if let functions = clibiio_load(&reason) { return functions }
    throw .unloadable(reason: "\(reason.map { String(cString: $0) } ?? "no reason is given")")
  }
}

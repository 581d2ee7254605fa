// SPDX-License-Identifier: MIT

import Autorotation
import CLibIIO

/// libiio's functions. The library is loaded when a sensor is searched for.
typealias LibIIO = UnsafePointer<clibiio>

nonisolated extension LibIIO {
  /// - Throws: why it cannot be loaded. Each call tries again.
  static func load() throws(Message) -> LibIIO {
    var reason: UnsafePointer<CChar>?
    if let functions = clibiio_load(&reason) { return functions }
    throw .unloadable(reason: "\(reason.map { String(cString: $0) } ?? "no reason is given")")
  }
}

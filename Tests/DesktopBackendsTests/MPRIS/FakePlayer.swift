// SPDX-License-Identifier: MIT

import PrivateBus
import System

@testable import DesktopBackends

/// A media player on a private bus.
@MainActor final class FakePlayer {
  let bus: Bus
  private var exported: [ExportedInterface] = []
  var status: Value = .string("Stopped")

  init(_ name: String, entry: String = "", status: Value = .string("Playing"), on privateBus: PrivateBus)
    throws
  {
    bus = try privateBus.connect()
    self.status = status
    let path = "/org/mpris/MediaPlayer2"
    let playbackStatus: BusProperty = (
      "PlaybackStatus", status.typeSignature, { [unowned self] in self.status }
    )
    let root: BusProperty = ("DesktopEntry", "s", { .string(entry) })
    exported = try [
      bus.export(BusInterface(name: PlayerWatch.prefix, properties: [root]), at: path),
      bus.export(BusInterface(name: PlayerWatch.prefix + ".Player", properties: [playbackStatus]), at: path),
    ]
    _ = try bus.requestName("\(PlayerWatch.prefix).\(name)")
  }

  func setStatus(_ word: String) throws {
    status = .string(word)
    try exported[1].emitPropertiesChanged(["PlaybackStatus"])
  }
}

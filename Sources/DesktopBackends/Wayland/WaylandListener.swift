// SPDX-License-Identifier: MIT

/// A table of callbacks at an address that stays for the life of the process, as libwayland keeps it. Each entry
/// must be set: an event without one ends the process.
func pinned<Listener>(_ listener: Listener) -> UnsafePointer<Listener> {
  let place = UnsafeMutablePointer<Listener>.allocate(capacity: 1)
  place.initialize(to: listener)
  return UnsafePointer(place)
}

/// The object that was given to libwayland as a listener's data.
func object<Listening: AnyObject>(
  _: Listening.Type, _ context: UnsafeMutableRawPointer?
) -> Listening? {
  context.map { Unmanaged<Listening>.fromOpaque($0).takeUnretainedValue() }
}

// SPDX-License-Identifier: MIT

import CAdwaita

/// Starts a program that ends with this process, even if this process is killed.
/// - Parameters:
///   - flags: GSubprocessFlags for the pipes.
///   - error: to be freed by the caller.
/// - Returns: a GSubprocess to be unreferenced, `nil` if it cannot be started.
func startChild(
  _ command: [String], _ flags: guint, _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>? = nil
) -> OpaquePointer? {
  let launcher = cadw_subprocess_launcher(flags)
  defer { g_object_unref(launcher.map { UnsafeMutableRawPointer($0) }) }
  return withCStrings(command) { g_subprocess_launcher_spawnv(launcher, $0, error) }
}

// SPDX-License-Identifier: MIT

/// Finds the Hyprland of this session: HYPRLAND_INSTANCE_SIGNATURE names the directory with its sockets, which is
/// below XDG_RUNTIME_DIR, and was below /tmp before Hyprland 0.40.
struct HyprlandSocket {
  /// Where one asks, and where events come from.
  struct Place {
    /// The instance's directory.
    var directory: String
    /// Connected to the events' socket.
    var events: CompositorSocket

    var requests: String { directory + "/.socket.sock" }
  }

  /// Of the socket for events; connecting to the other makes Hyprland wait for a request.
  private static let events = "/.socket2.sock"

  var search = SocketSearch()
  /// Where they were before 0.40.
  var oldDirectory = "/tmp/hypr"

  func connect() throws(HyprlandUnavailable) -> Place {
    let signature = search.variable("HYPRLAND_INSTANCE_SIGNATURE").flatMap { $0.isEmpty ? nil : $0 }
    let parents = [search.runtimeDirectory.map { $0 + "/hypr" }, oldDirectory].compactMap { $0 }
    let named = signature.map { signature in parents.map { "\($0)/\(signature)\(Self.events)" } } ?? []
    let others = parents.prefix(1).flatMap { search.entries(of: $0) { _ in true } }.map { $0 + Self.events }
    do throws(SocketSearch.Failure) {
      let (path, socket) = try search.find(named: named, others: others)
      return Place(directory: String(path.dropLast(Self.events.count)), events: socket)
    } catch {
      switch error {
      case .several(let paths):
        throw .several(paths.compactMap { $0.split(separator: "/").dropLast().last.map(String.init) })
      case .none, .stale: throw signature.map { .stale($0) } ?? .none
      }
    }
  }
}

/// Why there is no Hyprland to work with: a sentence that names the next step.
package enum HyprlandUnavailable: Error, Equatable, CustomStringConvertible {
  case none
  case stale(String)
  case several([String])
  /// It does not say what it must; why.
  case mute(String)

  package var description: String {
    switch self {
    case .none:
      "there is no Hyprland here: HYPRLAND_INSTANCE_SIGNATURE is not set, and XDG_RUNTIME_DIR has no running "
        + "instance; start autorotate from within Hyprland"
    case .stale(let signature):
      "HYPRLAND_INSTANCE_SIGNATURE names \(signature), which does not run, and no other does: "
        + "start autorotate from within Hyprland"
    case .several(let signatures):
      "several Hyprlands run here: set HYPRLAND_INSTANCE_SIGNATURE to the right one of "
        + signatures.joined(separator: ", ")
    case .mute(let reason):
      "Hyprland does not tell its state (\(reason)): see whether `hyprctl version` answers"
    }
  }
}

// SPDX-License-Identifier: MIT

package import System

// The one place that names every backend.
extension BackendKind {
  /// - Parameters:
  ///   - say: takes what the print backend would do, a line each.
  ///   - note: takes sentences for the person.
  /// - Throws: an error whose text says what is wrong and the next step.
  package func makeBackend(
    loop: EventLoop, settings: DisplaySettings, say: @escaping (String) -> Void,
    note: @escaping (String) -> Void
  ) throws -> any DesktopBackend {
    switch self {
    case .x11: try X11Backend(loop: loop, settings: settings, note: note)
    case .wlroots: try WlrootsBackend(loop: loop, settings: settings, note: note)
    case .sway: try SwayBackend(loop: loop, settings: settings, note: note)
    case .hyprland: try HyprlandBackend(loop: loop, settings: settings, note: note)
    case .niri: try NiriBackend(loop: loop, settings: settings, note: note)
    case .kde: try KDEBackend(loop: loop, settings: settings, note: note)
    case .gnome: try GNOMEBackend(loop: loop, settings: settings, note: note)
    case .print: try PrintBackend(loop: loop, print: say)
    }
  }

  /// Looks without changing anything; takes 2 s at most.
  package func inspect(_ settings: DisplaySettings) throws -> DisplayInspection {
    switch self {
    case .x11: try X11Backend.inspect(settings: settings)
    case .wlroots: try WlrootsBackend.inspect(settings: settings)
    case .sway: try SwayBackend.inspect(settings: settings)
    case .hyprland: try HyprlandBackend.inspect(settings: settings)
    case .niri: try NiriBackend.inspect(settings: settings)
    case .kde: try KDEBackend.inspect(settings: settings)
    case .gnome: try GNOMEBackend.inspect(settings: settings)
    case .print: throw NoBackend(description: "the print backend has nothing to look at")
    }
  }
}

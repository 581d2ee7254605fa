// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// The supported desktops. This is the only file that names every backend.
nonisolated package enum BackendKind: String, CaseIterable, Sendable {
  case x11
  /// Any compositor with wlr-output-management: labwc, wayfire, phoc, river, cage, COSMIC.
  case wlroots
  case sway, hyprland, niri, kde, gnome, cinnamon
  /// No desktop: prints each rotation instead.
  case print

  /// Compositors with an IPC socket, and how to recognise them. If the environment names several,
  /// the first has priority.
  static let compositors: [(kind: Self, words: CompositorProfile)] = [
    (.niri, NiriDialect.profile), (.hyprland, HyprlandDialect.profile), (.sway, SwayDialect.profile),
  ]
}

extension BackendKind {
  /// - Parameters:
  ///   - print: receives the lines of the print backend, one for each rotation.
  ///   - note: receives messages for the user.
  /// - Throws: an error whose text has the fact and the next step.
  package func makeBackend(
    loop: EventLoop, settings: DisplaySettings, print: @escaping (String) -> Void,
    note: @escaping (Message) -> Void
  ) throws -> any DesktopBackend {
    let context = CompositorContext(loop: loop, settings: settings, note: note)
    return switch self {
    case .x11: try X11Backend(loop: loop, settings: settings, note: note)
    case .wlroots: try WlrootsBackend(loop: loop, settings: settings, note: note)
    case .sway: try CompositorBackend(SwayDialect(context), context)
    case .hyprland: try CompositorBackend(HyprlandDialect(context), context)
    case .niri: try CompositorBackend(NiriDialect(context), context)
    case .kde: try KDEBackend(loop: loop, settings: settings, note: note)
    case .gnome: try GNOMEBackend(loop: loop, settings: settings, note: note)
    case .cinnamon: try GNOMEBackend(.cinnamon, loop: loop, settings: settings, note: note)
    case .print: try PrintBackend(loop: loop, print: print)
    }
  }

  /// Whether windows are reported with their titles, if at all.
  package var reportsTitles: Bool { ![.gnome, .cinnamon].contains(self) }

  /// Inspects the display system without changing anything; takes 2 s at most.
  package func inspect(_ settings: DisplaySettings = .init()) throws(Message) -> DisplayInspection {
    do {
      var (found, mounts) = (try inspection(settings), KernelPanelMounts())
      found.outputs = mounts.completing(found.outputs)
      return found
    } catch {
      throw error as? Message ?? Message(.displayUnreachable, "\(error)")
    }
  }

  private func inspection(_ settings: DisplaySettings) throws -> DisplayInspection {
    let context = CompositorContext(loop: try EventLoop(), settings: settings)
    return switch self {
    case .x11: try X11Backend.inspect(settings: settings)
    case .wlroots: try WlrootsBackend.inspect(settings: settings)
    case .sway: try CompositorBackend.inspect(SwayDialect(context), context)
    case .hyprland: try CompositorBackend.inspect(HyprlandDialect(context), context)
    case .niri: try CompositorBackend.inspect(NiriDialect(context), context)
    case .kde: try KDEBackend.inspect(settings: settings)
    case .gnome: try GNOMEBackend.inspect(.gnome, settings: settings)
    case .cinnamon: try GNOMEBackend.inspect(.cinnamon, settings: settings)
    case .print: throw Message(.displayNone, "the print backend has no display to inspect")
    }
  }
}

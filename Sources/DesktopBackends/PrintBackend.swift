// SPDX-License-Identifier: MIT

package import Autorotation
import Language
package import System

/// A simulated display that prints each rotation: for trying out settings, for bug reports and tests.
package final class PrintBackend: DesktopBackend {
  package let name = "print"

  private let print: (String) -> Void
  private let nextPass: NextLoopPass
  private var outputs: [Output]
  private var report: (Event) -> Void = { _ in }

  /// - Parameters:
  ///   - withMonitor: whether there is an HDMI-1 beside the panel.
  ///   - print: receives one line per rotation, without a line end.
  package init(loop: EventLoop, withMonitor: Bool = false, print: @escaping (String) -> Void) throws {
    self.print = print
    nextPass = try NextLoopPass(loop)
    let panel = Output(name: "eDP-1", isBuiltIn: true, width: 1920, height: 1080)
    let monitor = Output(name: "HDMI-1", isBuiltIn: false, isExternal: true, width: 1920, height: 1080)
    outputs = withMonitor ? [panel, monitor] : [panel]
  }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) {
    self.report = report
    reportOutputs()
    // No window has focus.
    nextPass { [self] in self.report(.focusChanged(nil)) }
  }

  package func apply(_ rotations: [PanelRotation], completion: @escaping (Result<Void, Message>) -> Void) {
    let names = outputs.map(\.name)
    if let unknown = rotations.first(where: { !names.contains($0.output) }) {
      return nextPass { completion(.failure(.noSuchOutput(unknown.output, among: names))) }
    }
    for rotation in rotations {
      for index in outputs.indices where outputs[index].name == rotation.output { show(rotation, at: index) }
    }
    nextPass { completion(.success(())) }
    reportOutputs()
  }

  private func show(_ rotation: PanelRotation, at index: Int) {
    guard outputs[index].transform != rotation.transform else { return }
    outputs[index].transform = rotation.transform
    let (width, height) = outputs[index].rotatedSize
    print(localized("\(rotation.output): \(rotation.transform.words), \(width)x\(height)"))
  }

  package func use(_ settings: DisplaySettings) {}

  private func reportOutputs() {
    nextPass { [self] in report(.outputsChanged(outputs)) }
  }
}

extension DisplayTransform {
  /// For the user.
  nonisolated var words: Phrase {
    switch self {
    case .none: "not rotated"
    case .rotated90: "rotated 90° anticlockwise"
    case .rotated180: "rotated 180°"
    case .rotated270: "rotated 90° clockwise"
    }
  }
}

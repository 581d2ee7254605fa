// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita
import Language
import System

/// The readings of the posture sensors, and the choice of a posture by the user.
final class PostureGroup {
  private let group: Widget
  private let choice: Widget
  private let daemon: Daemon
  private var rows: [Widget] = []
  private var shown: [PostureEvidence]?
  private var isRefreshing = false

  /// In the order of window.ui.
  private static let postures: [PostureChoice] = [.auto, .tablet, .laptop, .tent, .stand]

  init(_ layout: Layout, _ daemon: Daemon) {
    group = layout["posture_group"]
    choice = layout["posture"]
    self.daemon = daemon
    choice.on("notify::selected") { [weak self] in self?.chosen() }
  }

  private func chosen() {
    let index = Int(adw_combo_row_get_selected(choice.cast()))
    guard !isRefreshing, Self.postures.indices.contains(index) else { return }
    daemon.send(.setPosture(Self.postures[index]))
  }

  func refresh() {
    choice.enable(daemon.isRunning)
    let evidence = daemon.postureEvidence
    // After a refusal, the row must show what the daemon has, which is what it was.
    select(evidence.first { $0.kind == "hand" }?.posture)
    guard evidence != shown else { return }
    shown = evidence
    for row in rows { adw_preferences_group_remove(group.cast(), row.widget) }
    rows = evidence.map(line)
    for row in rows { adw_preferences_group_add(group.cast(), row.widget) }
  }

  private func select(_ posture: String?) {
    isRefreshing = true
    defer { isRefreshing = false }
    let chosen = posture.flatMap(PostureChoice.init) ?? .auto
    adw_combo_row_set_selected(choice.cast(), guint(Self.postures.firstIndex(of: chosen) ?? 0))
  }

  private func line(_ evidence: PostureEvidence) -> Widget {
    .row(localized(evidence.words).printable(), evidence.counts ? localized("In use now") : "")
  }
}

/// One element of the daemon's property PostureEvidence.
struct PostureEvidence: Equatable {
  let kind: String
  let device: String
  let posture: String
  let counts: Bool
}

extension PostureEvidence {
  /// - Parameter value: an element of the property.
  init?(_ value: Value) {
    guard case .structure(let members) = value, let counts: Bool = try? members.read(6) else { return nil }
    func text(_ index: Int) -> String {
      (try? members.read(index, as: String.self))?.printable(limit: Daemon.maximumCharacters) ?? ""
    }
    self.init(kind: text(0), device: text(1), posture: text(4), counts: counts)
  }

  /// "“Tablet Mode Switch”: tablet"
  fileprivate var words: Phrase {
    let posture = localized((Posture(rawValue: posture) ?? .unknown).words)
    return switch kind {
    case "hand": "Your choice: \(posture)"
    case "hinge": "Hinge angle: \(posture)"
    default: "“\(device)”: \(posture)"
    }
  }
}

// SPDX-License-Identifier: MIT

/// Findings as a person or a program reads them.
struct FindingReport {
  let findings: [Finding]

  var isHealthy: Bool { !findings.contains { $0.state == .broken } }

  /// One line each, and below it the next step.
  func lines(_ style: TerminalStyle) -> [String] {
    let width = (findings.map(\.name.columns).max() ?? 0) + 2
    return findings.flatMap { finding in
      let (mark, paint) = Self.mark(finding.state, style)
      let line = style.painted(mark, paint) + finding.name.padded(to: width) + style.shown(finding.detail)
      let margin = "".padded(to: mark.count + width)
      let step = finding.nextStep.map { margin + style.shown("→ \($0)") }
      return [line] + [step].compactMap(\.self)
    }
  }

  /// One object on one line.
  var json: String {
    let findings = findings.map { finding in
      JSON.object([
        ("name", .string(finding.name)), ("state", .string(finding.state.rawValue)),
        ("detail", .string(finding.detail)), ("nextStep", .optional(finding.nextStep ?? "")),
      ])
    }
    return JSON.object([("healthy", .bool(isHealthy)), ("findings", .array(findings))]).description
  }

  private static func mark(_ state: Finding.State, _ style: TerminalStyle) -> (String, TerminalStyle.Paint) {
    switch state {
    case .works: (style.isUnicode ? "✓ " : "ok    ", .green)
    case .broken: (style.isUnicode ? "✗ " : "FAIL  ", .red)
    case .notApplicable: (style.isUnicode ? "– " : "n/a   ", .faint)
    }
  }
}

// SPDX-License-Identifier: MIT

import Autorotation

/// Merges the files: nearer ones win, key by key in config.toml, file name by file name in `apps`.
struct ConfigurationMerge {
  private(set) var merged = Configuration()
  /// The value in force of each key, and the file it is from.
  private(set) var assignments: [PartialKeyPath<Configuration>: (assignment: Assignment, file: ReadFile)] =
    [:]
  /// The rules in force, nearest first.
  private(set) var rules: [(written: WrittenRule, file: ReadFile)] = []

  /// - Parameter files: the nearest first.
  init(_ files: [ReadFile], aspect: PanelAspect?) {
    mergeSettings(files)
    mergeRules(files)
    merged.diagnostics = files.flatMap(\.diagnostics)
    merged.diagnostics += contradictions(on: aspect)
    sortDiagnostics(by: files)
  }

  private mutating func mergeSettings(_ files: [ReadFile]) {
    for file in files {
      guard case .settings(let written) = file.contents else { continue }
      for assignment in written where assignments[assignment.key.path] == nil {
        assignments[assignment.key.path] = (assignment, file)
      }
    }
    for key in Configuration.keys {
      guard let (assignment, file) = assignments[key.path] else { continue }
      key.copy(assignment.alone, &merged)
      guard !assignment.isDefault else { continue }
      merged.changedSettings.append(
        .init(
          name: key.title, value: key.text(merged), path: file.file.path, line: assignment.place.line))
    }
  }

  private mutating func mergeRules(_ files: [ReadFile]) {
    var nearest: [String: ReadFile] = [:]
    for file in files where file.file.kind == .rule {
      let nearer = nearest[file.file.name]
      // A file that cannot be understood does not replace another.
      if nearer == nil, file.contents != .broken { nearest[file.file.name] = file }
      add(file, nearer: nearer)
    }
    merged.settings.rules = rules.map(\.written.rule)
  }

  private mutating func add(_ file: ReadFile, nearer: ReadFile?) {
    var entry = Configuration.RuleFile(path: file.file.path, layer: file.file.layer, state: .broken)
    switch (file.contents, nearer) {
    case (.rule(let written), nil):
      entry.rule = written.rule
      entry.state = .inForce
      rules.append((written, file))
    case (.rule(let written), let nearer?):
      entry.rule = written.rule
      let path = nearer.file.path
      entry.state = nearer.contents == .nothing ? .switchedOff(by: path) : .replaced(by: path)
    case (.nothing, let nearer?): entry.state = .replaced(by: nearer.file.path)
    case (.nothing, nil): entry.state = .inForce
    case (.broken, _), (.settings, _): break
    }
    if let fault = file.fault {
      entry.fault = fault
      entry.names = file.applications
    }
    merged.ruleFiles.append(entry)
  }

  private mutating func sortDiagnostics(by files: [ReadFile]) {
    let order = Dictionary(files.enumerated().map { ($1.file.path, $0) }) { first, _ in first }
    let sorted = merged.diagnostics.enumerated().map { index, diagnostic in
      (
        place: (
          order[diagnostic.path] ?? .max, diagnostic.place?.line ?? 0, diagnostic.place?.column ?? 0, index
        ), diagnostic
      )
    }
    merged.diagnostics = sorted.sorted { $0.place < $1.place }.map(\.1)
  }
}

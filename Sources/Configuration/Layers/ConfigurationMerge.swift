// SPDX-License-Identifier: MIT

import Autorotation

/// Merges the files by precedence: key by key in config.toml, file name by file name in `apps`.
struct ConfigurationMerge {
  private(set) var merged = Configuration()
  /// The value in effect of each key, and its file.
  private(set) var assignments: [PartialKeyPath<Configuration>: (assignment: Assignment, file: ParsedFile)] =
    [:]
  /// The files of the rules in effect, highest precedence first.
  private var effectiveFiles: [ParsedFile] = []
  let aspect: PanelAspect?

  /// - Parameter files: highest precedence first.
  init(_ files: [ParsedFile], aspect: PanelAspect?) {
    self.aspect = aspect
    mergeSettings(files)
    mergeRules(files)
    merged.diagnostics = files.flatMap(\.diagnostics)
    merged.diagnostics += contradictions
    sortDiagnostics(by: files)
  }

  /// The rules in effect, highest precedence first.
  var rules: some Sequence<(written: WrittenRule, file: ParsedFile)> {
    effectiveFiles.lazy.compactMap { file in file.written.map { ($0, file) } }
  }

  private mutating func mergeSettings(_ files: [ParsedFile]) {
    for file in files {
      for assignment in file.assignments where assignments[assignment.key.path] == nil {
        assignments[assignment.key.path] = (assignment, file)
      }
    }
    for key in Configuration.keys {
      guard let (assignment, file) = assignments[key.path] else { continue }
      key.copy(assignment.alone, &merged)
      if !assignment.isDefault { merged.places[key.fullName] = "\(file.file.path):\(assignment.place.line)" }
    }
  }

  private mutating func mergeRules(_ files: [ParsedFile]) {
    var effective: [String: ParsedFile] = [:]
    for file in files where file.file.kind == .rule {
      let overriding = effective[file.file.name]
      // An invalid file does not override another.
      if overriding == nil, file.contents != .broken { effective[file.file.name] = file }
      if overriding == nil, file.rule != nil { effectiveFiles.append(file) }
      merged.ruleFiles.append(.init(file: file, state: Self.state(of: file, overriding)))
    }
    merged.settings.rules = effectiveFiles.compactMap(\.rule)
  }

  private static func state(of file: ParsedFile, _ overriding: ParsedFile?) -> Configuration.RuleState {
    guard file.contents != .broken else { return .broken }
    guard let path = overriding?.file.path else { return .inForce }
    return file.rule != nil && overriding?.contents == .nothing ? .switchedOff(by: path) : .replaced(by: path)
  }

  private mutating func sortDiagnostics(by files: [ParsedFile]) {
    let order = Dictionary(files.enumerated().map { ($1.file.path, $0) }) { first, _ in first }
    let sorted = merged.diagnostics.enumerated().map { index, diagnostic in
      let (file, place) = (order[diagnostic.path] ?? .max, diagnostic.place)
      return (place: (file, place?.line ?? 0, place?.column ?? 0, index), diagnostic)
    }
    merged.diagnostics = sorted.sorted { $0.place < $1.place }.map(\.1)
  }
}

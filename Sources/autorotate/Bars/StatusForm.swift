// SPDX-License-Identifier: MIT

/// In which words the status is told.
enum StatusForm: Equatable {
  /// For people: several lines at once, or a line at each change.
  case people
  case json
  case bar(BarFormat)

  /// One line; `nil` stands for no daemon.
  func line(_ report: StatusReport?) -> String {
    switch self {
    case .people: report?.line ?? Failure.notRunning.description
    case .json: report?.json ?? "null"
    case .bar(let format): format.line(report)
    }
  }

  /// All that there is to tell, without a newline at the end.
  func whole(_ report: StatusReport) -> String {
    self == .people ? report.text : line(report)
  }
}

// SPDX-License-Identifier: MIT

import Autorotation

extension Autorotate {
  /// Does what the options ask of a daemon that runs.
  /// - Returns: `nil` if they ask nothing of it.
  @MainActor
  func askDaemon() throws -> ExitStatus? {
    if status, follow { return try FollowCommand.run(asJSON: json) }
    guard let request else { return nil }
    try request(ControlClient())
    return .done
  }

  @MainActor
  private var request: ((ControlClient) throws -> Void)? {
    if let lock { return { try $0.lock(lock.word) } }
    if let rotate { return { try $0.rotate(rotate.word) } }
    if unlock { return { try $0.unlock() } }
    if toggleLock { return { try $0.toggleLock() } }
    if hold { return { try $0.hold(true) } }
    if release { return { try $0.hold(false) } }
    if status { return { Console.say(json ? try $0.status().json : try $0.status().text) } }
    return nil
  }
}

extension LockTarget {
  fileprivate var word: String {
    switch self {
    case .shown: ""
    case .orientation(let orientation): orientation.word
    }
  }
}

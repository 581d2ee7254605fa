// SPDX-License-Identifier: MIT

import Glibc

/// Threads besides the loop's, for calls that can only block: to a sensor's driver, and to libraries that block until a
/// server's first answer.
nonisolated package enum BackgroundThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  /// Runs `body` on a thread with all signals blocked: the loop handles them.
  package static func start(_ body: @escaping @Sendable () -> Void) throws {
    var all = sigset_t()
    var former = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &former)
    let code = create(Body(body))
    pthread_sigmask(SIG_SETMASK, &former, nil)
    guard code == 0 else { throw SystemError(call: "pthread_create", code: code) }
  }

  private static func create(_ body: Body) -> Int32 {
    let context = Unmanaged.passRetained(body)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    if code == 0 { pthread_detach(thread) } else { context.release() }
    return code
  }
}

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
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    let context = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      throw SystemError(call: "pthread_create", code: code)
    }
    pthread_detach(thread)
  }
}

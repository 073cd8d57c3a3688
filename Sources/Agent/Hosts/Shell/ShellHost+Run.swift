// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Glibc

extension ShellHost {
  /// Runs the host of the user's shells until the last of them ends. Returns if there is a host already.
  ///
  package nonisolated static func run(
    describe: @escaping Describe
  ) throws(SystemError) {
    guard let folder = ShellFolder.own else { return }
    // The terminal may close, and nothing that the shell had open stays open because of this process.
    setsid()
    Descriptor.closeAll(from: STDERR_FILENO + 1)
    _ = chdir("/")
    umask(0o077)
    try folder.make()
    // A shell that starts this process has written before. So a host that ends sees it after it has given up the lock.
    let lock = try folder.openLock()
    guard ShellFolder.setLock(true, on: lock) else { return }
    let stopSignals = [SIGTERM, SIGINT, SIGHUP]
    Signals.hold(stopSignals)
    Task { @Loop in
      do throws(SystemError) { try start(folder, lock, describe) } catch { exit(1) }
    }
    Signals.wait(for: stopSignals) { _ in end(folder) }
  }

  private nonisolated static func end(_ folder: ShellFolder) -> Never {
    folder.withdraw()
    exit(0)
  }

  @Loop private static var host: ShellHost?

  @Loop private static func start(
    _ folder: ShellFolder,
    _ lock: Int32,
    _ describe: @escaping Describe
  ) throws(SystemError) {
    // What shells write elsewhere does not arrive here, so nothing may stay offered.
    host = try ShellHost(folder, describe: describe, onLost: { end(folder) }, onIdle: { stop(folder, lock) })
    try folder.announce()
    host?.readAll()
  }

  /// Ends this process, unless a shell has come meanwhile.
  @Loop private static func stop(_ folder: ShellFolder, _ lock: Int32) {
    folder.withdraw()
    ShellFolder.setLock(false, on: lock)
    guard folder.names().contains(where: { Int32($0) != nil }), ShellFolder.setLock(true, on: lock),
      (try? folder.announce()) != nil
    else { exit(0) }
    host?.readAll()
  }
}

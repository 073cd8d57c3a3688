// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Localization

/// The lock on a file in the user's runtime directory that only one agent per daemon can hold. Two agents would both
/// show what is offered. The lock ends with the process.
package struct AgentLock: Sendable {
  package struct Taken: Error, CustomStringConvertible {
    /// The ID of the process that has the lock; empty if it is not known.
    let process: String

    package var description: String {
      process.isEmpty
        ? localized("An agent is already running for this user.")
        : localized("An agent is already running for this user, as process \(process).")
    }
  }

  /// It stays open, because the lock belongs to it.
  let descriptor: Int32

  /// - Parameter socket: The daemon's socket that the user gave; nil for the default one.
  /// - Returns: Nil if the user has no runtime directory, or no file can be created there. Then agents do not know of
  ///   each other.
  /// - Throws: If another agent has the lock.
  package init?(socket: String?, _ environment: ProcessEnvironment = .current) throws(Taken) {
    guard let directory = environment.runtimeDirectory else { return nil }
    let name = (socket ?? environment["BATON_SOCKET"]).map { "-" + PercentEncoding.encode(Array($0.utf8)) } ?? ""
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    descriptor = open("\(directory)/baton-agent\(name).lock", flags, 0o600)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      var text = [UInt8](repeating: 0, count: 32)
      let count = isTaken ? pread(descriptor, &text, text.count, 0) : 0
      close(descriptor)
      guard isTaken else { return nil }
      throw Taken(
        process: String(decoding: text.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }, as: UTF8.self)
      )
    }
    let text = Array("\(getpid())\n".utf8)
    ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
  }
}

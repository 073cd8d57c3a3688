// SPDX-License-Identifier: Apache-2.0

import CLinux
import Desktop
import EventLoop
import Glibc
import Synchronization

/// Lets others stop a transfer, which runs on a thread of its own, and see how far it is.
package final class TransferControl: Sendable {
  /// How far a transfer is.
  package struct Progress: Equatable, Sendable {
    package enum Stage: Equatable, Sendable {
      /// The origin looks at what it sends, or the receiver at what it has.
      case preparing
      case moving
      /// Everything is there, and is written to the disk and given its names.
      case finishing
    }

    package var stage = Stage.preparing
    /// The number of bytes that are in the receiver's files, and of all.
    package var received: UInt64 = 0
    package var size: UInt64 = 0
    /// The number of files that are done, and of all.
    package var files = 0
    package var count = 0
    /// What the system said when the receiver could not write.
    package var error: SystemError?

    package init() {}
  }

  private struct State {
    var failure: TransferFailure?
    var progress = Progress()
  }

  private let state = Mutex(State())
  /// Readable once the transfer is to stop. Negative if the system provides none, so that stopping takes a second.
  let stopDescriptor: Int32

  package init() { stopDescriptor = clinux_eventfd() }

  deinit { if stopDescriptor >= 0 { close(stopDescriptor) } }

  /// Ends the transfer soon, for this reason, which the other side is told. A second reason changes nothing.
  package func stop(_ failure: TransferFailure) {
    state.withLock { if $0.failure == nil { $0.failure = failure } }
    var one: UInt64 = 1
    if stopDescriptor >= 0 { _ = write(stopDescriptor, &one, 8) }
  }

  /// Why the transfer is to end. Nil while it is not.
  package var failure: TransferFailure? { state.withLock { $0.failure } }

  package var progress: Progress { state.withLock { $0.progress } }

  package func update(_ change: (inout Progress) -> Void) { state.withLock { change(&$0.progress) } }
}

// SPDX-License-Identifier: Apache-2.0

import Desktop

extension FileReceiver {
  /// What has arrived, and what has not.
  package struct Result: Equatable, Sendable {
    /// The paths of the files and folders at the top.
    package var paths: [[UInt8]] = []
    /// At most `Limits.transferOmissions`.
    package var omissions: [Omission] = []
    /// The number of all that the origin could not send or this machine could not write.
    package var omitted = 0
  }

  /// What arrived before an agent was killed.
  package struct Finished: Sendable {
    /// The paths of those that got their names now.
    package let paths: [[UInt8]]
    package let arrival: Arrival
  }

  /// What this machine allows.
  package struct Allowance: Sendable {
    /// The maximum size of all files, in bytes.
    package var size: UInt64
    /// The number of bytes that must stay free on the disk.
    package var reserve: UInt64
    /// The names at the top that somebody was asked about.
    package var asked: Set<[UInt8]> = []
    /// Is asked about what comes once it is known, on the receiver's thread. Returns why it is not received.
    package var admit: @Sendable (Announced) -> TransferFailure?

    package init(
      size: UInt64 = .max,
      reserve: UInt64 = 64 << 20,
      admit: @escaping @Sendable (Announced) -> TransferFailure? = { _ in nil }
    ) { (self.size, self.reserve, self.admit) = (size, reserve, admit) }
  }

  /// What the origin says that comes.
  package struct Announced: Sendable {
    /// The names of the files and folders at the top, for people. That of a folder ends with a slash.
    package let names: [String]
    /// The size of all files in bytes.
    package let size: UInt64
    /// The number of all files.
    package let count: Int
    /// The number of files and folders.
    package let entries: Int
  }
}

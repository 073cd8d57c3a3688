// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// What goes through the stream of an `io.baton.files` activity (ActivityTypes.md, "The files stream").
package enum TransferFrame: Equatable, Sendable {
  /// Receiver: the first frame.
  case request(version: Int)
  /// Origin: some of what it sends, each folder before what is in it.
  case entries([TransferEntry])
  /// Origin: that was all.
  case entriesEnd(EntriesEnd)
  /// Receiver: what it has of a file, from an earlier stream: hashes of its blocks, from `block` on.
  case present(entry: UInt32, block: UInt32, hashes: ArraySlice<UInt8>)
  /// Receiver: it has said what it has.
  case go
  /// Origin: bytes of a file.
  case data(entry: UInt32, offset: UInt64, bytes: ArraySlice<UInt8>)
  /// Origin: all bytes of the file were sent that the receiver did not have. The rest is zeros.
  case fileEnd(entry: UInt32, size: UInt64, modified: FileTime)
  /// Either: the entry is left out.
  case omitted(entry: UInt32, OmittedReason)
  /// Origin: every entry was sent or left out.
  case end
  /// Receiver: how many bytes are in its files by now, those that it had before included.
  case received(UInt64)
  /// Either: the transfer is over. From the receiver, without a failure, it says that everything has its final name.
  ///
  /// - Parameter omitted: How many were left out, as far as the side that says so knows.
  case finished(TransferFailure?, omitted: Int = 0)

  package static let version = 1
  /// A frame's kind in one byte, and the length of its payload in three, the highest byte first.
  package static let headerLength = 4

  package struct EntriesEnd: Equatable, Sendable {
    /// The number of entries.
    package let count: UInt32
    /// The size of all files, in bytes.
    package let size: UInt64
    /// The number of bytes that they take on the disk, without holes.
    package let stored: UInt64
    /// What the origin leaves out from the start, such as pipes and links that lead elsewhere.
    package let omitted: UInt32

    package init(count: UInt32, size: UInt64, stored: UInt64, omitted: UInt32) {
      (self.count, self.size, self.stored, self.omitted) = (count, size, stored, omitted)
    }
  }

  /// The kind of a frame that carries bytes of a file, which are not worth a copy.
  package static var dataKind: UInt8 { Kind.data.rawValue }

  enum Kind: UInt8 {
    case request = 1
    case entries = 2
    case entriesEnd = 3
    case present = 4
    case go = 5
    case data = 6
    case fileEnd = 7
    case omitted = 8
    case end = 9
    case received = 10
    case finished = 11
  }
}

/// The other side does not speak the protocol.
package struct MalformedTransfer: Error, Equatable, Sendable {
  /// What is wrong, for the log.
  package let message: String

  package init(_ message: String) { self.message = message }
}

// SPDX-License-Identifier: Apache-2.0

/// The peer's bytes on their way to the app's socket.
package struct IncomingBytes {
  /// What arrived in this batch and has not been written yet: parts of the connection's buffer.
  private var arrived: [ArraySlice<UInt8>] = []
  /// Bytes that arrived and that the socket has not taken yet, at most the flow's window.
  private var held: HeldBytes

  /// How many parts are written with one call. A batch of full frames has fewer, and the kernel takes 1,024 (IOV_MAX).
  private static let partsPerWrite = 64

  /// - Parameter held: Bytes that the socket of a previous daemon's stream has not taken.
  package init(held: [UInt8] = []) { self.held = HeldBytes(held) }

  /// Whether so much has arrived that it should be written before the batch ends.
  var isFull: Bool { arrived.count >= Self.partsPerWrite }

  /// Whether bytes wait until the socket takes more.
  var isHeld: Bool { !held.isEmpty }

  /// What the next daemon must write.
  var unwritten: [UInt8] { held.all + arrived.joined() }

  /// Takes a part of the connection's buffer.
  package mutating func append(_ bytes: ArraySlice<UInt8>) { arrived.append(bytes) }

  /// Writes what has arrived, and keeps what the socket does not take.
  ///
  /// - Parameter descriptor: Nil if there is no socket yet.
  /// - Returns: How many bytes the socket has taken; nil if it is broken.
  package mutating func write(to descriptor: Int32?) -> Int? {
    var taken = 0
    if let descriptor, !held.isEmpty {
      guard let count = held.write(to: descriptor) else { return nil }
      taken = count
    }
    var rest = 0
    if let descriptor, held.isEmpty, !arrived.isEmpty {
      guard let count = ArraySlice.write(arrived, to: descriptor) else { return nil }
      rest = count
    }
    held.append(arrived, after: rest)
    arrived.removeAll(keepingCapacity: true)
    return taken + rest
  }
}

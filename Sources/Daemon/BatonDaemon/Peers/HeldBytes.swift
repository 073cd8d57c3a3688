// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Bytes that wait until a descriptor takes them.
struct HeldBytes {
  /// What arrived together is in one piece, and so is what arrived in small pieces.
  private var pieces: [ArraySlice<UInt8>] = []

  /// Up to this length, a piece gets further bytes.
  private static let smallPiece = 64 * 1024
  /// How many pieces are written with one call.
  private static let piecesPerWrite = 16

  init(_ bytes: [UInt8] = []) {
    if !bytes.isEmpty { pieces = [bytes[...]] }
  }

  var isEmpty: Bool { pieces.isEmpty }

  var all: [UInt8] { Array(pieces.joined()) }

  /// Writes as much as the descriptor takes.
  ///
  /// - Returns: How many bytes were taken; nil if the descriptor is broken.
  mutating func write(to descriptor: Int32) -> Int? {
    guard !isEmpty else { return 0 }
    guard let count = ArraySlice.write(Array(pieces.prefix(Self.piecesPerWrite)), to: descriptor) else { return nil }
    var rest = count
    while let first = pieces.first, first.count <= rest {
      rest -= first.count
      pieces.removeFirst()
    }
    if rest > 0 { pieces[0] = pieces[0].dropFirst(rest) }
    return count
  }

  /// Adds all of `slices` except the first `count` bytes.
  mutating func append(_ slices: [ArraySlice<UInt8>], after count: Int) {
    let total = slices.reduce(-count) { $0 + $1.count }
    guard total > 0 else { return }
    if let last = pieces.last, last.count + total <= Self.smallPiece {
      Self.add(slices, after: count, to: &pieces[pieces.count - 1])
    } else {
      var piece: ArraySlice<UInt8> = []
      piece.reserveCapacity(total)
      Self.add(slices, after: count, to: &piece)
      pieces.append(piece)
    }
  }

  private static func add(_ slices: [ArraySlice<UInt8>], after count: Int, to piece: inout ArraySlice<UInt8>) {
    var skipped = count
    for slice in slices {
      piece += slice.dropFirst(skipped)
      skipped = max(0, skipped - slice.count)
    }
  }
}

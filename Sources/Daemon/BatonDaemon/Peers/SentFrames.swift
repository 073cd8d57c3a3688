// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import Handoff

/// The frames of one direction of a stream that the peer has not acknowledged. An app's bytes are read directly to
/// their place in their frames. They are sent from there, and stay there until they need not be sent again.
@Loop
package struct SentFrames: ~Copyable {
  /// A piece of memory with whole frames, one after the other.
  private struct Piece {
    let memory: UnsafeMutableRawPointer
    /// Where the first frame begins, where the first one begins that has not been sent in this session, and where the
    /// last one ends.
    var start = 0
    var sent = 0
    var end = 0
    /// The offset of the byte after the last frame.
    var nextOffset: UInt64 = 0
  }

  /// The most bytes that are read at a time.
  package static let batchLength = 256 * 1024
  /// A piece with less room than this gets no further frame.
  private static let leastFrame = 1024

  private let stream: UInt32
  private let account: StreamMemory.Account
  private var pieces: [Piece] = []
  /// The first piece with frames that have not been sent in this session.
  private var unsent = 0

  /// Where the next bytes can go, for `readv`, and in which piece each place is. Used by one call at a time.
  private static var places: [iovec] = []
  private static var owners: [Int] = []

  /// - Parameter stream: The stream's number on its sessions.
  package init(stream: UInt32, account: StreamMemory.Account) {
    (self.stream, self.account) = (stream, account)
  }

  /// Puts what small frames hold into large ones, if their headers take much of the memory and all were sent.
  ///
  /// - Returns: Whether that made room.
  mutating func compact() -> Bool {
    guard let first = pieces.first, pieces.allSatisfy({ $0.sent == $0.end }) else { return false }
    let (bytes, offset) = (bytes, Self.frameOffset(first.memory + first.start))
    let needed = 1 + bytes.count / (2 * DataFrame.maximumCount)
    guard needed < pieces.count else { return false }
    clear()
    var count = 0
    while count < bytes.count {
      count += bytes[count...].withUnsafeBytes { append($0, at: offset + UInt64(count), isForced: true) }
    }
    for index in pieces.indices { pieces[index].sent = pieces[index].end }
    unsent = max(0, pieces.count - 1)
    return true
  }

  /// Frees the memory.
  package mutating func clear() {
    for piece in pieces { account.givePiece(piece.memory) }
    pieces = []
    unsent = 0
  }

  // MARK: Adding

  /// Reads up to `limit` of the app's bytes, at most ``batchLength``.
  ///
  /// - Parameter offset: The offset of the first of them in its direction of the stream.
  /// - Returns: The result of `readv`: 0 at the end, -1 with `errno`. Nil if there is no memory for them now.
  package mutating func read(_ limit: UInt64, at offset: UInt64, from descriptor: Int32) -> Int? {
    guard findPlaces(for: Int(min(limit, UInt64(Self.batchLength)))) else { return nil }
    let count = readv(descriptor, Self.places, Int32(Self.places.count))
    let error = errno
    makeFrames(max(0, count), at: offset)
    errno = error
    return count
  }

  /// Takes bytes from the start of `bytes`, at most ``batchLength``.
  ///
  /// - Parameter isForced: Whether to take them even if there is no memory for them, because they are there already.
  /// - Returns: How many bytes were taken; 0 if there is no memory for them now.
  mutating func append(_ bytes: UnsafeRawBufferPointer, at offset: UInt64, isForced: Bool = false) -> Int {
    guard findPlaces(for: min(bytes.count, Self.batchLength), isForced: isForced) else { return 0 }
    var count = 0
    for place in Self.places {
      let part = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count).prefix(place.iov_len))
      UnsafeMutableRawBufferPointer(start: place.iov_base, count: place.iov_len).copyMemory(from: part)
      count += part.count
    }
    makeFrames(count, at: offset)
    return count
  }

  /// Finds places for up to `limit` bytes, each for one frame.
  ///
  /// - Returns: Whether there is any.
  private mutating func findPlaces(for limit: Int, isForced: Bool = false) -> Bool {
    Self.places.removeAll(keepingCapacity: true)
    Self.owners.removeAll(keepingCapacity: true)
    var rest = limit
    var end = pieces.last?.end ?? 0
    while rest > 0 {
      if pieces.isEmpty || StreamMemory.pieceLength - end < DataFrame.headerLength + Self.leastFrame {
        guard let memory = account.takePiece(isForced: isForced) else { break }
        pieces.append(Piece(memory: memory))
        end = 0
      }
      let place = pieces[pieces.count - 1].memory + end + DataFrame.headerLength
      let count = min(DataFrame.maximumCount, StreamMemory.pieceLength - end - DataFrame.headerLength, rest)
      Self.places.append(iovec(iov_base: place, iov_len: count))
      Self.owners.append(pieces.count - 1)
      rest -= count
      end += DataFrame.headerLength + count
    }
    return !Self.places.isEmpty
  }

  /// Makes frames of the first `count` bytes in the places, and gives back the pieces that got none.
  private mutating func makeFrames(_ count: Int, at offset: UInt64) {
    var done = 0
    for (place, owner) in zip(Self.places, Self.owners) where done < count {
      let part = min(place.iov_len, count - done)
      Self.writeHeader(place.iov_base - DataFrame.headerLength, stream, offset + UInt64(done), part)
      done += part
      pieces[owner].end += DataFrame.headerLength + part
      pieces[owner].nextOffset = offset + UInt64(done)
    }
    while let last = pieces.last, last.start == last.end { account.givePiece(pieces.removeLast().memory) }
  }

  private static func writeHeader(_ place: UnsafeMutableRawPointer, _ stream: UInt32, _ offset: UInt64, _ count: Int) {
    let header = DataFrame.header(stream: stream, offset: offset, count: count)
    place.storeBytes(of: header.0.bigEndian, as: UInt64.self)
    place.storeBytes(of: header.1.bigEndian, toByteOffset: 8, as: UInt64.self)
  }

  /// How many bytes of the stream the frame has that begins here.
  private static func frameCount(_ frame: UnsafeMutableRawPointer) -> Int {
    DataFrame.count(header: UInt64(bigEndian: frame.loadUnaligned(as: UInt64.self)))
  }

  private static func frameOffset(_ frame: UnsafeMutableRawPointer) -> UInt64 {
    UInt64(bigEndian: frame.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  // MARK: Sending

  /// How many bytes the next frames have that were not sent in this session.
  ///
  /// - Parameter limit: At most so many, except that one frame may have more.
  func nextCount(_ limit: Int) -> Int {
    var count = 0
    for index in unsent..<max(unsent, pieces.count) {
      var place = pieces[index].sent
      while place < pieces[index].end {
        let part = Self.frameCount(pieces[index].memory + place)
        guard count == 0 || count + part <= limit else { return count }
        count += part
        place += DataFrame.headerLength + part
      }
    }
    return count
  }

  /// Passes the next frames to `body`, some at a time, as far as they have `count` bytes.
  ///
  /// - Parameter count: The bytes of whole frames.
  package mutating func send(_ count: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
    var rest = count
    while rest > 0, unsent < pieces.count {
      let piece = pieces[unsent]
      var end = piece.sent
      while end < piece.end, rest > 0 {
        let part = Self.frameCount(piece.memory + end)
        rest -= part
        end += DataFrame.headerLength + part
      }
      if end > piece.sent { body(UnsafeRawBufferPointer(start: piece.memory + piece.sent, count: end - piece.sent)) }
      pieces[unsent].sent = end
      // More frames may be added to the last piece.
      guard end == piece.end, unsent < pieces.count - 1 else { break }
      unsent += 1
    }
    precondition(rest <= 0, "\(rest) bytes are missing")
  }

  /// Makes all frames be sent again, because a new session has begun.
  mutating func rewind() {
    for index in pieces.indices { pieces[index].sent = pieces[index].start }
    unsent = 0
  }

  // MARK: Forgetting

  /// Frees what is before `offset`, because the peer has it.
  package mutating func acknowledge(_ offset: UInt64) {
    var done = 0
    while done < pieces.count, pieces[done].nextOffset <= offset {
      account.givePiece(pieces[done].memory)
      done += 1
    }
    if done < pieces.count { Self.drop(before: offset, of: &pieces[done], stream) }
    pieces.removeFirst(done)
    unsent = max(0, unsent - done)
  }

  private static func drop(before offset: UInt64, of piece: inout Piece, _ stream: UInt32) {
    while piece.start < piece.end {
      let frame = piece.memory + piece.start
      let (first, count) = (frameOffset(frame), frameCount(frame))
      guard first < offset else { break }
      let part = Int(min(UInt64(count), offset - first))
      // The header of the rest of a frame moves to just before its bytes.
      if part < count { writeHeader(frame + part, stream, offset, count - part) }
      piece.start += part < count ? part : DataFrame.headerLength + count
    }
    piece.sent = max(piece.sent, piece.start)
  }

  /// The bytes of all frames.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for piece in pieces {
      var place = piece.start
      while place < piece.end {
        let count = Self.frameCount(piece.memory + place)
        bytes += UnsafeRawBufferPointer(start: piece.memory + place + DataFrame.headerLength, count: count)
        place += DataFrame.headerLength + count
      }
    }
    return bytes
  }
}

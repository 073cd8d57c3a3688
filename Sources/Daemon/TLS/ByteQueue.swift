// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A queue of bytes, appended at the end and taken from the front, in one piece of memory.
///
/// The memory is kept while it is used, because new memory costs more than the work that is done with it: the kernel
/// provides and clears each page. A queue frees its memory when only little passes through it.
struct ByteQueue: ~Copyable {
  private var storage: UnsafeMutableRawPointer?
  private(set) var capacity = 0
  private var start = 0
  private var end = 0
  /// How often in a row the queue was emptied without having needed much of its memory.
  private var idleRounds = 0

  /// The number of idle rounds after which the memory is freed.
  private static let idleRoundsKept = 4
  /// The allocator has this many bytes at hand, so keeping them gains nothing.
  private static let leastKept = 4096

  init() {}

  deinit { free(storage) }

  var count: Int { end - start }

  /// Makes room for `length` more bytes.
  mutating func reserve(_ length: Int) {
    guard length > capacity - end else { return }
    if length <= capacity - count, count <= start, let storage {
      memcpy(storage, storage + start, count)
    } else {
      let larger = max(count + length, capacity * 2)
      guard let memory = malloc(larger) else { fatalError("Out of memory: \(larger) bytes") }
      if let storage { memcpy(memory, storage + start, count) }
      free(storage)
      storage = memory
      capacity = larger
    }
    end -= start
    start = 0
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    append(upTo: bytes.count) { space in
      space.copyMemory(from: bytes)
      return bytes.count
    }
  }

  /// Appends what `body` writes to a space of `length` bytes. `body` returns how many bytes it wrote.
  @discardableResult
  mutating func append(upTo length: Int, from body: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    reserve(length)
    let space = UnsafeMutableRawBufferPointer(start: storage.map { $0 + end }, count: length)
    let written = min(max(body(space), 0), length)
    end += written
    if count == 0 { emptied() }
    return written
  }

  /// Moves as many bytes as are available and fit into `destination`.
  mutating func take(into destination: UnsafeMutableRawBufferPointer) -> Int {
    take { bytes in
      let taken = UnsafeRawBufferPointer(rebasing: bytes.prefix(destination.count))
      destination.copyMemory(from: taken)
      return taken.count
    }
  }

  /// Gives `body` all bytes, and drops as many as it returns.
  @discardableResult
  mutating func take(_ body: (UnsafeRawBufferPointer) -> Int) -> Int {
    let taken = min(max(body(UnsafeRawBufferPointer(start: storage.map { $0 + start }, count: count)), 0), count)
    start += taken
    if taken > 0, count == 0 { emptied() }
    return taken
  }

  /// Frees the memory if much more is there than the queue's bytes need. A peer may leave a part of a record in it.
  mutating func trim() {
    guard count <= capacity / 4 else { return }
    var needed: UnsafeMutableRawPointer?
    if count > 0, let storage {
      guard let memory = malloc(count) else { return }
      memcpy(memory, storage + start, count)
      needed = memory
    }
    let length = count
    free(storage)
    (storage, capacity, start, end, idleRounds) = (needed, length, 0, length, 0)
  }

  private mutating func emptied() {
    // `end` shows how much memory was needed since the last time.
    idleRounds = end < capacity / 4 ? idleRounds + 1 : 0
    start = 0
    end = 0
    guard idleRounds > Self.idleRoundsKept || capacity <= Self.leastKept else { return }
    free(storage)
    storage = nil
    capacity = 0
    idleRounds = 0
  }
}

import Glibc

/// Bytes that go in at the end and out at the front, in one piece of memory.
///
/// The memory is kept while it is made use of, as new memory costs more than what is done with it (each page is given
/// and cleared by the kernel); a queue that only little goes through any more gives it back.
struct ByteQueue: ~Copyable {
  private var storage: UnsafeMutableRawPointer?
  private(set) var capacity = 0
  private var start = 0
  private var end = 0
  /// How often in a row the queue was emptied without having needed much of its memory.
  private var idleRounds = 0

  /// After so many idle rounds the memory is given back.
  private static let idleRoundsKept = 4
  /// Bytes of memory that the allocator has at hand.
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

  /// Appends what `body` writes to the space of `length` bytes that it is given; it returns how much that is.
  @discardableResult
  mutating func append(upTo length: Int, from body: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    reserve(length)
    let space = UnsafeMutableRawBufferPointer(start: storage.map { $0 + end }, count: length)
    let written = min(max(body(space), 0), length)
    end += written
    if count == 0 { emptied() }
    return written
  }

  /// Moves as many bytes as there are and fit to `destination`.
  mutating func take(into destination: UnsafeMutableRawBufferPointer) -> Int {
    take { bytes in
      let taken = UnsafeRawBufferPointer(rebasing: bytes.prefix(destination.count))
      destination.copyMemory(from: taken)
      return taken.count
    }
  }

  /// Drops as many bytes as `body`, which is given all, returns.
  @discardableResult
  mutating func take(_ body: (UnsafeRawBufferPointer) -> Int) -> Int {
    let taken = min(max(body(UnsafeRawBufferPointer(start: storage.map { $0 + start }, count: count)), 0), count)
    start += taken
    if taken > 0, count == 0 { emptied() }
    return taken
  }

  private mutating func emptied() {
    // Where the end is, is how much was needed since the last time.
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

import Glibc

/// Bytes that go in at the end and out at the front, in one piece of memory that is there only while there are bytes:
/// an idle session holds none, and one under load gets the same piece from the allocator again and again.
struct ByteQueue: ~Copyable {
  private var storage: UnsafeMutableRawPointer?
  private var capacity = 0
  private var start = 0
  private var end = 0

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
    releaseIfEmpty()
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
    releaseIfEmpty()
    return taken
  }

  private mutating func releaseIfEmpty() {
    guard start == end else { return }
    free(storage)
    storage = nil
    capacity = 0
    start = 0
    end = 0
  }
}

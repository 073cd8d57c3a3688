import Activity

/// The bytes of one direction of a stream that were sent and not acknowledged. It is a ring of
/// `Limits.streamReplayLength` bytes, whose pages the kernel provides as they are used.
struct ReplayBuffer: ~Copyable {
  private static let capacity = Int(Limits.streamReplayLength)
  private var storage: UnsafeMutableRawBufferPointer?

  deinit { storage?.deallocate() }

  /// Keeps the bytes from `offset` on. The caller must ensure that at most `Limits.streamReplayLength` bytes are still
  /// needed.
  mutating func keep(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) {
    let storage = storage ?? .allocate(byteCount: Self.capacity, alignment: 64)
    self.storage = storage
    var rest = bytes
    var place = Int(offset % UInt64(Self.capacity))
    while !rest.isEmpty {
      let part = rest.prefix(Self.capacity - place)
      UnsafeMutableRawBufferPointer(rebasing: storage[place...]).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: part)
      )
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
      place = 0
    }
  }

  /// Returns up to `count` bytes that were kept at `offset`, as far as they are contiguous.
  func bytes(at offset: UInt64, _ count: Int) -> UnsafeRawBufferPointer {
    guard let storage else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let place = Int(offset % UInt64(Self.capacity))
    return UnsafeRawBufferPointer(rebasing: storage[place..<min(place + count, Self.capacity)])
  }

  /// Frees the memory.
  mutating func clear() {
    storage?.deallocate()
    storage = nil
  }
}

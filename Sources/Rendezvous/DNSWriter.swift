extension [UInt8] {
  /// Appends a number, its most significant byte first.
  mutating func append(number: some FixedWidthInteger & UnsignedInteger) {
    for byte in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> byte))
    }
  }

  /// Appends bytes after their number, of which two bytes are kept. Messages are no longer.
  mutating func append(counted bytes: [UInt8]) {
    append(number: UInt16(truncatingIfNeeded: bytes.count))
    self += bytes
  }
}

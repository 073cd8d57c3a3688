/// Numbers what happens, so that newer things have greater numbers. No number is given twice.
struct Order: Sendable {
  private var last: UInt64 = 0

  mutating func next() -> UInt64 {
    last += 1
    return last
  }
}

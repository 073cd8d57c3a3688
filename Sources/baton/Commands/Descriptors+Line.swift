import EventLoop

extension Descriptors {
  /// The first line without its end; all there is where there is no end. More than the line may be consumed.
  ///
  /// - Returns: At most one byte more than `limit`, where the line is longer.
  static func readLine(_ descriptor: Int32, limit: Int) throws(SystemError) -> String {
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: limit + 1)
    while line.count <= limit {
      let count = try read(descriptor, into: &buffer)
      if count == 0 { break }
      let part = buffer[..<count].prefix { $0 != 0x0A }
      line += part
      if part.count < count { break }
    }
    return String(decoding: line.prefix(limit + 1), as: UTF8.self)
  }
}

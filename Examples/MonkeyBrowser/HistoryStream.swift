import Foundation

/// The history of a tab on its way through a continuation stream: lines of JSON. The first says how many visits follow,
/// each other one is a visit.
///
/// Both functions block, and belong on a thread where that disturbs nobody.
enum HistoryStream {
  /// The first line.
  struct Header: Codable, Equatable {
    var version = 1
    var visits: Int
  }

  /// How much is written and read at a time, in bytes.
  private static let chunk = 64 * 1024

  /// - Throws: The stream's error.
  static func write(_ history: [Visit], to stream: OutputStream) throws {
    let encoder = JSONEncoder()
    var lines = try encoder.encode(Header(visits: history.count)) + [newline]
    for visit in history {
      lines += try encoder.encode(visit) + [newline]
      if lines.count >= chunk {
        try write(lines, to: stream)
        lines = Data()
      }
    }
    try write(lines, to: stream)
  }

  /// A stream takes as much as it has space for.
  private static func write(_ data: Data, to stream: OutputStream) throws {
    var rest = Array(data)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBufferPointer { bytes in
        bytes.baseAddress.map { stream.write($0, maxLength: bytes.count) } ?? -1
      }
      guard count > 0 else { throw stream.streamError ?? Refusal("The stream is closed") }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads to the end of the stream.
  ///
  /// - Parameter progress: Called with how many visits there are, and how many there will be.
  /// - Throws: The stream's error, or a `Refusal` where what came is no history.
  static func read(from stream: InputStream, progress: (Int, Int) -> Void) throws -> [Visit] {
    var decoder = HistoryDecoder()
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
      let count = stream.read(&buffer, maxLength: buffer.count)
      // An end is told from a break: 0 from -1.
      if count == 0 { return try decoder.finish() }
      guard count > 0 else { throw stream.streamError ?? Refusal("The stream is closed") }
      try decoder.receive(buffer.prefix(count))
      if let header = decoder.header { progress(decoder.visits.count, header.visits) }
    }
  }

  static let newline = UInt8(ascii: "\n")
}

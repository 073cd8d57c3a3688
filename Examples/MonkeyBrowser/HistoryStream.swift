// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The format in which a tab's history is sent through a continuation stream: lines of JSON. The first line says how
/// many visits follow; each other line is a visit.
///
/// Both functions block, so call them on a thread where that disturbs nobody.
enum HistoryStream {
  /// The first line.
  struct Header: Codable, Equatable {
    var version = 1
    var visits: Int
  }

  /// The number of bytes to write or read at a time.
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

  /// Writes all bytes. A stream takes as many at a time as it has space for.
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
  /// - Parameter progress: Called with the number of visits that have arrived, and the number that will arrive.
  /// - Throws: The stream's error, or a `Refusal` if the bytes are not a history.
  static func read(from stream: InputStream, progress: (Int, Int) -> Void) throws -> [Visit] {
    var decoder = HistoryDecoder()
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
      let count = stream.read(&buffer, maxLength: buffer.count)
      // The number distinguishes the end (0) from a broken stream (-1).
      if count == 0 { return try decoder.finish() }
      guard count > 0 else { throw stream.streamError ?? Refusal("The stream is closed") }
      try decoder.receive(buffer.prefix(count))
      if let header = decoder.header { progress(decoder.visits.count, header.visits) }
    }
  }

  static let newline = UInt8(ascii: "\n")
}

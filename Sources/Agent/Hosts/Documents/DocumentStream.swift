// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import EventLoop
import Glibc
import JSONCoding
import Localization

/// What an origin sends through a document stream.
package enum DocumentContent: Sendable {
  /// A regular file, open for reading. It is closed afterwards.
  case file(Int32)
  /// - Parameter baseSHA256: Of unsaved text: the hash of the file that it was made from, if there is one.
  case bytes([UInt8], baseSHA256: String? = nil)
}

/// Why a document stream failed, in words.
package enum DocumentStreamError: Error, Equatable, Sendable, CustomStringConvertible {
  case refused(DocumentRefusal)
  /// The stream ended early, or something else than an answer came.
  case broken
  case timedOut
  case tooLarge
  /// The bytes are not those that the header announces.
  case damaged
  case system(SystemError)

  package var description: String {
    switch self {
    case .refused(.notAvailable): localized("The other machine doesn't have it.")
    case .refused(.tooLarge), .tooLarge: localized("It's too large.")
    case .refused(.unknownRequest): localized("The other machine can't send it.")
    case .broken: localized("The connection ended before all of it had arrived.")
    case .timedOut: localized("The other machine stopped sending.")
    case .damaged: localized("It changed while it was being sent, or was damaged in transit.")
    case .system(let error): "\(error)"
    }
  }
}

/// The document stream of an activity (ActivityTypes.md, "The document stream"), for one request. Its functions block,
/// and leave the descriptor open.
package enum DocumentStream {
  /// The time without progress after which either side gives up.
  package static let idleTime = Duration.seconds(30)
  /// The maximum size of a document in bytes.
  package static let largestDocument = 4 << 30
  /// The maximum size of the state of a page in bytes.
  package static let largestPageState = 1 << 20
  /// The maximum time for hashing a file before it is sent.
  private static let hashTime = Duration.seconds(30)

  // MARK: The origin

  /// Reads the request and sends the answer.
  ///
  /// - Parameter provider: Returns what is sent.
  package static func serve(
    _ descriptor: Int32,
    idleTime: Duration = idleTime,
    _ provider: (DocumentRequest) -> Result<DocumentContent, DocumentRefusal>
  ) throws(DocumentStreamError) {
    try serve(descriptor, idleTime: idleTime, lines: { DocumentRequest(line: $0).map(provider) })
  }

  /// Reads a request of any kind and sends the answer.
  ///
  /// - Parameter lines: Returns what is sent for the line of a request. Nil if it is not a request.
  package static func serve(
    _ descriptor: Int32,
    idleTime: Duration = idleTime,
    lines provider: ([UInt8]) -> Result<DocumentContent, DocumentRefusal>?
  ) throws(DocumentStreamError) {
    let stream = BlockingStream(descriptor, idleTime: idleTime)
    let line = try stream.readLine()
    switch provider(line) ?? .failure(.unknownRequest) {
    case .failure(let refusal): try stream.write(refusal.line)
    case .success(.bytes(let bytes, let base)):
      let hash = ContentHash()
      hash.update(bytes)
      let header = DocumentHeader(size: bytes.count, sha256: hash.finish(), baseSHA256: base)
      try stream.write(header.line)
      try stream.write(bytes)
    case .success(.file(let file)):
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        let hash = ContentHash.ofFile(file, size: Int(status.st_size), until: .now + hashTime)
      else {
        try stream.write(DocumentRefusal.notAvailable.line)
        break
      }
      let size = Int(status.st_size)
      try stream.write(DocumentHeader(size: size, sha256: hash).line)
      try send(file, size, stream)
    }
    stream.finish()
  }

  private static func send(_ file: Int32, _ size: Int, _ stream: BlockingStream) throws(DocumentStreamError) {
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    var offset = 0
    while offset < size {
      let count = pread(file, &buffer, min(buffer.count, size - offset), offset)
      if count < 0, errno == EINTR { continue }
      // It was cut in the meantime. The receiver notices that bytes are missing.
      guard count > 0 else { throw .damaged }
      try stream.write(buffer[..<count])
      offset += count
    }
  }

  // MARK: The receiver

  /// Sends the request and reads the answer.
  ///
  /// - Parameters:
  ///   - limit: The maximum size in bytes.
  ///   - begin: Called once with the header, before anything arrives.
  ///   - write: Called for each part. What it has written counts only when this function has returned.
  /// - Returns: The header. The bytes that were written are those that it announces.
  package static func fetch(
    _ request: DocumentRequest,
    over descriptor: Int32,
    limit: Int = largestDocument,
    idleTime: Duration = idleTime,
    begin: (DocumentHeader) throws(DocumentStreamError) -> Void = { _ throws(DocumentStreamError) in },
    write: (ArraySlice<UInt8>) throws(DocumentStreamError) -> Void
  ) throws(DocumentStreamError) -> DocumentHeader {
    try fetch(line: request.line, over: descriptor, limit: limit, idleTime: idleTime, begin: begin, write: write)
  }

  /// Sends a request of any kind and reads the answer.
  ///
  /// - Parameter line: The request, with its end.
  package static func fetch(
    line: [UInt8],
    over descriptor: Int32,
    limit: Int,
    idleTime: Duration = idleTime,
    begin: (DocumentHeader) throws(DocumentStreamError) -> Void = { _ throws(DocumentStreamError) in },
    write: (ArraySlice<UInt8>) throws(DocumentStreamError) -> Void
  ) throws(DocumentStreamError) -> DocumentHeader {
    let stream = BlockingStream(descriptor, idleTime: idleTime)
    try stream.write(line)
    stream.finish()
    let header: DocumentHeader
    switch DocumentHeader.read(line: try stream.readLine()) {
    case .success(let received): header = received
    case .failure(let refusal): throw .refused(refusal)
    case nil: throw .broken
    }
    guard header.size <= limit else { throw .tooLarge }
    try begin(header)
    let hash = ContentHash()
    var missing = header.size
    while missing > 0 {
      let part = try stream.read(atMost: missing)
      guard !part.isEmpty else { throw .broken }
      missing -= part.count
      part.withUnsafeBytes(hash.update)
      try write(part)
    }
    // Nothing may follow. Its end tells the daemon that both sides have read everything.
    guard try stream.read(atMost: 1).isEmpty, hash.finish() == header.sha256 else { throw .damaged }
    return header
  }

  /// Sends the request and returns the answer, which has at most `limit` bytes.
  package static func fetchBytes(
    _ request: DocumentRequest,
    over descriptor: Int32,
    limit: Int
  ) throws(DocumentStreamError) -> (header: DocumentHeader, bytes: [UInt8]) {
    var bytes: [UInt8] = []
    let header = try fetch(request, over: descriptor, limit: limit) { (part) throws(DocumentStreamError) in
      bytes += part
    }
    return (header, bytes)
  }
}

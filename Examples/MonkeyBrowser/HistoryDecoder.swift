// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Decodes visits from bytes as they arrive. The bytes are from another machine, so nothing in them is trusted, and the
/// number of visits is limited.
struct HistoryDecoder {
  /// In bytes. An address has at most 1,024, and its characters may be escaped.
  private static let longestLine = 16 * 1024
  private static let mostVisits = 1_000_000
  /// The maximum length of a whole history in bytes: twice what that many visits of real people take.
  private static let longestHistory = 256 * 1024 * 1024

  private(set) var header: HistoryStream.Header?
  private(set) var visits: [Visit] = []
  private var rest: [UInt8] = []
  /// The number of bytes received.
  private var length = 0
  private let decoder = JSONDecoder()

  /// - Throws: `Refusal`.
  mutating func receive(_ bytes: some Collection<UInt8>) throws(Refusal) {
    rest += bytes
    length += bytes.count
    guard length <= Self.longestHistory else { throw Refusal("The history is too long") }
    var start = rest.startIndex
    while let end = rest[start...].firstIndex(of: HistoryStream.newline) {
      try take(Data(rest[start..<end]))
      start = end + 1
    }
    rest.removeFirst(start)
    guard rest.count <= Self.longestLine else { throw Refusal("The received data is not a history") }
  }

  /// - Throws: `Refusal` if bytes are missing.
  func finish() throws(Refusal) -> [Visit] {
    guard let header, rest.isEmpty, visits.count == header.visits else { throw Refusal("The history is incomplete") }
    return visits
  }

  private mutating func take(_ line: Data) throws(Refusal) {
    guard let header else {
      guard let header = try? decoder.decode(HistoryStream.Header.self, from: line), header.version == 1,
        0...Self.mostVisits ~= header.visits
      else { throw Refusal("The received data is not a history") }
      return self.header = header
    }
    guard visits.count < header.visits, let visit = try? decoder.decode(Visit.self, from: line),
      Address.checked(visit.url.absoluteString) != nil
    else { throw Refusal("The received data is not a history") }
    visits.append(visit)
  }
}

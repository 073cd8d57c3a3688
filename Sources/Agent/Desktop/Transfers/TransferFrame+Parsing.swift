// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

extension TransferFrame {
  /// The maximum length of a frame's payload in bytes.
  package static let transferPayloadLength = 512 * 1024

  /// The length of the payload that follows a header.
  ///
  /// - Parameter header: ``headerLength`` bytes.
  /// - Throws: If it is longer than a frame may be.
  package static func payloadLength(_ header: ArraySlice<UInt8>) throws(MalformedTransfer) -> Int {
    let length = header.dropFirst().reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.transferPayloadLength else { throw MalformedTransfer("a frame is too long") }
    return length
  }

  /// - Parameters:
  ///   - kind: The first byte of the header.
  ///   - payload: All of it.
  /// - Returns: Nil if the kind is not known, so that the frame is skipped.
  package init?(kind: UInt8, payload: ArraySlice<UInt8>) throws(MalformedTransfer) {
    guard let kind = Kind(rawValue: kind) else { return nil }
    var rest = payload
    switch kind {
    case .request:
      guard let version = try Self.members(payload)["version"]?.uint64 else { throw MalformedTransfer("no version") }
      self = .request(version: Int(clamping: version))
    case .entries:
      var entries: [TransferEntry] = []
      while !rest.isEmpty { entries.append(try TransferEntry(taking: &rest)) }
      self = .entries(entries)
    case .entriesEnd:
      guard let count = rest.take(UInt32.self), let size = rest.take(UInt64.self), let stored = rest.take(UInt64.self),
        let omitted = rest.take(UInt32.self)
      else { throw MalformedTransfer("the end of the entries is incomplete") }
      self = .entriesEnd(EntriesEnd(count: count, size: size, stored: stored, omitted: omitted))
    case .present:
      guard let entry = rest.take(UInt32.self), let block = rest.take(UInt32.self),
        rest.count.isMultiple(of: Self.hashLength), rest.count <= Limits.transferHashes * Self.hashLength
      else { throw MalformedTransfer("hashes are incomplete") }
      self = .present(entry: entry, block: block, hashes: rest)
    case .go: self = .go
    case .data:
      guard let entry = rest.take(UInt32.self), let offset = rest.take(UInt64.self) else {
        throw MalformedTransfer("a piece of a file is incomplete")
      }
      self = .data(entry: entry, offset: offset, bytes: rest)
    case .fileEnd:
      guard let entry = rest.take(UInt32.self), let size = rest.take(UInt64.self), let time = rest.takeTime() else {
        throw MalformedTransfer("the end of a file is incomplete")
      }
      self = .fileEnd(entry: entry, size: size, modified: time)
    case .omitted:
      guard let entry = rest.take(UInt32.self), let reason = rest.popFirst() else {
        throw MalformedTransfer("an omission is incomplete")
      }
      // A later version may have more reasons.
      self = .omitted(entry: entry, OmittedReason(rawValue: reason) ?? .unreadable)
    case .end: self = .end
    case .received:
      guard let count = rest.take(UInt64.self) else { throw MalformedTransfer("a count is incomplete") }
      self = .received(count)
    case .finished:
      let members = try Self.members(payload)
      let failure = members["reason"]?.string.map { TransferFailure(rawValue: $0) ?? .protocolViolation }
      self = .finished(failure, omitted: members["omitted"]?.uint64.map { Int(clamping: $0) } ?? 0)
    }
  }

  /// The length of a hash (SHA-256) in bytes.
  package static let hashLength = 32

  private static func members(_ payload: ArraySlice<UInt8>) throws(MalformedTransfer) -> [String: JSON] {
    guard let members = (try? JSON(parsing: payload, depth: 2))?.object else {
      throw MalformedTransfer("a frame is not an object")
    }
    return members
  }
}

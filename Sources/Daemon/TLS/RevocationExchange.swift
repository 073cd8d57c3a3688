// SPDX-License-Identifier: Apache-2.0

import Activity

/// What the two sides of a session have told each other about their revocation lists (Protocol.md section 5). Each list
/// is sent at most once in each direction, so the exchange ends.
package struct RevocationExchange: Sendable {
  /// The number of the newest list that the peer is known to have.
  private var number: UInt64
  /// The digest of the lists that the peer said it holds. Nil if it holds none, or if it is one of those that hold one
  /// list and send only its number.
  private let digest: [UInt8]?
  private let holdsOneList: Bool
  /// The hashes of the lists here that the peer has, too.
  private var known: Set<[UInt8]> = []
  private var isBegun = false

  /// - Parameters:
  ///   - number: From the peer's hello.
  ///   - digest: From the peer's hello.
  package init(number: UInt64, digest: [UInt8]?) {
    self.number = number
    self.digest = digest
    holdsOneList = digest == nil && number > 0
  }

  /// Returns the lists that the peer may lack, the newest last. They count as sent from now on.
  package mutating func take(from lists: RevocationLists) -> [RevocationLists.Held] {
    defer {
      isBegun = true
      known = Set(lists.all.map(\.list.hash))
      number = max(number, lists.number)
    }
    guard !holdsOneList else { return lists.all.suffix(1).filter { $0.list.number > number } }
    guard isBegun || digest != lists.digest else { return [] }
    return lists.all.filter { !known.contains($0.list.hash) }
  }

  /// Notes that the peer has sent a list.
  ///
  /// - Parameter lists: The lists that are held now.
  package mutating func received(_ der: [UInt8], holding lists: RevocationLists) {
    guard let held = lists.all.first(where: { $0.list.der == der }) else { return }
    known.insert(held.list.hash)
    number = max(number, held.list.number)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// What of an index has not been checked since it was opened.
enum UncheckedParts: Equatable {
  case all
  /// These tables of the full-text index.
  case shards([Int])

  static let none = UncheckedParts.shards([])
}

extension SearchIndex {
  /// Checks a part of the index that has not been checked since it was opened. A damaged index may say nothing, and
  /// only find less. It takes some 10 ms, or half a second for the tables of a full index.
  ///
  /// - Returns: Whether there is more to check.
  package func checkNext() throws(IndexError) -> Bool {
    try recovering { () throws(IndexError) in
      switch unchecked {
      case .all: try checkTables(try database)
      case .shards(var numbers):
        guard let number = numbers.popLast() else { return false }
        unchecked = .shards(numbers)
        try checkShard(number)
      }
      return unchecked != .none
    }
  }

  /// Looks at all tables and their indexes.
  func checkTables(_ database: Database) throws(IndexError) {
    let result = try database.first("PRAGMA integrity_check(1)") { $0.text(0) }
    if result != "ok" { throw .damaged(result ?? "") }
    unchecked = .shards(try Shards.numbers(database))
  }

  /// Compares words with what they were made of.
  private func checkShard(_ number: Int) throws(IndexError) {
    let shards = try self.shards
    // Meanwhile, it may have been merged with another one.
    guard try Shards.numbers(shards.database).contains(number) else { return }
    try shards.check(number)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation

/// An activity's `userInfo` in both forms: the app's, and the one that is sent.
struct UserInfoState {
  struct Contents {
    var dictionary: [AnyHashable: Any]?
    /// The entries in the form in which they are sent.
    var entries: Result<[UserInfoValue: UserInfoValue], IllegalValue>

    /// Converts the entries immediately, because what the dictionary refers to may be mutable.
    init(_ dictionary: [AnyHashable: Any]?) {
      self.dictionary = dictionary
      entries = Result { () throws(IllegalValue) in try UserInfoValue.dictionary(dictionary ?? [:]) }
    }
  }

  /// What the app writes.
  enum Write {
    case replacement([AnyHashable: Any]?)
    case addition([AnyHashable: Any])

    fileprivate func applied(to contents: Contents) -> Contents {
      switch self {
      case .replacement(let dictionary): Contents(dictionary)
      case .addition(let entries) where entries.isEmpty: contents
      case .addition(let entries): Contents((contents.dictionary ?? [:]).merging(entries) { $1 })
      }
    }
  }

  /// A save round, which begins with an empty `userInfo`.
  private struct Round {
    var contents = Contents([:])
    /// Whether a write of the round replaces what was there before.
    var isWritten = false
  }

  /// What is sent, and what code outside of a round sees.
  private(set) var kept: Contents
  private var round: Round?
  /// Changes with each write.
  private(set) var version: UInt64 = 0

  init(_ contents: Contents) { kept = contents }

  /// What is seen by code of the round, or by other code.
  func dictionary(inRound: Bool) -> [AnyHashable: Any]? {
    if inRound, let round { round.contents.dictionary } else { kept.dictionary }
  }

  /// - Parameter inRound: Whether code of the round writes. What other code writes at the same time stays in any case.
  mutating func write(_ write: Write, inRound: Bool) {
    version &+= 1
    if inRound, var round {
      round.contents = write.applied(to: round.contents)
      if case .addition(let entries) = write, entries.isEmpty {} else { round.isWritten = true }
      self.round = round
    } else {
      kept = write.applied(to: kept)
      if let round { self.round?.contents = write.applied(to: round.contents) }
    }
  }

  mutating func beginRound() {
    version &+= 1
    round = round ?? Round()
  }

  /// Keeps what the round wrote, or what was there before if it wrote nothing.
  mutating func endRound() {
    version &+= 1
    if let round, round.isWritten { kept = round.contents }
    round = nil
  }
}

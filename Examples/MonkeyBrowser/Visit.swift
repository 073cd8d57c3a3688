// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A page that was visited: one entry of a tab's history.
struct Visit: Codable, Equatable, Sendable {
  var url: URL
  var title: String
  /// Seconds since 1970.
  var time: Int

  /// Returns visits that nobody made.
  ///
  /// - Parameter seed: The same seed gives the same visits each time.
  static func invented(_ count: Int, _ kind: TabKind, seed: String) -> [Visit] {
    var invention = Invention("\(seed) \(kind.rawValue)")
    return (0..<count).map { number in
      let url = Address.url(of: kind, "\(invention.topic()) \(number)")
      return Visit(url: url, title: Address.title(of: url), time: 1_700_000_000 + number * 60)
    }
  }
}

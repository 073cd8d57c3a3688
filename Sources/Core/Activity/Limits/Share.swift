// SPDX-License-Identifier: Apache-2.0

/// How users share a limited number of something, so that no one user exhausts it.
package struct Share: Equatable, Sendable {
  /// The limit of all users together.
  package let total: Int
  /// The limit of one user. It does not apply to root, who counts only towards `total`.
  package let perUser: Int
  /// The part of `total` that is kept for users who have none.
  package let forOthers: Int
  /// The part of `total` that is kept for root.
  package let forRoot: Int

  package init(total: Int, perUser: Int, forOthers: Int, forRoot: Int) {
    self.total = total
    self.perUser = perUser
    self.forOthers = forOthers
    self.forRoot = forRoot
  }

  /// The usual share: half for a user, a quarter for users who have none, and a sixteenth for root.
  package init(ofAll total: Int) {
    self.init(total: total, perUser: total / 2, forOthers: total / 4, forRoot: total / 16)
  }

  /// Whether a user may take one more.
  ///
  /// - Parameters:
  ///   - user: The kernel's number for the user; 0 is root.
  ///   - own: How many the user has.
  ///   - all: How many all users have, including this one.
  package func allows(_ user: UInt32, own: Int, all: Int) -> Bool {
    if user == 0 { return all < total }
    return own < perUser && all < total - forRoot - (own == 0 ? 0 : forOthers)
  }
}

/// How users share what there is a limited number of, so that nobody takes it from the others.
package struct Share: Equatable, Sendable {
  /// Of all users together.
  package let total: Int
  /// Of one user. Root is counted only in all.
  package let perUser: Int
  /// Of `total`: kept for users who have none.
  package let forOthers: Int
  /// Of `total`: kept for root.
  package let forRoot: Int

  package init(total: Int, perUser: Int, forOthers: Int, forRoot: Int) {
    self.total = total
    self.perUser = perUser
    self.forOthers = forOthers
    self.forRoot = forRoot
  }

  /// Whether a user may take one more.
  ///
  /// - Parameters:
  ///   - user: By the kernel's number; 0 is root.
  ///   - own: How many the user has.
  ///   - all: How many all users have, this one among them.
  package func allows(_ user: UInt32, own: Int, all: Int) -> Bool {
    if user == 0 { return all < total }
    return own < perUser && all < total - forRoot - (own == 0 ? 0 : forOthers)
  }
}

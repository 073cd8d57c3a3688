import Activity

/// A machine of a team that a user named by its address: which of the team's devices it is, only its certificate says.
package struct StaticPeer: Hashable, Sendable {
  package let team: TeamID
  /// `HOST`, `HOST:PORT` or `[IPV6]:PORT`, as it was typed.
  package let address: String

  package init(team: TeamID, address: String) {
    self.team = team
    self.address = address
  }
}

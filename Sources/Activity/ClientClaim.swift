/// What a client claims to be by its server name, which proves nothing.
package enum ClientClaim: CaseIterable, Sendable {
  case member
  /// By the name that every device that was ever in the team has.
  case returning
  /// By the name that everybody who knows the short Team ID has.
  case joining
}

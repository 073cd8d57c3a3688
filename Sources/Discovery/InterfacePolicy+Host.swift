extension InterfacePolicy {
  /// What becomes of each interface of this machine that is up and has an address, in the order of their names.
  package func verdicts() -> [(name: String, verdict: Verdict)] {
    let policy = HostAddresses.policy(self)
    return Set(HostAddresses.current().map(\.interfaceName)).sorted().map { ($0, policy.verdict($0)) }
  }
}

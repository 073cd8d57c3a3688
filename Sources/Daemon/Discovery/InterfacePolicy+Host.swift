// SPDX-License-Identifier: Apache-2.0

extension InterfacePolicy {
  /// Returns the verdict on each interface of this machine that is up and has an address, sorted by name.
  package func verdicts() -> [(name: String, verdict: Verdict)] {
    let policy = HostAddresses.policy(self)
    return Set(HostAddresses.current().map(\.interfaceName)).sorted().map { ($0, policy.verdict($0)) }
  }
}

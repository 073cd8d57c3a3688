// SPDX-License-Identifier: Apache-2.0

import EventLoop

extension Daemon {
  /// Starts or stops asking for other machines, as the configuration says.
  func useSource() {
    guard settings.configuration.source == .tailscale else {
      tailscale = nil
      return peers.found([])
    }
    guard tailscale == nil else { return }
    tailscale = TailscaleSource(log: log) { [weak self] in self?.peers.found($0) }
    tailscale?.ask()
  }
}

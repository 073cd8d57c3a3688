// SPDX-License-Identifier: Apache-2.0

import Activity

extension Limits {
  /// The maximum length of what comes through a rendezvous server, in bytes. What members send has a fixed length.
  package static let rendezvousPayloadLength = 1024
  /// The rate at which a server is listened to. More waits in the network. If a device arrives, all others of its team
  /// answer; otherwise, a large team says a few things in a second.
  package static let rendezvousMessageRate = TokenBucket.Rate(perSecond: 2000, burst: 8192)
  /// How long a server may take until it has accepted this machine, and to answer later.
  package static let rendezvousReplyTime = Duration.seconds(10)

  /// The maximum number of devices of one team that are noted at a server. More do not find each other there.
  package static let rendezvousDevices = 256
  /// The pause before a server that has refused this machine is asked again, unless there is a new token.
  package static let rendezvousRefusedTime = Duration.seconds(300)
  /// The maximum length of a relay's message without its header, in bytes. Relays have the same limit.
  package static let relayMessageLength = 1024
  /// How long a relay may take until it is connected, and for each answer.
  package static let relayReplyTime = Duration.seconds(10)
}

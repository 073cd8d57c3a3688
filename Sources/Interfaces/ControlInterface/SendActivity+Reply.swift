// SPDX-License-Identifier: Apache-2.0

extension BecomeCurrent.Reply {
  /// The same for a program that treats both kinds of activity alike: what is sent is offered, as what is current.
  package init(_ reply: SendActivity.Reply) {
    let event: BecomeCurrent.Event =
      switch reply.event {
      case .sent: .current
      case .resigned: .resigned
      case .willSave: .willSave
      case .continued: .continued
      case .streamRequested: .streamRequested
      }
    self.init(
      id: reply.id,
      event: event,
      reason: reply.reason,
      device: reply.device,
      stream: reply.stream,
      team: reply.team,
      omitted: reply.omitted
    )
  }
}

// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import VarlinkServer

extension ControlServer {
  func registerApplication(
    _ parameters: RegisterApplication.Parameters,
    _ exchange: Exchange<RegisterApplication>
  ) {
    guard parameters.activityTypes.count <= Limits.applicationTypes else { return exchange.fail(.limitReached) }
    exchange.replyContinuing(RegisterApplication.Reply(event: .registered))
    guard !exchange.isFinished else { return }
    let types = Set(parameters.activityTypes)
    let client = launching.addApplication(types, name: parameters.application, exchange.user) { offer, token in
      exchange.replyContinuing(
        RegisterApplication.Reply(
          event: .continueRequested,
          id: offer.id,
          deviceID: offer.peer?.device,
          activityType: offer.activityType,
          title: offer.title,
          application: offer.application,
          webpageHost: offer.webpageHost,
          activationToken: token
        )
      )
    }
    exchange.onClosed = { [weak launching] in launching?.remove(client) }
  }
}

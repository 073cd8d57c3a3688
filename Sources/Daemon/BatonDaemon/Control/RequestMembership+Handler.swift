// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import VarlinkServer

extension ControlServer {
  func requestMembership(_ parameters: RequestMembership.Parameters, _ exchange: Exchange<RequestMembership>) {
    exchange.answering { [self] () async throws(Reason) in
      exchange.reply(RequestMembership.Reply(request: try await membership.request(owner: exchange.user)))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import Varlink
import VarlinkServer

extension ControlServer {
  func openStream(_ parameters: OpenStream.Parameters, _ exchange: Exchange<OpenStream>) {
    let id = shell.add(streamClient(exchange, awaits: parameters.awaits))
    exchange.onClosed = { [weak shell] in shell?.remove(id) }
    shell.handle(.streamRequested(parameters.activity, client: id, user: exchange.user))
  }

  /// Returns a client whose connection becomes a stream.
  ///
  /// - Parameter awaits: Whether it says that it will await the stream's end.
  func streamClient<M: Method>(_ exchange: Exchange<M>, awaits: Bool) -> Client where M.Reply == StreamReply {
    let call = Client.Call.stream { [weak shell] bridge, token in
      if awaits {
        bridge.expectApp()
        shell?.results.onAsked(token) { [weak bridge] in bridge?.appAsked() }
      }
      exchange.onClosed = { [weak bridge] in bridge?.reset(.streamReset) }
      exchange.upgrade(StreamReply(stream: token)) { [weak bridge] descriptor, early in
        guard let bridge else { return Sockets.close(descriptor) }
        bridge.attach(descriptor, early: early)
      }
    }
    return Client(user: exchange.user, call) { exchange.fail($0) }
  }
}

// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Ports.varlink. Edit that file.

import Desktop
import EventLoop
import Varlink
import VarlinkServer

/// What handles each method of `io.baton.Ports`. Each answers through its exchange, now or later.
@Loop
protocol PortsMethods: AnyObject {
  func list(_ parameters: ListPorts.Parameters, _ exchange: Exchange<ListPorts>)
  func allow(_ parameters: AllowPort.Parameters, _ exchange: Exchange<AllowPort>)
  func refuse(_ parameters: RefusePort.Parameters, _ exchange: Exchange<RefusePort>)
  func forget(_ parameters: ForgetPort.Parameters, _ exchange: Exchange<ForgetPort>)
  func serve(_ parameters: ServePage.Parameters, _ exchange: Exchange<ServePage>)
}

extension VarlinkServer {
  /// Serves `io.baton.Ports`.
  ///
  /// - Parameter handlers: They live as long as the server.
  func add(_ handlers: some PortsMethods) {
    add(.ports)
    on(ListPorts.self) { [unowned handlers] in handlers.list($0, $1) }
    on(AllowPort.self) { [unowned handlers] in handlers.allow($0, $1) }
    on(RefusePort.self) { [unowned handlers] in handlers.refuse($0, $1) }
    on(ForgetPort.self) { [unowned handlers] in handlers.forget($0, $1) }
    on(ServePage.self) { [unowned handlers] in handlers.serve($0, $1) }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Activity
import Dispatch
import EventLoop
import Glibc
import Varlink
import VarlinkServer

// varlink-certification PATH: serves org.varlink.certification on a new Unix socket until it is stopped.

@Loop
enum Program {
  private static let server = VarlinkServer(
    product: Product(vendor: "Baton", product: "Varlink certification", version: "1", url: "https://varlink.org"),
    limits: ServerLimits(
      messageLength: 64 * 1024,
      messageDepth: 16,
      connections: Share(total: 1024, perUser: 512, forOthers: 0, forRoot: 0),
      sendQueueLength: 1024 * 1024
    )
  )

  static func start(_ path: String) throws(SystemError) {
    Certification.add(to: server)
    Probe.add(to: server)
    server.listen(owning: try Sockets.listen(path: path, mode: 0o600))
  }
}

guard CommandLine.arguments.count == 2 else {
  print("Usage: varlink-certification PATH")
  exit(2)
}
let path = CommandLine.arguments[1]

Task { @Loop in
  do {
    try Program.start(path)
  } catch {
    print(error)
    exit(1)
  }
}
dispatchMain()

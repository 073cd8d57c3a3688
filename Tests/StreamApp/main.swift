// SPDX-License-Identifier: Apache-2.0

import Baton

// stream-app offer|await TYPE STYLE BYTES
let arguments = CommandLine.arguments
guard arguments.count == 5, let style = Style(rawValue: arguments[3]), let length = Int(arguments[4]) else {
  App.end("stream-app offer|await TYPE \(Style.allCases.map(\.rawValue)) BYTES", 64)
  fatalError("exit returned")
}
let app = App(style, length: length)
arguments[1] == "offer" ? app.offer(arguments[2]) : app.await(arguments[2])
RunLoop.main.run()

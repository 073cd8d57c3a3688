// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation
import Glibc
import StreamFixture
import TestSupport

// An app whose stream events arrive on its main run loop, which tests do not have. Standard input is the socket; the
// arguments are the mode and how many bytes go each way. The exit status is 0 if all went well.

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]) else { exit(2) }
let pair = StreamPair(owning: dup(STDIN_FILENO))
close(STDIN_FILENO)
let conversation = Conversation(sending: noise(count, seed: 1))
pair.setDelegate(conversation)
pair.schedule(RunLoop.Mode(rawValue: arguments[1]), in: .main)
pair.open()
conversation.onEvent = { _, _ in
  if !Thread.isMainThread { exit(3) }
  if conversation.isOver { exit(conversation.received == noise(count, seed: 2) ? 0 : 1) }
}
// The daemon reports this when both directions have ended.
pair.outcome.set(nil)
RunLoop.main.run()

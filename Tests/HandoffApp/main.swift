// SPDX-License-Identifier: Apache-2.0

import Baton
import Dispatch
import Foundation

// An app for tests, written as apps are: its main run loop runs, commands arrive as lines of JSON on standard input,
// and each callback is written as a JSON object to standard output. The app ends when its standard input does.

let app = App()

Thread.detachNewThread {
  while let line = readLine() {
    DispatchQueue.main.async { MainActor.assumeIsolated { app.perform(line) } }
  }
  exit(0)
}

RunLoop.main.run()

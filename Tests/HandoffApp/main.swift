import Baton
import Dispatch
import Foundation

// An app of the tests, written as apps are: the main run loop runs, commands come as JSON objects in lines of standard input,
// and each callback is written as a JSON object to standard output. It ends with its standard input.

let app = App()

Thread.detachNewThread {
  while let line = readLine() {
    DispatchQueue.main.async { MainActor.assumeIsolated { app.perform(line) } }
  }
  exit(0)
}

RunLoop.main.run()

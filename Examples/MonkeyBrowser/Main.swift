// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The program: the model, one of the two front ends, and the main run loop, on which both run.
@main
enum Main {
  @MainActor
  static func main() {
    do throws(Refusal) {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      let application = BrowserApplication(visits: options.visits)
      let frontEnd: any FrontEnd
      if let terminal = Terminal() {
        SignalThread.hold()
        frontEnd = ScreenInterface(application, terminal)
      } else {
        frontEnd = LineInterface(application)
      }
      application.frontEnd = frontEnd
      application.start()
      frontEnd.start()
      // The delegate's methods are called while this runs.
      withExtendedLifetime((application, frontEnd)) { RunLoop.main.run() }
    } catch {
      print(error.message)
      exit(2)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd

/// What polkit (polkit(8)) says about this process.
enum Polkit {
  private static let name = "org.freedesktop.PolicyKit1"

  /// Whether this process may do something without a question to the person. Without polkit, only root may.
  static func allows(_ action: String, _ bus: WaitingBus) -> Bool {
    guard geteuid() != 0 else { return true }
    guard let own = bus.uniqueName else { return false }
    let subject = BusArgument.structure([.string("system-bus-name"), .properties(["name": .string(own)])])
    // No flags: nobody is asked.
    let arguments = [subject, .string(action), .array(contents: "{ss}", []), .number(0), .string("")]
    let path = "/org/freedesktop/PolicyKit1/Authority"
    var call = BusCall(name, path, "\(name).Authority", "CheckAuthorization", arguments: arguments)
    call.startsService = true
    let isAllowed: Bool?? = bus.ask(call) { reply in
      reply.enter(.structure, "bba{ss}") {
        let isAllowed = reply.boolean()
        reply.skip("ba{ss}")
        return isAllowed
      }
    }
    return (isAllowed ?? nil) == true
  }
}

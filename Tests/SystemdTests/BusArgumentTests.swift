// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Systemd

struct BusArgumentTests {
  @Test func signaturesAreThoseOfTheSpecification() {
    let pids = BusArgument.array(contents: "u", [.number(1)])
    #expect(BusArgument.array(contents: "(sv)", [.structure([.string("PIDs"), .variant(pids)])]).signature == "a(sv)")
    #expect(BusArgument.structure([.string(""), .variant(pids), .byte(1), .boolean(true)]).signature == "(svyb)")
    #expect(BusArgument.properties(["urgency": .byte(1)]).signature == "a{sv}")
    #expect(BusArgument.entry(.string("a"), .number(1)).signature == "{su}")
    #expect(BusArgument.integer(-1).signature == "i")
    #expect(BusArgument.structure([.path("/a"), .longInteger(-1)]).signature == "(ox)")
  }
}

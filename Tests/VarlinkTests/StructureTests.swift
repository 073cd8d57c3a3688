// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing
import Varlink

@Suite struct StructureTests {
  @Test func aCallMayHaveNoUnknownParameter() throws {
    #expect(try GetInterfaceDescription.Parameters(parameters: ["interface": "a.b"]).interface == "a.b")
    #expect(throws: InvalidParameter("zzz")) {
      try GetInterfaceDescription.Parameters(parameters: ["interface": "a.b", "zzz": 1])
    }
    #expect(throws: InvalidParameter("a")) { try Nothing(parameters: ["b": 1, "a": nil]) }
  }

  @Test(arguments: [[:], ["interface": nil], ["interface": 1], ["interface": ["a"]]] as [[String: JSON]])
  func aWrongParameterIsNamed(parameters: [String: JSON]) {
    #expect(throws: InvalidParameter("interface")) { try GetInterfaceDescription.Parameters(parameters: parameters) }
  }

  @Test func aReplyMayHaveUnknownParameters() throws {
    #expect(try GetInterfaceDescription.Reply(replyParameters: ["description": "x", "new": 1]).description == "x")
    #expect(throws: InvalidParameter("description")) { try GetInterfaceDescription.Reply(replyParameters: ["new": 1]) }
  }

  @Test func getInfoSurvivesCoding() throws {
    let product = Product(vendor: "v", product: "p", version: "1", url: "u")
    let reply = GetInfo.Reply(product: product, interfaces: ["a.b", "c.d"])
    #expect(
      reply.json.text == #"{"interfaces":["a.b","c.d"],"product":"p","url":"u","vendor":"v","version":"1"}"#
    )
    #expect(try GetInfo.Reply(replyParameters: reply.members) == reply)
    #expect(throws: InvalidParameter("interfaces")) {
      try GetInfo.Reply(replyParameters: reply.members.merging(["interfaces": ["a", 1]]) { $1 })
    }
  }
}

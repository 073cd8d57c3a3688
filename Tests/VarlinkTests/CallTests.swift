// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing
import Varlink

@Suite struct CallTests {
  private func call(_ text: String) throws -> Call { try Call(message: text.utf8, depth: 16) }

  @Test(
    arguments: [
      (#"{"method":"a.b.C"}"#, Call(method: "a.b.C")),
      (#"{"method":"a.b.C","parameters":null}"#, Call(method: "a.b.C")),
      (#"{"method":"a.b.C","parameters":{}}"#, Call(method: "a.b.C")),
      (#"{"method":"a.b.C","parameters":{"x":1}}"#, Call(method: "a.b.C", parameters: ["x": 1])),
      (" {\n \"method\" : \"a.b.C\" }\n", Call(method: "a.b.C")),
      (#"{"method":"a.b.\u0043"}"#, Call(method: "a.b.C")),
      (#"{"method":"a.b.C","oneway":true}"#, Call(method: "a.b.C", mode: .oneway)),
      (#"{"method":"a.b.C","more":true}"#, Call(method: "a.b.C", mode: .more)),
      (#"{"method":"a.b.C","upgrade":true}"#, Call(method: "a.b.C", mode: .upgrade)),
      (#"{"method":"a.b.C","oneway":false,"more":false,"upgrade":false}"#, Call(method: "a.b.C")),
      (#"{"method":"a.b.C","oneway":false,"more":true}"#, Call(method: "a.b.C", mode: .more)),
      (#"{"method":""}"#, Call(method: "")),
    ] as [(String, Call)]
  )
  func aCallIsRead(text: String, expected: Call) throws {
    #expect(try call(text) == expected)
    #expect(try Call(message: expected.bytes, depth: 16) == expected)
  }

  @Test(
    arguments: [
      ("", .notJSON), ("{nope}", .notJSON), (#"{"method":"a.b.C"} xx"#, .notJSON),
      (#"{"method":"a.b.C","method":"a.b.C"}"#, .notJSON),
      (#"{"method":"a.b.C","parameters":{"a":1,"a":2}}"#, .notJSON),
      ("[1]", .notAnObject), ("null", .notAnObject), ("1", .notAnObject), (#""a""#, .notAnObject),
      ("{}", .member("method")), (#"{"parameters":{}}"#, .member("method")), (#"{"method":1}"#, .member("method")),
      (#"{"method":null}"#, .member("method")),
      (#"{"method":"a.b.C","parameters":[]}"#, .member("parameters")),
      (#"{"method":"a.b.C","parameters":"x"}"#, .member("parameters")),
      (#"{"method":"a.b.C","oneway":null}"#, .member("oneway")),
      (#"{"method":"a.b.C","more":1}"#, .member("more")),
      (#"{"method":"a.b.C","upgrade":"true"}"#, .member("upgrade")),
      (#"{"method":"a.b.C","more":true,"oneway":true}"#, .member("more")),
      (#"{"method":"a.b.C","more":true,"upgrade":true}"#, .member("upgrade")),
      (#"{"method":"a.b.C","foo":1}"#, .unknownMember("foo")),
      (#"{"method":"a.b.C","org.example":{"a":1}}"#, .unknownMember("org.example")),
    ] as [(String, MalformedMessage)]
  )
  func whatIsNoCallIsRefused(text: String, error: MalformedMessage) {
    #expect(throws: error) { try call(text) }
  }

  @Test func invalidUTF8IsRefused() {
    #expect(throws: MalformedMessage.notJSON) {
      try Call(message: Array(#"{"method":"a.b.C"#.utf8) + [0xFF] + Array(#""}"#.utf8), depth: 16)
    }
  }

  @Test func nestingIsLimited() throws {
    func nested(_ depth: Int) -> String {
      let open = String(repeating: "[", count: depth - 2)
      let close = String(repeating: "]", count: depth - 2)
      return #"{"method":"a.b.C","parameters":{"x":\#(open)\#(close)}}"#
    }
    #expect(try call(nested(16)).method == "a.b.C")
    #expect(throws: MalformedMessage.notJSON) { try call(nested(17)) }
    #expect(throws: MalformedMessage.notJSON) { try call(String(repeating: "[", count: 60_000)) }
  }

  @Test func bytesAreExact() {
    #expect(text(Call(method: "a.b.C")) == #"{"method":"a.b.C"}"#)
    #expect(
      text(Call(method: "a.b.C", parameters: ["x": nil], mode: .more))
        == #"{"method":"a.b.C","more":true,"parameters":{"x":null}}"#
    )
    #expect(text(Call(method: "a.b.C", mode: .oneway)) == #"{"method":"a.b.C","oneway":true}"#)
    #expect(text(Call(method: "a.b.C", mode: .upgrade)) == #"{"method":"a.b.C","upgrade":true}"#)
  }

  private func text(_ call: Call) -> String { String(decoding: call.bytes, as: UTF8.self) }
}

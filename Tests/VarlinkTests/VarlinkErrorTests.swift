// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing
import Varlink

@Suite struct VarlinkErrorTests {
  @Test(
    arguments: [
      (
        .interfaceNotFound("a.b"),
        #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"a.b"}}"#
      ),
      (.methodNotFound("a.b.C"), #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"a.b.C"}}"#),
      (
        .methodNotImplemented("a.b.C"),
        #"{"error":"org.varlink.service.MethodNotImplemented","parameters":{"method":"a.b.C"}}"#
      ),
      (.invalidParameter("x"), #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"x"}}"#),
      (.permissionDenied, #"{"error":"org.varlink.service.PermissionDenied","parameters":{}}"#),
      (.expectedMore, #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#),
      (.expectedUpgrade, #"{"error":"org.varlink.service.ExpectedUpgrade","parameters":{}}"#),
    ] as [(VarlinkError, String)]
  )
  func errorsAreReplies(error: VarlinkError, text: String) {
    #expect(String(decoding: error.reply.bytes, as: UTF8.self) == text)
    #expect(VarlinkError(error.reply) == error)
  }

  @Test func otherRepliesAreNoSuchErrors() {
    #expect(VarlinkError(Reply([:])) == nil)
    #expect(VarlinkError(Reply(error: "org.varlink.service.Other")) == nil)
    #expect(VarlinkError(Reply(error: "a.b.PermissionDenied")) == nil)
  }
}

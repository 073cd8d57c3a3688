import Testing

@testable import BatonCommand

/// Keys for TSIG, as the programs of name servers write them.
struct TransactionKeyTests {
  private let secret = "q2hhbm5lbCBvZiB0aGUgbmFtZSBzZXJ2ZXIgd2l0aCBpdA=="

  private func check(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let key = TransactionKey.read(text)
    #expect(key?.name == "baton" && key?.secret == secret, sourceLocation: sourceLocation)
  }

  @Test func ofBIND() {
    check("key \"baton\" {\n\talgorithm hmac-sha256;\n\tsecret \"\(secret)\";\n};\n")
    check("key baton { algorithm hmac-sha256; secret \"\(secret)\"; };")
  }

  @Test func ofKnot() {
    check("# hmac-sha256:baton:\(secret)\nkey:\n  - id: baton\n    algorithm: hmac-sha256\n    secret: \(secret)\n")
  }

  @Test(arguments: [
    "", "key", "key: - id: baton", "key \"baton\" { algorithm hmac-md5; secret \"abc\"; };",
    "key \"baton\" { algorithm hmac-sha256; };",
  ])
  func anythingElseIsNoKey(_ text: String) { #expect(TransactionKey.read(text) == nil) }
}

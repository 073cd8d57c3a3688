import ChildProcess
import Glibc
import Testing

@testable import BatonCommand

struct TransactionKeyTests {
  private static let secret = "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3I="

  private static func bind(_ name: String, algorithm: String = "hmac-sha256") -> String {
    "key \"\(name)\" {\n\talgorithm \(algorithm);\n\tsecret \"\(secret)\";\n};\n"
  }

  private static func knot(_ name: String) -> String {
    "# hmac-sha256:\(name):\(secret)\nkey:\n  - id: \(name)\n    algorithm: hmac-sha256\n    secret: \(secret)\n"
  }

  /// What `tsig-keygen` of BIND and `keymgr -t` of Knot DNS print, and the same in other layouts.
  @Test(arguments: ["home", "key.example.org.", "key", "secret", "id", "algorithm", "hmac-sha256"])
  func bothFormsAreRead(_ name: String) {
    let forms = [Self.bind(name), Self.knot(name)].flatMap {
      [$0, $0.replacing("\n", with: "\r\n"), $0.replacing("  ", with: "\t"), "# key\n// A key \"k\"\n" + $0]
    }
    for form in forms + ["key \(name) { secret \(Self.secret); algorithm \"hmac-sha256\"; };"] {
      let key = TransactionKey.read(form)
      #expect(key?.name == name && key?.secret == Self.secret, "\(form)")
    }
  }

  @Test(arguments: [["/usr/sbin/tsig-keygen", "home"], ["/usr/sbin/keymgr", "-t", "home", "hmac-sha256"]])
  func whatTheProgramsPrintIsRead(_ command: [String]) throws {
    let pipe = try ChildProcess.pipe()
    let program = try ChildProcess(command, standardOutput: pipe.writing)
    close(pipe.writing)
    let text = String(decoding: ChildProcess.readToEnd(pipe.reading), as: UTF8.self)
    #expect(program.waitUntilExit() == 0)
    let key = try #require(TransactionKey.read(text))
    #expect(key.name == "home" && key.secret.utf8.count == 44 && text.contains(key.secret))
  }

  @Test(arguments: [
    "", "key", "key \"k\" {", "secret", "hmac-sha256", "# hmac-sha256:k:\(secret)\n", bind("k", algorithm: "hmac-md5"),
    bind("k", algorithm: "hmac-sha512"), "key \"k\" { algorithm hmac-sha256; };",
    "key \"k\" { algorithm hmac-sha256; secret",
    "algorithm hmac-sha256; secret \"\(secret)\";", "key:\n  - id:", "key:\n  -",
    String(repeating: "key ", count: 1000),
    // The comment alone has the right algorithm.
    knot("k").replacing("algorithm: hmac-sha256", with: "algorithm: hmac-sha1"),
  ])
  func anythingElseIsNoKey(_ text: String) {
    #expect(TransactionKey.read(text) == nil)
  }
}

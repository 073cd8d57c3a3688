import Testing

@testable import TLS

@Suite struct ScryptTests {
  /// As `hashlib.scrypt(b"correct horse battery", salt=b"0123456789abcdef", n=65536, r=8, p=1, dklen=32, maxmem=2**27)` of Python.
  @Test func theKeyIsTheOneOfRFC7914() throws {
    let key = try Scrypt.key(from: "correct horse battery", salt: Array("0123456789abcdef".utf8), length: 32)
    #expect(key.map { String($0, radix: 16) }.joined(separator: " ") == "56 a2 4b 50 68 cb 14 ca d0 27 2e 0 24 47 a0 f1 c4 28 ae 48 6c ea a5 c6 db dc 83 1c 0 5d 3f a3")
  }
}

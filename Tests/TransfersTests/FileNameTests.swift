import Testing

@testable import Transfers

@Suite struct FileNameTests {
  private func names(_ name: String, _ number: Int) -> String {
    String(decoding: FileName(Array(name.utf8)).attempt(number), as: UTF8.self)
  }

  @Test(arguments: [
    ("notes.txt", "notes-2.txt"), ("backup.tar.gz", "backup-2.tar.gz"), ("folder", "folder-2"),
    (".bashrc", ".bashrc-2"),
    ("a.thisisnotasuffixbecauseitislong", "a.thisisnotasuffixbecauseitislong-2"), ("..x", ".-2.x"),
    (".tar.gz", ".tar-2.gz"),
  ])
  func theNumberPrecedesTheSuffix(_ name: String, _ second: String) {
    #expect(names(name, 1) == name)
    #expect(names(name, 2) == second)
  }

  @Test func aNameStaysWithinTheLimit() {
    let long = String(repeating: "ä", count: 125) + ".txt"
    let second = FileName(Array(long.utf8)).attempt(2)
    #expect(second.count <= TransferPath.nameLength)
    #expect(String(decoding: second, as: UTF8.self).hasSuffix("ä-2.txt"))
    #expect(String(validating: second, as: UTF8.self) != nil)
    let bytes = [UInt8](repeating: 0xBF, count: 255)
    #expect(FileName(bytes).attempt(12).count <= TransferPath.nameLength)
  }
}

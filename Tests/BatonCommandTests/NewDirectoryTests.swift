import Foundation
import Testing

@testable import BatonCommand

struct NewDirectoryTests {
  private let path = NSTemporaryDirectory() + "baton-directory-" + UUID().uuidString

  private var names: [String] {
    let parent = (path as NSString).deletingLastPathComponent
    let name = (path as NSString).lastPathComponent
    return ((try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []).filter { $0.contains(name) }
  }

  @Test func itAppearsWhenEverythingIsInIt() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let directory = try NewDirectory(path)
    try directory.write("a", to: "one")
    try directory.write("b", to: "sub/two")
    #expect(!FileManager.default.fileExists(atPath: path))
    try directory.publish()
    #expect(try String(contentsOfFile: path + "/sub/two", encoding: .utf8) == "b")
    for (name, mode) in [("", 0o700), ("/sub", 0o700), ("/one", 0o600), ("/sub/two", 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
      #expect(attributes[.posixPermissions] as? Int == mode)
    }
    #expect(names == [(path as NSString).lastPathComponent])
    #expect(throws: CommandError.self) { try NewDirectory(path) }
  }

  @Test func nothingIsLeftOfWhatWasNotFinished() throws {
    do {
      let directory = try NewDirectory(path)
      try directory.write("a", to: "sub/two")
    }
    #expect(names == [])
  }

  @Test(arguments: ["../one", "a/b/c", "", "/one", "sub/..", "."])
  func onlyNamesBelowItAreWritten(_ name: String) throws {
    let directory = try NewDirectory(path)
    #expect(throws: CommandError.self) { try directory.write("a", to: name) }
  }
}

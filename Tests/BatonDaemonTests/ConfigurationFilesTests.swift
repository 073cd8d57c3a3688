// SPDX-License-Identifier: Apache-2.0

import BatonDaemon
import Foundation
import Testing

/// Configuration files in a directory of their own.
final class ConfigurationFilesTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "baton-\(UUID())")

  deinit { try? FileManager.default.removeItem(at: directory) }

  private func path(_ name: String) -> String { directory.appending(path: name).path }

  private func write(_ text: String, _ name: String) throws {
    let url = directory.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func link(_ name: String, to target: String) throws {
    let url = directory.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
  }

  private var files: ConfigurationFiles {
    ConfigurationFiles(main: path("main.conf"), isRequired: false, directories: [path("high"), path("low")])
  }

  private func read() -> [String] { files.read().files.map { String($0.dropFirst(directory.path.count + 1)) } }

  @Test func theMainFileComesFirstThenTheDropInsByName() throws {
    try write("", "main.conf")
    for name in ["high/20-b.conf", "low/10-a.conf", "low/30-c.conf", "low/9.conf"] { try write("", name) }
    #expect(read() == ["main.conf", "low/10-a.conf", "high/20-b.conf", "low/30-c.conf", "low/9.conf"])
  }

  @Test func aNameInAHigherDirectoryHidesTheOther() throws {
    try write("[Network]\nPort=1\n", "high/a.conf")
    try write("[Network]\nPort=x\n", "low/a.conf")
    let reader = files.read()
    #expect(reader.faults.isEmpty && reader.configuration.port == 1)
  }

  @Test func aLinkToNothingMasks() throws {
    try link("high/a.conf", to: "/dev/null")
    try link("main.conf", to: "/dev/null")
    try write("[Network]\nPort=1\n", "low/a.conf")
    let reader = files.read()
    #expect(reader.files.isEmpty && reader.faults.isEmpty && reader.configuration == Configuration())
  }

  @Test func aLinkThatLeadsNowhereIsAFault() throws {
    try link("main.conf", to: "/no/such/file")
    try link("high/a.conf", to: "/no/such/file")
    try write("", "low/a.conf")
    #expect(
      files.read().errors.map(\.description)
        == ["main.conf", "high/a.conf"].map { "\(path($0)): No such file or directory" }
    )
  }

  @Test func aNameThatIsNoTextIsAFault() throws {
    try write("", "high/a.conf")
    let name = Array(path("high").utf8) + [UInt8(ascii: "/"), 0xFF] + Array(".conf".utf8) + [0]
    let descriptor = open(name.map(CChar.init(bitPattern:)), O_CREAT, 0o600)
    #expect(descriptor >= 0 && close(descriptor) == 0)
    #expect(files.read().errors.map(\.description) == ["\(path("high")): the file's name isn't UTF-8"])
  }

  @Test func otherNamesAreNotRead() throws {
    for name in [".a.conf", "a.conf~", "a.conf.dpkg-old", "README", "conf"] { try write("nonsense", "high/\(name)") }
    #expect(read() == [])
    #expect(files.read().faults.isEmpty)
  }

  @Test func whatIsNoFileIsAFaultAndNothingWaitsForIt() throws {
    try write("", "high/a.conf")
    #expect(mkfifo(path("high/b.conf"), 0o600) == 0)
    try write("[Log]\n", "high/c.conf/file")
    #expect(
      files.read().faults.map(\.description)
        == ["\(path("high/b.conf")): this isn't a file", "\(path("high/c.conf")): this isn't a file"]
    )
  }

  @Test func aFileMayBeMissingUnlessItWasNamed() throws {
    #expect(files.read().faults.isEmpty)
    let named = try #require(ConfigurationFiles(named: path("x.conf"), isUser: false) { _ in nil })
    #expect(named.read().errors.map(\.description) == ["\(path("x.conf")): No such file or directory"])
    try write("", "x.conf")
    try write("[Network]\nPort=1\n", "x.conf.d/a.conf")
    #expect(named.read().configuration.port == 1)
  }

  @Test func lengthsAreLimited() throws {
    let limit = ConfigurationFiles.configurationFileLength
    try write(String(repeating: "#", count: limit), "main.conf")
    #expect(files.read().faults.isEmpty)
    try write(String(repeating: "#", count: limit + 1), "main.conf")
    #expect(files.read().errors.map(\.message) == ["the file is larger than 65536 bytes"])
    try write("", "main.conf")
    for number in 0..<ConfigurationFiles.configurationFiles { try write("", "high/\(number).conf") }
    #expect(files.read().faults.isEmpty)
    try write("", "high/more.conf")
    #expect(files.read().errors.map(\.message) == ["there are more than 64 files; the others are ignored"])
  }

  @Test func aFileIsText() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data([0xFF, 0xFE]).write(to: directory.appending(path: "main.conf"))
    #expect(files.read().errors.map(\.message) == ["the file isn't UTF-8"])
  }

  @Test func theMachineAndAUserHavePlacesOfTheirOwn() {
    let system = ConfigurationFiles(named: nil, isUser: false) { _ in nil }
    #expect(system?.main == "/etc/baton/batond.conf")
    #expect(
      system?.directories == ["/etc", "/run", "/usr/local/lib", "/usr/lib"].map { "\($0)/baton/batond.conf.d" }
    )
    let variables = ["HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/1"]
    let user = ConfigurationFiles(named: nil, isUser: true) { variables[$0] }
    #expect(user?.main == "/home/ada/.config/baton/batond.conf")
    #expect(
      user?.directories == ["/home/ada/.config/baton/batond.conf.d", "/run/user/1/baton/batond.conf.d"]
    )
    #expect(
      ConfigurationFiles(named: nil, isUser: true) { $0 == "XDG_CONFIG_HOME" ? "/c" : nil }?.main
        == "/c/baton/batond.conf"
    )
    #expect(ConfigurationFiles(named: nil, isUser: true) { _ in nil } == nil)
  }
}

// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import EventLoop
import Foundation
import Hosts
import TestSupport
import Testing

/// Two ends of a stream.
private func pair() throws -> (Int32, Int32) {
  var ends: [Int32] = [-1, -1]
  guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw TestFailure("socketpair") }
  return (ends[0], ends[1])
}

@Suite(.isolated)
struct DocumentStreamTests {
  private let machine: Machine

  init() throws { machine = try Machine() }

  /// Serves one end on a thread, and runs `body` with the other.
  private func serving<T>(
    idleTime: Duration = .seconds(20),
    _ provider: @escaping @Sendable (DocumentRequest) -> Result<DocumentContent, DocumentRefusal>,
    _ body: (Int32) throws -> T
  ) throws -> T {
    let (origin, receiver) = try pair()
    let server = onThread {
      defer { close(origin) }
      try? DocumentStream.serve(origin, idleTime: idleTime, provider)
    }
    let result = Result { try body(receiver) }
    close(receiver)
    try server.wait()
    return try result.get()
  }

  /// Sends bytes as the origin, and ends.
  private func sending<T>(_ text: String, _ body: (Int32) throws -> T) throws -> T {
    let (origin, receiver) = try pair()
    let bytes = Array(text.utf8)
    #expect(write(origin, bytes, bytes.count) == bytes.count)
    shutdown(origin, Int32(SHUT_WR))
    defer {
      close(origin)
      close(receiver)
    }
    return try body(receiver)
  }

  private var folder: HandoffFolder { HandoffFolder("\(machine.home)/Handoff") }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test(arguments: [false, true])
  func aFileArrivesAndNothingIsOverwritten(hidesFiles: Bool) throws {
    let folder = HandoffFolder("\(machine.home)/Handoff", hidesFiles: hidesFiles)
    let path = try machine.write("Hello\n", to: "origin/notes.txt")
    for name in ["notes.txt", "notes-2.txt", "notes-3.txt"] {
      let arrived = try serving({ _ in .success(.file(open(path, O_RDONLY | O_CLOEXEC))) }) { receiver in
        var counts: [Int] = []
        defer { #expect(counts == [6]) }
        return try folder.fetch(over: receiver, name: "/home/ada/notes.txt") { count, size in
          counts.append(count)
          #expect(size == 6)
        }
      }
      #expect(arrived == "\(folder.path)/\(name)")
      #expect(try machine.text(of: "home/Handoff/\(name)") == "Hello\n")
    }
    #expect(try names() == ["notes-2.txt", "notes-3.txt", "notes.txt"])
  }

  @Test func aLargeFileArrivesWhole() throws {
    let text = String(repeating: "0123456789abcdef", count: 200_000)
    let arrived = try serving({ request in .success(.bytes(Array(text.utf8), baseSHA256: helloHash)) }) { receiver in
      try DocumentStream.fetchBytes(.unsavedText, over: receiver, limit: 1 << 23)
    }
    #expect(arrived.bytes == Array(text.utf8) && arrived.header.baseSHA256 == helloHash)
  }

  @Test func theOriginDecidesWhatItSends() throws {
    let error = #expect(throws: DocumentStreamError.self) {
      try serving({ $0 == .document ? .failure(.tooLarge) : .success(.bytes([])) }) { receiver in
        try folder.fetch(over: receiver, name: "x")
      }
    }
    #expect(error == .refused(.tooLarge))
    #expect(try names() == [])
  }

  @Test func anUnknownRequestIsRefusedWithoutAskingTheProvider() throws {
    let answer = try serving({ _ in .failure(.notAvailable) }) { receiver in
      let line = Array("{\"get\":\"/etc/passwd\"}\n".utf8)
      #expect(write(receiver, line, line.count) == line.count)
      return FileHandle(fileDescriptor: receiver).readDataToEndOfFile()
    }
    #expect(answer == Data("{\"reason\":\"unknownRequest\"}\n".utf8))
  }

  @Test(
    arguments: [
      ("", .broken), ("nonsense\n", .broken), ("{\"reason\":\"notAvailable\"}", .broken),
      ("{\"size\":7,\"sha256\":\"\(helloHash)\"}\nHello\n", .broken),
      ("{\"size\":6,\"sha256\":\"\(helloHash)\"}\nOther\n", .damaged),
      ("{\"size\":5,\"sha256\":\"\(helloHash)\"}\nHello\n", .damaged),
      ("{\"size\":6,\"sha256\":\"\(helloHash)\"}\nHello\n.", .damaged),
      ("{\"size\":999999999999,\"sha256\":\"\(helloHash)\"}\n", .tooLarge),
      (String(repeating: " ", count: 5000), .broken),
    ] as [(String, DocumentStreamError)]
  )
  func whatIsNotAsAnnouncedLeavesNoFile(_ answer: String, _ expected: DocumentStreamError) throws {
    let error = #expect(throws: DocumentStreamError.self) {
      try sending(answer) { receiver in try folder.fetch(over: receiver, name: "x") }
    }
    #expect(error == expected)
    #expect(try names() == [])
  }

  @Test func anEmptyFileArrives() throws {
    let path = try serving({ _ in .success(.bytes([])) }) { try folder.fetch(over: $0, name: "empty") }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
    // So that it is known as another machine's wherever it is moved.
    #expect(ArrivalMark.isSet(path))
  }

  @Test func whoeverSendsNothingIsGivenUp() throws {
    let (origin, receiver) = try pair()
    defer {
      close(origin)
      close(receiver)
    }
    let error = #expect(throws: DocumentStreamError.self) {
      try DocumentStream.fetch(.document, over: receiver, idleTime: .milliseconds(50)) { _ in }
    }
    #expect(error == .timedOut)
    let other = #expect(throws: DocumentStreamError.self) {
      // Its request is there, and nothing more comes.
      try DocumentStream.fetch(.document, over: origin, idleTime: .milliseconds(50)) { _ in }
    }
    #expect(other == .broken)
  }

  @Test func whoeverIsTooSlowIsGivenUp() throws {
    let (origin, receiver) = try pair()
    defer { close(receiver) }
    let header = Array("{\"size\":1000000,\"sha256\":\"\(helloHash)\"}\n".utf8)
    let hasEnded = Outcome<Bool>()
    let sender = onThread {
      defer { close(origin) }
      var count = write(origin, header, header.count)
      // Each byte comes in time, but all of them would not in this life.
      while count > 0, !hasEnded.isSet {
        _ = poll(nil, 0, 5)
        count = send(origin, " ", 1, Int32(MSG_NOSIGNAL))
      }
    }
    let error = #expect(throws: DocumentStreamError.self) {
      try DocumentStream.fetch(.document, over: receiver, idleTime: .milliseconds(100)) { _ in }
    }
    hasEnded.set(.success(true))
    #expect(error == .timedOut)
    try sender.wait()
  }

  @Test func nothingIsVisibleBeforeItIsComplete() throws {
    let folder = folder
    var before: [String]?
    let path = try serving({ _ in .success(.bytes(Array("Hello\n".utf8))) }) { receiver in
      try folder.fetch(over: receiver, name: "x") { _, _ in before = try? names() }
    }
    #expect(before == [])
    #expect(path == "\(folder.path)/x")
    #expect(try names() == ["x"])
  }

  @Test func theFolderCanBeALinkToAnotherDisk() throws {
    try machine.makeDirectory("disk/from others")
    try machine.link("home/Handoff", to: "../disk/from others")
    let path = try serving({ _ in .success(.bytes([1])) }) { try folder.fetch(over: $0, name: "x") }
    #expect(path == "\(machine.root)/disk/from others/x")
    #expect(folder.contains(path) && folder.contains("\(machine.home)/Handoff/x"))
  }

  @Test(arguments: [("../disk", "disk"), (".", "home"), (".config", "hidden"), ("bin", "bin"), ("..", "home")])
  func aLinkThatCannotBeUsedIsNamed(target: String, reason: String) throws {
    try machine.makeDirectory("home/.config")
    try machine.makeDirectory("home/bin")
    try machine.link("home/Handoff", to: target)
    let error = #expect(throws: DocumentStreamError.self) {
      try serving({ _ in .success(.bytes([1])) }) { try folder.fetch(over: $0, name: "x") }
    }
    let text = "\(try #require(error))"
    #expect(text.contains("link to") && text.contains(reason), "\(text)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: machine.home).sorted() == [".config", "Handoff", "bin"]
    )
  }

  @Test func noLinkIsFollowed() throws {
    try machine.makeDirectory("elsewhere")
    // Only root can make links of others.
    if geteuid() == 0 {
      try machine.link("home/Handoff", to: "\(machine.root)/elsewhere")
      #expect(lchown("\(machine.home)/Handoff", 12345, 12345) == 0)
      #expect(throws: DocumentStreamError.self) {
        try serving({ _ in .success(.bytes([1])) }) { try folder.fetch(over: $0, name: "x") }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/elsewhere").isEmpty)
      unlink("\(machine.home)/Handoff")
    }
    try machine.makeDirectory("home/Handoff")
    try machine.link("home/Handoff/x", to: "\(machine.root)/elsewhere/target")
    let path = try serving({ _ in .success(.bytes([1])) }) { try folder.fetch(over: $0, name: "x") }
    #expect(path.hasSuffix("/x-2"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/elsewhere").isEmpty)
  }

  @Test func manyAtOnceGetNamesOfTheirOwn() throws {
    let folder = folder
    let path = try machine.write("Hello\n", to: "origin/notes.txt")
    let writers = (0..<8).map { _ in
      onThread {
        let (origin, receiver) = try pair()
        let server = onThread {
          defer { close(origin) }
          try DocumentStream.serve(origin) { _ in .success(.file(open(path, O_RDONLY | O_CLOEXEC))) }
        }
        defer { close(receiver) }
        let path = try folder.fetch(over: receiver, name: "notes.txt")
        try server.wait()
        return path
      }
    }
    let paths = try writers.map { try $0.wait() }
    #expect(Set(paths).count == 8)
    #expect(try names() == (["notes"] + (2...8).map { "notes-\($0)" }).map { "\($0).txt" }.sorted())
  }

  @Test func theFolderIsTheUsersOwn() throws {
    let path = try serving({ _ in .success(.bytes([1])) }) { try folder.fetch(over: $0, name: "../../.bashrc") }
    #expect(path == "\(folder.path)/bashrc")
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import Desktop
import EventLoop
import Foundation
import TestSupport
import Testing

@Suite(.isolated)
struct FileTransferTests {
  private let machines: Machines

  init() throws { machines = try Machines() }

  @Test func aFileArrives() throws {
    let data = Machines.random(3_000_000)
    try machines.write(data, to: "notes.txt")
    let attempt = try machines.attempt(["notes.txt"])
    #expect(try attempt.received.get().paths == [Array("\(machines.there)/notes.txt".utf8)])
    #expect(try attempt.sent.get().omitted == 0)
    #expect(machines.content("notes.txt") == data)
    #expect(machines.names() == ["notes.txt"])
  }

  @Test func nothingIsOverwritten() throws {
    try machines.write(Data("a".utf8), to: "a.txt")
    try machines.write(Data("b".utf8), to: "folder/b")
    for _ in 0..<3 { _ = try machines.attempt(["a.txt", "folder"]).received.get() }
    #expect(machines.names() == ["a-2.txt", "a-3.txt", "a.txt", "folder", "folder-2", "folder-3"])
  }

  @Test func theVersionInTheNameOfAFolderStays() throws {
    try machines.write(Data("b".utf8), to: "Ubuntu 22.04/b")
    for _ in 0..<2 { _ = try machines.attempt(["Ubuntu 22.04"]).received.get() }
    #expect(machines.names() == ["Ubuntu 22.04", "Ubuntu 22.04-2"])
  }

  @Test func whatIsHiddenArrivesUnderAnotherNameUnlessSomebodyWasAsked() throws {
    for name in [".profile", ".bashrc", "bashrc", ".git/config", "HEAD", "-rf"] {
      try machines.write(Data(name.utf8), to: name)
    }
    var allowance = FileReceiver.Allowance()
    allowance.asked = [Array(".profile".utf8)]
    let sent = [".profile", ".bashrc", "bashrc", ".git", "HEAD", "-rf"]
    _ = try machines.attempt(sent, allowance: allowance).received.get()
    #expect(machines.names() == [".profile", "_HEAD", "bashrc", "bashrc-2", "git", "rf"])
    #expect(machines.content("git/config") == Data(".git/config".utf8))
  }

  @Test func whatShowsSomethingElseArrivesUnderAnotherNameInAnyCase() throws {
    let sent = ["html", "notes", "photo\u{202E}gpj.exe"]
    for name in ["html/__init__.py", "notes/__init__.py", sent[2]] { try machines.write(Data(name.utf8), to: name) }
    var allowance = FileReceiver.Allowance()
    allowance.asked = Set(sent.map { Array($0.utf8) })
    _ = try machines.attempt(sent, allowance: allowance).received.get()
    #expect(machines.names() == ["_html", "notes", "photogpj.exe"])
    #expect(machines.content("_html/__init__.py") == Data("html/__init__.py".utf8))
  }

  @Test func twoFilesWithTheSameNameArriveAsTwo() throws {
    try machines.write(Data("1".utf8), to: "one/a.txt")
    try machines.write(Data("2".utf8), to: "two/a.txt")
    _ = try machines.attempt(["one/a.txt", "two/a.txt"]).received.get()
    #expect(machines.names() == ["a-2.txt", "a.txt"])
    #expect(machines.content("a-2.txt") == Data("2".utf8))
  }

  @Test func aFolderWithEverythingInIt() throws {
    let names = [
      "a b", "new\nline", "-rf", "\u{202E}gpj.exe", "'\"$(x)`", "deep/er/est", String(repeating: "n", count: 255),
      ".hidden",
      "\u{1B}[31m", "...", "*", "empty",
    ]
    for name in names { try machines.write(name == "empty" ? Data() : Machines.random(1000), to: "top/\(name)") }
    let here = "\(machines.here)/top"
    #expect(chmod("\(here)/a b", 0o4755) == 0)
    #expect(symlink("deep/er", "\(here)/link") == 0)
    #expect(symlink("/etc/passwd", "\(here)/outside") == 0)
    #expect(symlink("../../x", "\(here)/deep/outside") == 0)
    #expect(mkfifo("\(here)/pipe", 0o600) == 0)
    #expect(mkdir("\(here)/nothing", 0o700) == 0)
    let raw: [CChar] = Array(here.utf8CString.dropLast()) + [0x2F, -1, -2, 0]
    let descriptor = open(raw, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    #expect(descriptor >= 0)
    close(descriptor)
    var times = [timespec(), timespec(tv_sec: 1_000_000_000, tv_nsec: 123_456_789)]
    times[0].tv_nsec = (1 << 30) - 2  // UTIME_OMIT
    #expect(utimensat(AT_FDCWD, "\(here)/-rf", times, 0) == 0)
    #expect(utimensat(AT_FDCWD, "\(here)/deep", times, 0) == 0)

    let attempt = try machines.attempt(["top"])
    let result = try attempt.received.get()
    let sent = try attempt.sent.get()
    #expect(sent.omitted == 3)
    #expect(Set(sent.omissions.map(\.path.text)) == ["top/outside", "top/deep/outside", "top/pipe"])
    #expect(result.omitted == 3)
    for name in names {
      #expect(machines.content("top/\(name)") == FileManager.default.contents(atPath: "\(here)/\(name)"))
    }
    var status = stat()
    #expect(stat("\(machines.there)/top/a b", &status) == 0)
    #expect(status.st_mode & 0o7777 & ~0o055 == 0o700)
    #expect(stat("\(machines.there)/top/-rf", &status) == 0)
    #expect(status.st_mtim.tv_sec == 1_000_000_000 && status.st_mtim.tv_nsec == 123_456_789)
    #expect(stat("\(machines.there)/top/deep", &status) == 0)
    #expect(status.st_mtim.tv_sec == 1_000_000_000)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(machines.there)/top/link") == "deep/er")
    #expect(lstat("\(machines.there)/top/outside", &status) != 0)
    #expect(machines.names("top/nothing").isEmpty)
    let there: [CChar] = Array("\(machines.there)/top/".utf8CString.dropLast()) + [-1, -2, 0]
    #expect(lstat(there, &status) == 0)
  }

  @Test func holesStayHoles() throws {
    let path = try machines.write(Data(), to: "sparse")
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    let data = Array(Machines.random(100_000))
    #expect(pwrite(descriptor, data, data.count, 3 << 30) == data.count)
    #expect(ftruncate(descriptor, 5 << 30) == 0)
    close(descriptor)
    let attempt = try machines.attempt(["sparse"])
    _ = try attempt.received.get()
    #expect(attempt.bytes < 1_000_000)
    var status = stat()
    #expect(stat("\(machines.there)/sparse", &status) == 0)
    #expect(status.st_size == 5 << 30)
    #expect(status.st_blocks * 512 < 1_000_000)
    let arrived = open("\(machines.there)/sparse", O_RDONLY | O_CLOEXEC)
    var content = [UInt8](repeating: 0, count: data.count)
    #expect(pread(arrived, &content, content.count, 3 << 30) == content.count)
    close(arrived)
    #expect(content == data)
  }

  // MARK: Interruptions

  @Test func whatIsThereIsNotSentAgain() throws {
    let big = Machines.random(20_000_000)
    try machines.write(big, to: "top/big")
    for index in 0..<200 { try machines.write(Machines.random(5000), to: "top/small/\(index)") }
    var total = 0
    var attempts = 0
    while attempts < 100 {
      attempts += 1
      let attempt = try machines.attempt(["top"], limit: 3_000_000)
      total += attempt.bytes
      if case .success = attempt.received { break }
      #expect(throws: TransferStop.broken) { try attempt.received.get() }
      #expect(machines.names() == [StagingFolder.name])
    }
    #expect(attempts < 15)
    #expect(machines.content("top/big") == big)
    #expect(machines.names("top/small").count == 200)
    #expect(machines.names() == ["top"])
    // Each attempt describes everything, and begins the last block again.
    #expect(total < 21_000_000 + attempts * 1_200_000)
  }

  @Test func whatWasDamagedOrChangedMeanwhileIsSentAgain() throws {
    var data = Machines.random(8_000_000)
    try machines.write(data, to: "a")
    #expect(throws: TransferStop.broken) { try machines.attempt(["a"], limit: 6_000_000).received.get() }
    let staged = "\(machines.there)/\(StagingFolder.name)/t/files/a"
    let descriptor = open(staged, O_WRONLY | O_CLOEXEC)
    #expect(pwrite(descriptor, "x", 1, 1_500_000) == 1)
    close(descriptor)
    data[10] ^= 1
    try machines.write(data.prefix(7_500_000), to: "a")
    let attempt = try machines.attempt(["a"])
    _ = try attempt.received.get()
    #expect(machines.content("a") == data.prefix(7_500_000))
    #expect(attempt.bytes < 5_500_000)
  }

  @Test func whatIsNoLongerSentDoesNotArrive() throws {
    try machines.write(Machines.random(2_000_000), to: "top/a")
    try machines.write(Machines.random(2_000_000), to: "top/b")
    #expect(throws: TransferStop.broken) { try machines.attempt(["top"], limit: 3_000_000).received.get() }
    try FileManager.default.removeItem(atPath: "\(machines.here)/top/a")
    try machines.write(Data("c".utf8), to: "top/a/c")
    _ = try machines.attempt(["top"]).received.get()
    #expect(machines.content("top/a/c") == Data("c".utf8))
    #expect(machines.names("top") == ["a", "b"])
  }

  // MARK: Refusals

  @Test func bothSidesKnowWhyNothingArrives() throws {
    try machines.write(Machines.random(2_000_000), to: "a")
    let full = try machines.attempt(["a"], allowance: FileReceiver.Allowance(reserve: .max / 2))
    #expect(throws: TransferStop.failed(.diskFull)) { try full.received.get() }
    #expect(throws: TransferStop.failed(.diskFull)) { try full.sent.get() }
    let large = try machines.attempt(["a"], allowance: FileReceiver.Allowance(size: 1000))
    #expect(throws: TransferStop.failed(.tooLarge)) { try large.received.get() }
    #expect(throws: TransferStop.failed(.tooLarge)) { try large.sent.get() }
    let nothing = try machines.attempt(["missing"])
    #expect(throws: TransferStop.failed(.nothingToSend)) { try nothing.received.get() }
    #expect(throws: TransferStop.failed(.nothingToSend)) { try nothing.sent.get() }
  }

  @Test func eitherSideCanStopIt() throws {
    try machines.write(Machines.random(2_000_000), to: "a")
    for isSender in [true, false] {
      let control = TransferControl()
      control.stop(isSender ? .withdrawn : .canceled)
      let attempt = try machines.attempt(
        ["a"],
        sending: isSender ? control : TransferControl(),
        receiving: isSender ? TransferControl() : control
      )
      let failure = TransferStop.failed(isSender ? .withdrawn : .canceled)
      #expect(throws: failure) { try attempt.received.get() }
      #expect(throws: failure) { try attempt.sent.get() }
    }
    #expect(machines.names() == [StagingFolder.name])
    try StagingFolder(in: machines.there, transfer: "t").remove()
    #expect(machines.names().isEmpty)
  }

  @Test func whatComesTogetherWithTheRequestIsHeard() throws {
    let path = try machines.write(Machines.random(2_000_000), to: "a")
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    var bytes: [UInt8] = []
    TransferFrame.request(version: TransferFrame.version).append(to: &bytes)
    TransferFrame.finished(.canceled, omitted: 0).append(to: &bytes)
    #expect(write(ends[1], bytes, bytes.count) == bytes.count)
    shutdown(ends[1], Int32(SHUT_WR))
    let reader = onThread { [end = ends[1]] in
      while true {
        var buffer = [UInt8](repeating: 0, count: 65536)
        var item = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        poll(&item, 1, -1)
        if read(end, &buffer, buffer.count) == 0 { return }
      }
    }
    #expect(throws: TransferStop.failed(.canceled)) {
      try FileSender.send([Array(path.utf8)], over: ends[0], TransferControl())
    }
    shutdown(ends[0], Int32(SHUT_RDWR))
    try reader.wait()
  }

  @Test func aLinkInTheStagingFolderIsNotFollowed() throws {
    let outside = "\(machines.root)/outside"
    try machines.write(Data("new".utf8), to: "top/a")
    mkdir(outside, 0o700)
    #expect(FileManager.default.createFile(atPath: "\(outside)/a", contents: Data("old".utf8)))
    for target in ["top", "top/a"] {
      let staging = "\(machines.there)/\(StagingFolder.name)/t/files"
      try FileManager.default.createDirectory(atPath: staging, withIntermediateDirectories: true)
      if target != "top" { mkdir("\(staging)/top", 0o700) }
      #expect(symlink(target == "top" ? outside : "\(outside)/a", "\(staging)/\(target)") == 0)
      _ = try machines.attempt(["top"]).received.get()
    }
    #expect(FileManager.default.contents(atPath: "\(outside)/a") == Data("old".utf8))
    #expect(machines.content("top-2/a") == Data("new".utf8))
  }
}

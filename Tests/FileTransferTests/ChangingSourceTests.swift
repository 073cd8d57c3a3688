// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import Desktop
import Foundation
import TestSupport
import Testing

/// Files and folders that change while they are sent.
@Suite(.isolated)
struct ChangingSourceTests {
  private let machines: Machines

  init() throws { machines = try Machines() }

  /// Sends to a receiver that has nothing.
  ///
  /// - Parameter change: Called between the description and the first file.
  /// - Returns: What is sent of each file, and what is left out.
  private func send(
    _ names: [String],
    _ change: @escaping @Sendable () throws -> Void
  ) throws -> (files: [String: Data], omissions: [Omission]) {
    let content = Outcome<[String: Data]>()
    let outcome = try machines.send(names) { peer in
      try peer.send(.request(version: 1))
      let description = try peer.wait { if case .entriesEnd = $0 { true } else { false } }
      let entries = description.flatMap {
        if case .entries(let entries) = $0 { entries } else { [] as [TransferEntry] }
      }
      try change()
      try peer.send(.go)
      var files: [UInt32: Data] = [:]
      for frame in try peer.wait({ $0 == .end }) {
        switch frame {
        case .data(let entry, 0, let bytes) where bytes.isEmpty: files[entry] = nil
        case .data(let entry, let offset, let bytes):
          var data = files[entry] ?? Data()
          if data.count < Int(offset) { data.append(Data(count: Int(offset) - data.count)) }
          data.append(contentsOf: bytes)
          files[entry] = data
        case .fileEnd(let entry, let size, _):
          var data = files[entry] ?? Data()
          data.append(Data(count: Int(size) - data.count))
          files[entry] = data
        case .omitted(let entry, _): files[entry] = nil
        default: break
        }
      }
      try peer.send(.finished(nil))
      content.set(.success(Dictionary(uniqueKeysWithValues: files.map { (entries[Int($0)].path.text, $1) })))
    }
    let result = try outcome.result.get()
    return (try content.wait(), result.omissions)
  }

  @Test func whatIsReplacedByALinkIsNotFollowed() throws {
    for name in ["a/file", "b/file", "c/file", "d"] { try machines.write(Data("mine".utf8), to: "top/\(name)") }
    let top = "\(machines.here)/top"
    let outside = try machines.write(Data("secret".utf8), to: "outside/file")
    let sent = try send(["top"]) {
      for name in ["a/file", "b", "c/file"] { try FileManager.default.removeItem(atPath: "\(top)/\(name)") }
      #expect(symlink(outside, "\(top)/a/file") == 0)
      #expect(symlink("\(top)/../outside", "\(top)/b") == 0)
      #expect(mkfifo("\(top)/c/file", 0o600) == 0)
    }
    #expect(sent.files == ["top/d": Data("mine".utf8)])
    #expect(
      Set(sent.omissions)
        == Set(
          ["a/file", "b/file", "c/file"].compactMap {
            TransferPath(Array("top/\($0)".utf8)).map { Omission($0, .vanished) }
          }
        )
    )
  }

  @Test func aRenamedFolderIsStillSent() throws {
    try machines.write(Data("1".utf8), to: "top/one")
    let here = machines.here
    let sent = try send(["top"]) { #expect(rename("\(here)/top", "\(here)/other") == 0) }
    #expect(sent.files == ["top/one": Data("1".utf8)])
  }

  @Test func aFileThatGrowsTooMuchIsLeftOutByName() throws {
    try machines.write(Data("1".utf8), to: "top/a")
    try machines.write(Data("1".utf8), to: "top/b")
    try machines.write(Data("1".utf8), to: "top/c")
    let top = "\(machines.here)/top"
    let sent = try send(["top"]) {
      #expect(truncate("\(top)/a", 100 << 20) == 0)
      #expect(truncate("\(top)/b", 10_000) == 0)
      #expect(truncate("\(top)/c", 0) == 0)
    }
    #expect(sent.files == ["top/b": Data("1".utf8) + Data(count: 9999), "top/c": Data()])
    #expect(sent.omissions.map(\.path.text) == ["top/a"])
    #expect(sent.omissions.map(\.reason) == [.changed])
  }

  @Test func aFileThatChangesAllTheTimeIsLeftOutByName() throws {
    // More than is on its way at any time, so each attempt lasts until its first bytes have been read.
    let path = try machines.write(Machines.random(8_000_000), to: "top/log")
    try machines.write(Data("calm".utf8), to: "top/notes")
    let outcome = try machines.send(["top"]) { peer in
      try peer.send(.request(version: 1))
      try peer.wait { if case .entriesEnd = $0 { true } else { false } }
      try peer.send(.go)
      var beginnings = 0
      let frames = try peer.wait { frame in
        if case .data(1, 0, let bytes) = frame, !bytes.isEmpty {
          beginnings += 1
          let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
          #expect(Glibc.write(descriptor, "x", 1) == 1)
          close(descriptor)
        }
        return frame == .end
      }
      #expect(beginnings == 3)
      #expect(frames.contains(.omitted(entry: 1, .changed)))
      #expect(frames.contains { if case .fileEnd(2, 4, _) = $0 { true } else { false } })
      try peer.send(.finished(nil))
    }
    #expect(try outcome.result.get().omissions.map(\.path.text) == ["top/log"])
  }

  @Test func manyFoldersNeedFewDescriptors() throws {
    let names = (0..<300).map { "folder\($0)" }
    for name in names { try machines.write(Data(name.utf8), to: "\(name)/file") }
    let most = Outcome<Int>()
    let sent = try send(names) {
      most.set(.success(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count))
    }
    #expect(try most.wait() < 120)
    #expect(sent.files.count == 300)
    #expect(sent.files["folder299/file"] == Data("folder299".utf8))
  }

  @Test func filesThatTheKernelMakesUpAreLeftOut() throws {
    let sent = try send(["/proc/cpuinfo", "/sys/kernel/mm/transparent_hugepage/enabled", "/proc/self/status"]) {}
    #expect(sent.files.isEmpty)
    #expect(Set(sent.omissions.map(\.reason)) == [.special])
  }

  @Test func blocksThatAreHalfThereAreFilledWithHoles() throws {
    let data = Machines.random(8_000_000)
    let path = try machines.write(data, to: "a")
    #expect(throws: TransferStop.broken) { try machines.attempt(["a"], limit: 5_500_000).received.get() }
    // From the middle of a block on, there is only a hole now.
    #expect(truncate(path, 2_000_000) == 0)
    #expect(truncate(path, 8_000_000) == 0)
    _ = try machines.attempt(["a"]).received.get()
    #expect(machines.content("a") == data.prefix(2_000_000) + Data(count: 6_000_000))
  }

  @Test func somebodyWhoMovesThingsAllTheTimeGetsNothingElsewhere() throws {
    for index in 0..<40 { try machines.write(Machines.random(20_000), to: "top/sub\(index % 4)/\(index)") }
    let (root, there) = (machines.root, machines.there)
    mkdir("\(root)/outside", 0o700)
    let staged = "\(there)/\(StagingFolder.name)/t/files/top"
    for round in 0..<20 {
      let isOver = Outcome<Void>()
      let mover = onThread {
        // From one place to another one, with a link to elsewhere in between.
        while !isOver.isSet {
          for name in ["sub\(round % 4)", "", "sub\((round + 1) % 4)/1"] {
            guard rename("\(staged)/\(name)", "\(root)/moved") == 0 else { continue }
            symlink("\(root)/outside", "\(staged)/\(name)")
            unlink("\(staged)/\(name)")
            rename("\(root)/moved", "\(staged)/\(name)")
          }
        }
      }
      let attempt = try machines.attempt(["top"])
      isOver.set(.success(()))
      try mover.wait()
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(root)/outside").isEmpty)
      if case .success(let result) = attempt.received {
        // It is whole, or was moved away after everything had arrived.
        for path in result.paths.map({ String(decoding: $0, as: UTF8.self) }) {
          for index in 0..<40 {
            let (one, other) = ("\(path)/sub\(index % 4)/\(index)", "\(machines.here)/top/sub\(index % 4)/\(index)")
            #expect(FileManager.default.contentsEqual(atPath: one, andPath: other), "\(one)")
          }
        }
      } else {
        #expect(throws: TransferStop.failed(.folderUnavailable)) { try attempt.received.get() }
      }
      try? FileManager.default.removeItem(atPath: "\(root)/moved")
      StagingFolder.discard(in: there, transfer: "t")
      for name in machines.names() { try FileManager.default.removeItem(atPath: "\(there)/\(name)") }
    }
  }

  @Test func whatSomebodyDeletesOnTheWayDoesNotCountAsArrived() throws {
    let entries = try [TransferEntry("top", .folder), .file("top/a"), .file("top/b")]
    let staged = "\(machines.there)/\(StagingFolder.name)/t/files/top"
    let time = FileTime(seconds: 0, nanoseconds: 0)
    for victim in ["top/a", "top", "", "folder"] {
      let there = machines.there
      let outcome = try machines.receive { peer in
        try peer.send(.entries(entries), .end(of: entries))
        try peer.wait { $0 == .go }
        for entry: UInt32 in 1...2 {
          try peer.send(.data(entry: entry, offset: 0, bytes: [1]), .fileEnd(entry: entry, size: 1, modified: time))
        }
        // The file gets its time at its end.
        var status = stat()
        while stat("\(staged)/b", &status) != 0 || status.st_mtim.tv_sec != 0 { usleep(1000) }
        switch victim {
        case "": #expect(rename(there, "\(there)-2") == 0 && symlink("/etc", there) == 0)
        case "folder": try FileManager.default.removeItem(atPath: there)
        default: try FileManager.default.removeItem(atPath: "\(staged)/\(victim.dropFirst(4))")
        }
        try peer.send(.end)
      }
      #expect(throws: TransferStop.failed(.folderUnavailable), "\(victim)") { try outcome.result.get() }
      #expect(outcome.told == .finished(.folderUnavailable))
      if victim == "" { #expect(unlink(there) == 0 && rename("\(there)-2", there) == 0) }
      #expect(machines.names().allSatisfy { $0 == StagingFolder.name })
    }
  }
}

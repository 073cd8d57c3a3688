// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import TestSupport
import Testing
import VarlinkServer

/// `--stream` against a fake daemon.
@Suite struct StreamTests {
  static let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) })

  /// Makes a daemon with one offer, whose stream `side` plays on its own thread.
  @Loop
  func daemon(
    outcome: Reason? = nil,
    _ side: @escaping @Sendable (_ stream: FileHandle, _ rest: Data) -> Void
  ) throws -> FakeDaemon {
    let daemon = try FakeDaemon()
    let offer = try sampleOffer(stream: true)
    daemon.offer([offer])
    daemon.reply(
      to: Continue.self,
      Continue.Reply(activity: ControlActivity(id: offer.id, activityType: "a.b"), device: "laptop", origin: .unknown)
    )
    daemon.on(OpenStream.self) { _, exchange in Self.upgrade(exchange, side) }
    daemon.on(AcceptStream.self) { _, exchange in Self.upgrade(exchange, side) }
    daemon.on(BecomeCurrent.self) { parameters, exchange in
      exchange.replyContinuing(BecomeCurrent.Reply(id: offer.id, event: .current))
      exchange.replyContinuing(BecomeCurrent.Reply(id: offer.id, event: .continued, device: "desktop"))
      exchange.replyContinuing(
        BecomeCurrent.Reply(id: offer.id, event: .streamRequested, device: "desktop", stream: "s")
      )
      exchange.stayOpen()
    }
    daemon.reply(to: AwaitStream.self, AwaitStream.Reply(reason: outcome))
    return daemon
  }

  @Loop
  static func upgrade<M>(_ exchange: Exchange<M>, _ side: @escaping @Sendable (FileHandle, Data) -> Void)
  where M.Reply == StreamReply {
    exchange.upgrade(StreamReply(stream: "s")) { descriptor, rest in
      _ = fcntl(descriptor, F_SETFL, 0)
      let stream = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      DispatchQueue.global().async { side(stream, Data(rest)) }
    }
  }

  @Test @Loop func bothDirectionsAreWhole() async throws {
    let daemon = try daemon { stream, rest in
      let received = rest + ((try? stream.readToEnd()) ?? Data())
      try? stream.write(contentsOf: received.reversed())
      try? stream.close()
    }
    for arguments in [["continue", "--stream"], ["offer", "--type", "a.b", "--stream"]] {
      let result = try await BatonProcess(arguments, socket: daemon.path).finish(input: Self.bytes)
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output == Data(Self.bytes.reversed()))
    }
  }

  @Test @Loop func directionsDoNotWaitForOneAnother() async throws {
    // Each side writes everything before it reads, so this ends only if both directions run at the same time.
    let daemon = try daemon { stream, _ in
      try? stream.write(contentsOf: Self.bytes)
      shutdown(stream.fileDescriptor, Int32(SHUT_WR))
      let received = try? stream.readToEnd()
      if received != Self.bytes { Issue.record("\(received?.count ?? 0) bytes came") }
      try? stream.close()
    }
    let result = try await BatonProcess(["continue", "--latest", "--stream"], socket: daemon.path)
      .finish(input: Self.bytes)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == Self.bytes)
    #expect(result.errors == "Continued a.b from laptop.\n")
  }

  @Test @Loop func aSocketThatClosesBeforeOurEndIsABrokenStream() async throws {
    let daemon = try daemon(outcome: .streamInterrupted) { stream, _ in
      try? stream.write(contentsOf: Data("half".utf8))
      try? stream.close()
    }
    let process = try BatonProcess(["continue", "--stream", "--json"], socket: daemon.path)
    let result = await process.finish(keepsInput: true)
    #expect(result.status == 7)
    #expect(result.text == "half")
    #expect(result.errors.contains(#""reason":"streamInterrupted""#))
  }

  @Test @Loop func aStreamIsWholeOnlyWhenTheDaemonSaysSo() async throws {
    let daemon = try daemon(outcome: .streamReset) { stream, _ in
      _ = try? stream.readToEnd()
      try? stream.write(contentsOf: Data("all?".utf8))
      try? stream.close()
    }
    let result = try await baton("continue", "--stream", socket: daemon.path, input: Data("x".utf8))
    #expect(result.status == 7)
    #expect(result.text == "all?")
    #expect(result.errors.hasSuffix("baton: \(Reason.streamReset.explanation)\n"))
  }

  @Test @Loop func aResetIsABrokenStream() async throws {
    let daemon = try daemon { stream, _ in
      // Closing a Unix socket with unread bytes resets it.
      var item = pollfd(fd: stream.fileDescriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&item, 1, 20_000)
      try? stream.close()
    }
    let result = try await baton("continue", "--stream", socket: daemon.path, input: Data("x".utf8))
    #expect(result.status == 7)
    #expect(result.errors.contains("cut off"))
  }

  @Test @Loop func nobodyReadingIsNoSuccess() async throws {
    let daemon = try daemon { stream, _ in
      try? stream.write(contentsOf: Self.bytes)
      _ = try? stream.readToEnd()
    }
    let process = try BatonProcess(["continue", "--stream"], socket: daemon.path)
    let result = await process.finish(keepsInput: true, readsOutput: false)
    #expect(result.status == 1)
    #expect(result.errors == "Continued a.b from laptop.\n")
  }

  /// This is what tar does at the end of its archive.
  @Test @Loop func aReaderThatHasAllMayCloseBeforeTheEnd() async throws {
    let daemon = try daemon { stream, _ in
      try? stream.write(contentsOf: Data("all".utf8))
      // This leaves the command time to give up the stream.
      var item = pollfd(fd: stream.fileDescriptor, events: 0, revents: 0)
      _ = poll(&item, 1, 500)
      shutdown(stream.fileDescriptor, Int32(SHUT_WR))
      _ = try? stream.readToEnd()
      try? stream.close()
    }
    let process = try BatonProcess(["continue", "--stream"], socket: daemon.path)
    let result = await process.finish(outputLength: 3)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text == "all")
  }

  /// The daemon then reports to both sides that the stream broke.
  @Test @Loop func whatAReaderLeavesInThePipeLeavesTheStreamUnread() async throws {
    let daemon = try daemon { stream, _ in
      try? stream.write(contentsOf: Data("0123456789".utf8))
      shutdown(stream.fileDescriptor, Int32(SHUT_WR))
      var item = pollfd(fd: stream.fileDescriptor, events: 0, revents: 0)
      _ = poll(&item, 1, 20_000)
      if Int32(item.revents) & POLLERR == 0 { Issue.record("Nothing was unread") }
    }
    let process = try BatonProcess(["continue", "--stream"], socket: daemon.path)
    let result = await process.finish(keepsInput: true, outputLength: 3)
    #expect(result.status == 1)
  }

  @Test @Loop func anOfferWithoutAStreamIsNotContinuedForOne() async throws {
    let daemon = try FakeDaemon()
    daemon.offer([try sampleOffer()])
    let result = try await baton("continue", "00000001", "--stream", "--json", socket: daemon.path)
    #expect(result.status == 5)
    #expect(result.errors.contains("streamsNotSupported"))
  }
}

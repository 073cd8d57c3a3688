// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Dispatch
import EventLoop
import Glibc
import JSONCoding
import Varlink
import VarlinkServer

/// What a local program sends: to the server that batond has, over a socket. The first byte says in which pieces.
enum VarlinkServerFuzzer: Fuzzer {
  static var seeds: [[UInt8]] {
    let calls =
      ControlMethods.names.map { #"{"method":"\#($0)","parameters":{}}"# } + [
        #"{"method":"org.varlink.service.GetInfo"}"#,
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"io.baton.Handoff"}}"#,
        #"{"method":"io.baton.Handoff.ListOffers","more":true,"parameters":{"team":"T"}}"#,
        #"{"method":"io.baton.Handoff.Nothing","oneway":true}"#,
        #"{"method":"io.baton.Handoff.Continue","parameters":{"id":"00112233-4455-6677-8899-aabbccddeeff"}}"#,
        #"{"method":"io.baton.Handoff.OpenStream","upgrade":true,"parameters":{"activity":"00112233-4455-6677-8899-aabbccddeeff"}}"#,
        #"{"method":"io.baton.Handoff.BecomeCurrent","more":true,"parameters":{"activity":{"activityType":"a.b","userInfo":{}}}}"#,
      ]
    return calls.map { [1] + Array($0.utf8) + [0] } + [[9] + calls.flatMap { Array($0.utf8) + [0] }]
  }

  static let words = ControlMethods.words

  /// Answers at once: with several replies, as a stream, or with an error.
  @Loop private static let server: VarlinkServer = {
    let server = VarlinkServer(
      product: Product(vendor: "Baton", product: "fuzz", version: "1", url: ""),
      limits: ServerLimits(
        messageLength: 4096,
        messageDepth: Limits.varlinkDepth,
        connections: Share(total: 64, perUser: 64, forOthers: 0, forRoot: 0),
        sendQueueLength: 64 * 1024
      )
    )
    server.add(.handoff)
    server.on(ListOffers.self) { _, exchange in
      exchange.replyContinuing(ListOffers.Reply(offers: []))
      exchange.reply(ListOffers.Reply(offers: []))
    }
    server.on(OpenStream.self) { _, exchange in
      guard exchange.mode == .upgrade else { return exchange.fail(.expectedUpgrade) }
      exchange.upgrade(OpenStream.Reply(stream: "s")) { descriptor, _ in close(descriptor) }
    }
    for method in ControlMethods.all where method != ListOffers.self && method != OpenStream.self {
      refuse(method, server)
    }
    return server
  }()

  /// Every other answer comes later.
  @Loop private static func refuse<M: Method>(_: M.Type, _ server: VarlinkServer) {
    server.on(M.self) { parameters, exchange in
      check(parameters)
      guard M.name.utf8.count.isMultiple(of: 2) else { return exchange.fail(.permissionDenied) }
      Task { @Loop in exchange.fail(ControlFailure.name, ControlFailure(.notPermitted).members) }
    }
  }

  private static func check<T: Structure>(_ parameters: T) {
    do throws(InvalidParameter) { same(try T(parameters: parameters.members), parameters) } catch {
      fatalError("\(error) of \(parameters)")
    }
  }

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    let length = 1 + 64 * choices.number(below: 64)
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { fatalError("No sockets") }
    defer { close(ends[0]) }
    let server = ends[1]
    _ = fcntl(server, F_SETFL, O_NONBLOCK)
    Task { @Loop in Self.server.serve(owning: server) }
    var rest = choices.remaining()[...]
    while !rest.isEmpty {
      let sent = Array(rest.prefix(length))
      guard send(ends[0], sent, sent.count, Int32(MSG_NOSIGNAL)) == sent.count else { break }
      rest = rest.dropFirst(length)
    }
    shutdown(ends[0], Int32(SHUT_WR))
    try checkReplies(ends[0])
  }

  /// That there is an end, and that all before it are replies.
  private static func checkReplies(_ descriptor: Int32) throws {
    var time = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    var decoder = MessageDecoder(limit: Limits.controlReplyLength)
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    var timeouts = 0
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      // The signal of the time limit comes at any time.
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        // On a machine that has much to do, the server may not have had its turn.
        timeouts += 1
        hold(timeouts < 4, "The server says nothing, and does not hang up")
        for _ in 0..<100 { waitForLoop() }
        continue
      }
      guard count > 0 else {
        hold(count == 0 || errno == ECONNRESET, "The server cannot be read from: \(errno)")
        break
      }
      decoder.receive(buffer[..<count])
      while let message = try decoder.next() {
        let reply = try Reply(message: message, depth: Limits.varlinkDepth)
        same(reply.bytes, Array(message))
      }
    }
    same(decoder.count, 0, "A part of a reply")
  }

  private static func waitForLoop() {
    let turn = DispatchSemaphore(value: 0)
    Task { @Loop in turn.signal() }
    turn.wait()
  }
}

// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import JSONCoding
import MessageSamples
import Testing

struct MessageTests {
  @Test(arguments: Sample.all) func eachMessageHasExactlyTheseBytes(sample: Sample) throws { try checkCoding(sample) }

  @Test func pingIsTheseBytes() {
    let bytes: [UInt8] = [
      0x00, 0x00, 0x0C, 0x05, 0x7B, 0x22, 0x6E, 0x75, 0x6D, 0x62, 0x65, 0x72, 0x22, 0x3A, 0x31, 0x7D,
    ]
    #expect(Ping(number: 1).frame == bytes)
  }

  @Test func theEndOfAStreamIsNamedOnlyWhenItIsThere() throws {
    let text = Array(#"{"finished":true,"limit":10,"received":9,"stream":3}"#.utf8)
    let message = Message.stream(.resume(Resume(stream: 3, progress: .init(received: 9, limit: 10, isFinished: true))))
    #expect(message.frame.dropFirst(4).elementsEqual(text))
    #expect(try Message(type: Resume.type, payload: text[...]) == message)
    #expect(throws: Reason.protocolViolation) {
      try Message(type: Resume.type, payload: Array(#"{"finished":1,"limit":10,"received":9,"stream":3}"#.utf8)[...])
    }
  }

  @Test func streamsMayBeOlderThanTheirDaemon() throws {
    let hello = Hello(minimum: 1, maximum: 1, device: "d", epoch: 7, revocations: 0)
    #expect(hello.streamEpoch == 7)
    #expect(hello.members["streamEpoch"] == nil)
    let restarted = Hello(minimum: 1, maximum: 1, device: "d", epoch: 7, revocations: 0, streamEpoch: 5)
    #expect(Hello(json: restarted.json) == restarted)
  }

  @Test func aHelloMayTellThePort() throws {
    let text = #"{"device":"d","epoch":1,"maximum":1,"minimum":1,"port":22866,"revocations":0}"#
    let hello = Hello(minimum: 1, maximum: 1, device: "d", epoch: 1, revocations: 0, port: 22866)
    #expect(hello.json.text == text)
    #expect(try Message(type: Hello.type, payload: Array(text.utf8)[...]) == .session(.hello(hello)))
    for port in ["65536", "-1", "\"22866\""] {
      let wrong = Array(text.replacing("22866", with: port).utf8)
      #expect(throws: Reason.protocolViolation) { try Message(type: Hello.type, payload: wrong[...]) }
    }
  }

  @Test func aHelloMayTellWhichListsAreHeld() throws {
    let digest = Base64.encode((0..<32).map { UInt8($0) })
    let text = #"{"device":"d","epoch":1,"maximum":1,"minimum":1,"revocationDigest":"\#(digest)","revocations":3}"#
    var hello = Hello(minimum: 1, maximum: 1, device: "d", epoch: 1, revocations: 3)
    #expect(hello.members["revocationDigest"] == nil)
    hello.revocationDigest = (0..<32).map { UInt8($0) }
    #expect(hello.json.text == text)
    #expect(try Message(type: Hello.type, payload: Array(text.utf8)[...]) == .session(.hello(hello)))
    for wrong in ["", "AAAA", "?"] {
      let wrong = Array(text.replacing(digest, with: wrong).utf8)
      #expect(throws: Reason.protocolViolation) { try Message(type: Hello.type, payload: wrong[...]) }
    }
  }

  @Test func aHelloMayTellWhereTheSenderListens() throws {
    let list = #"["192.0.2.1","2001:db8::1"]"#
    let text = #"{"addresses":\#(list),"device":"d","epoch":1,"maximum":1,"minimum":1,"revocations":0}"#
    var hello = Hello(minimum: 1, maximum: 1, device: "d", epoch: 1, revocations: 0)
    #expect(hello.members["addresses"] == nil)
    hello.addresses = ["192.0.2.1", "2001:db8::1"]
    #expect(hello.json.text == text)
    #expect(try Message(type: Hello.type, payload: Array(text.utf8)[...]) == .session(.hello(hello)))
    hello.addresses = []
    #expect(try Message(type: Hello.type, payload: hello.frame[4...]) == .session(.hello(hello)))
    let long = String(repeating: "1", count: 46)
    let many = (0...Limits.saidAddresses).map { #""192.0.2.\#($0)""# }.joined(separator: ",")
    for wrong in [#""192.0.2.1""#, "{}", "[1]", "[null]", #"[""]"#, #"["\#(long)"]"#, "[\(many)]"] {
      let wrong = Array(text.replacing(list, with: wrong).utf8)
      #expect(throws: Reason.protocolViolation) { try Message(type: Hello.type, payload: wrong[...]) }
    }
  }

  @Test func theSamplesAreAllTypesOfTheProtocol() {
    let types =
      SessionMessage.Number.allCases.map(\.rawValue) + StreamMessage.Number.allCases.map(\.rawValue)
      + HandoffMessage.Number.allCases.map(\.rawValue) + TeamMessage.Number.allCases.map(\.rawValue) + [Index.type]
    #expect(Set(types).count == types.count)
    #expect(Sample.all.map(\.type) == types.sorted())
  }

  @Test(arguments: Sample.all) func unknownMembersAreIgnored(sample: Sample) throws {
    var members = try sample.members
    members["somethingNew"] = ["a": [1, nil]]
    #expect(try sample.message(members) == sample.message)
  }

  @Test(arguments: Sample.all) func eachMemberMustBeThere(sample: Sample) throws {
    for name in try sample.members.keys {
      var members = try sample.members
      members[name] = nil
      try expectNoMessage(sample, members, "without \(name)")
      members[name] = .null
      try expectNoMessage(sample, members, "\(name) is null")
    }
  }

  /// Expects a violation or, if the message's type was added later, that the frame is taken for somebody's extension.
  private func expectNoMessage(_ sample: Sample, _ members: [String: JSON], _ comment: String) throws {
    guard sample.type < 64 else {
      #expect(try sample.message(members) == nil, "\(comment)")
      return
    }
    #expect(throws: Reason.protocolViolation, "\(comment)") { try sample.message(members) }
  }

  @Test func aNewNameIsReadAndAnythingElseIsSomebodysExtension() throws {
    let frame = Renamed(device: "study").frame
    #expect(frame == [0, 0, 18, 72] + Array(#"{"device":"study"}"#.utf8))
    #expect(try Message(type: 72, payload: frame[4...]) == .session(.renamed(Renamed(device: "study"))))
    let long = #"{"device":"\#(String(repeating: "x", count: Limits.deviceNameLength + 1))"}"#
    for text in ["", "x", "{}", #"{"device":1}"#, long] {
      #expect(try Message(type: 72, payload: Array(text.utf8)[...]) == nil)
    }
  }

  @Test func optionalMembersMayBeThere() throws {
    var hello = Sample.hello
    hello.time = 1_700_000_000
    #expect(try Message(type: Hello.type, payload: hello.frame[4...]) == .session(.hello(hello)))
    #expect(throws: Reason.protocolViolation) {
      try Message(
        type: Hello.type,
        payload: hello.frame[4...].replacing(Array("1700000000".utf8), with: Array("-1".utf8))
      )
    }
    let open = Message.stream(.open(Open(stream: 3, activity: Sample.offered.id)))
    #expect(open.frame[4...].starts(with: Array(#"{"activity":"#.utf8)))
    #expect(try Message(type: Open.type, payload: open.frame[4...]) == open)
    #expect(throws: Reason.protocolViolation) {
      try Message(type: Open.type, payload: open.frame[4...].replacing(Array("65536".utf8), with: Array("-1".utf8)))
    }
    let probed = Message.session(.probed(Probed(number: 3, reason: .peerUnreachable)))
    #expect(probed.frame[4...] == Array(#"{"number":3,"reason":"peerUnreachable"}"#.utf8)[...])
    #expect(try Message(type: Probed.type, payload: probed.frame[4...]) == probed)
    #expect(throws: Reason.protocolViolation) {
      try Message(type: Probe.type, payload: Array(#"{"number":1,"port":65536}"#.utf8)[...])
    }
  }

  @Test(arguments: Sample.all) func eachMemberMustBeOfItsType(sample: Sample) throws {
    for (name, value) in try sample.members {
      var wrong: [JSON] = [[], ["a": 1], -1, 1.5, "", nil]
      if value.bool == nil { wrong.append(true) }
      if value.string == nil || name == "activity" { wrong.append("text") }
      // Any text is a valid name, or a reason that is not known.
      if name == "device" || name == "reason" { wrong.removeAll { $0 == "" } }
      // Daemons pass on any object.
      if name == "message" { wrong.removeAll { $0 == ["a": 1] } }
      for json in wrong {
        var members = try sample.members
        members[name] = json
        try expectNoMessage(sample, members, "\(name) is \(json.text)")
      }
    }
  }

  @Test(arguments: ["", "{", "[]", "1", "null", "{}{}", "{\"number\":1,\"number\":1}", "\u{FEFF}{\"number\":1}"])
  func onlyAnObjectIsAMessage(text: String) {
    #expect(throws: Reason.protocolViolation) { try Message(type: Ping.type, payload: Array(text.utf8)[...]) }
  }

  @Test func brokenUTF8IsAViolation() {
    #expect(throws: Reason.protocolViolation) {
      try Message(type: Bye.type, payload: Array(#"{"reason":""#.utf8)[...] + [0xFF] + Array(#""}"#.utf8))
    }
  }

  @Test(arguments: [0, 15, 19, 22, 32, 33, 63] as [UInt8]) func unknownTypesAreViolations(type: UInt8) {
    #expect(throws: Reason.protocolViolation) { try Message(type: type, payload: Array("{}".utf8)[...]) }
  }

  @Test(arguments: [64, 66, 69, 72, 128, 255] as [UInt8]) func extensionsAreIgnoredWhateverTheyHold(type: UInt8) throws
  {
    #expect(try Message(type: type, payload: []) == nil)
    #expect(try Message(type: type, payload: [0xFF, 0x00]) == nil)
  }

  @Test func anUnknownReasonIsAnInternalFailureOfTheOtherSide() throws {
    for type in [Refused.type, Bye.type] {
      let message = try Message(type: type, payload: Array(#"{"reason":"somethingNew"}"#.utf8)[...])
      let expected: Message =
        type == Bye.type
        ? .session(.bye(Bye(reason: .internalFailure))) : .session(.refused(Refused(reason: .internalFailure)))
      #expect(message == expected)
    }
  }

  @Test(arguments: Reason.allCases) func everyReasonTravels(reason: Reason) throws {
    let message = Message.handoff(.failure(Failure(request: 1, reason: reason)))
    #expect(try Message(type: Failure.type, payload: message.frame[4...]) == message)
  }

  @Test func whatAnAdministratorTellsIsBounded() throws {
    let device = Sample.admitted
    func read(_ devices: [JSON]) throws(Reason) -> Message? {
      try Message(type: Admitted.type, payload: JSON.object(["devices": .array(devices)]).bytes[...])
    }
    let most = Array(repeating: device.json, count: Limits.admittedPerMessage)
    #expect(try read(most) != nil)
    #expect(try read(most + [device.json]) == nil)
    var long = device
    long.name = String(repeating: "\u{1}", count: Limits.deviceNameLength)
    let all = Admitted(devices: Array(repeating: long, count: Limits.admittedPerMessage))
    #expect(try Message(type: Admitted.type, payload: all.frame[4...]) == .team(.admitted(all)))
    for (name, wrong) in [
      ("serial", JSON.string("")), ("serial", .string(Base64.encode(Array(repeating: 1, count: 21)))),
      ("name", .string(String(repeating: "a", count: Limits.deviceNameLength + 1))), ("admitted", -1),
      ("admitted", .integer(.max)), ("device", "x"),
    ] {
      var members = device.members
      members[name] = wrong
      #expect(try read([.object(members)]) == nil, "\(name)")
    }
    let long64 = String(repeating: "a", count: Limits.certificateLength + 1)
    let renewed = JSON.object(["certificate": .string(long64)]).bytes
    #expect(try Message(type: Renewed.type, payload: renewed[...]) == nil)
  }

  @Test func wholeDoublesAreNumbers() throws {
    #expect(
      try Message(type: Ping.type, payload: Array(#"{"number":3.0}"#.utf8)[...]) == .session(.ping(Ping(number: 3)))
    )
    #expect(throws: Reason.protocolViolation) {
      try Message(type: Ping.type, payload: Array(#"{"number":18446744073709551616}"#.utf8)[...])
    }
    #expect(throws: Reason.protocolViolation) {
      try Message(type: Finish.type, payload: Array(#"{"length":1,"stream":4294967296}"#.utf8)[...])
    }
  }

  // MARK: Limits

  private func nested(_ depth: Int) -> JSON { (0..<depth).reduce(0) { json, _ in .array([json]) } }

  @Test(arguments: Sample.all) func nestingHasALimit(sample: Sample) throws {
    var members = try sample.members
    members["x"] = nested(Limits.messageDepth - 1)
    #expect(try sample.message(members) == sample.message)
    members["x"] = nested(Limits.messageDepth)
    try expectNoMessage(sample, members, "nested too deep")
  }

  @Test func theDeepestUserInfoFits() throws {
    var record = Sample.whole
    record.userInfo = try UserInfo(json: ["k": nested(Limits.userInfoDepth - 1)])
    let message = Message.handoff(.payload(Payload(request: 1, activity: record)))
    #expect(try Message(type: Payload.type, payload: message.frame[4...]) == message)
  }

  @Test func theLargestActivityFitsInOneFrame() throws {
    let type = String(repeating: "a", count: Limits.activityTypeLength)
    var record = try ActivityRecord(id: Sample.id, activityType: type)
    record.title = String(repeating: "\"", count: Limits.titleLength)
    let url = "https://"
    record.webpageURL = url + String(repeating: "a", count: Limits.urlLength - url.utf8.count)
    record.referrerURL = record.webpageURL
    record.targetContentIdentifier = String(repeating: "\\", count: Limits.urlLength)
    record.persistentIdentifier = String(repeating: "\"", count: Limits.persistentIdentifierLength)
    record.expirationDate = -Double.leastNonzeroMagnitude
    record.needsSave = true
    record.supportsContinuationStreams = true
    let overhead = #"{"k":""}"#.utf8.count
    record.userInfo = try UserInfo([
      .string("k"): .string(String(repeating: "x", count: Limits.userInfoLength - overhead))
    ])
    let message = Message.handoff(.payload(Payload(request: .max, activity: try record.validated())))
    #expect(message.frame.count <= FrameHeader.length + Limits.framePayloadLength)
    #expect(try Message(type: Payload.type, payload: message.frame[4...]) == message)
    let offer = Message.handoff(.offer(Offer(activity: record, counter: .max)))
    #expect(try Message(type: Offer.type, payload: offer.frame[4...]) == offer)
  }

  @Test func whatAgentsSayIsBounded() throws {
    let overhead = JSON.object(["k": ""]).bytes.count
    func read(_ length: Int) throws(Reason) -> Message? {
      // A control character takes six bytes of JSON.
      let text = String(repeating: "x", count: length - overhead - 6) + "\u{1}"
      return try Message(type: Index.type, payload: Index(message: ["k": .string(text)]).frame[4...])
    }
    #expect(try read(Limits.indexMessageLength) != nil)
    #expect(try read(Limits.indexMessageLength + 1) == nil)
    func readNested(_ depth: Int) throws(Reason) -> Message? {
      try Message(type: Index.type, payload: JSON.object(["message": ["k": nested(depth)]]).bytes[...])
    }
    #expect(try readNested(Limits.indexMessageDepth - 1) != nil)
    #expect(try readNested(Limits.indexMessageDepth) == nil)
  }

  @Test func theLongestRevocationListFitsInOneFrame() throws {
    let list = [UInt8](repeating: 0xFF, count: Limits.revocationListLength)
    let key = [UInt8](repeating: 0xFF, count: 32)
    let message = Message.team(.revocations(Revocations(list: list, discoveryKey: key)))
    #expect(message.frame.count <= FrameHeader.length + Limits.framePayloadLength)
    #expect(try Message(type: Revocations.type, payload: message.frame[4...]) == message)
    let longer = Revocations(list: list + [0], discoveryKey: key).frame
    #expect(throws: Reason.protocolViolation) { try Message(type: Revocations.type, payload: longer[4...]) }
  }
}

import Activity
import ControlInterface
import JSONCoding
import Testing

@Suite struct IndexMethodTests {
  @Test func indexMessages() throws {
    let device = try Samples.device()
    let parameters = SendIndexMessage.Parameters(team: "T", deviceID: device, message: ["a": [1]])
    checkCoding(parameters, #"{"deviceID":"\#(Samples.deviceText)","message":{"a":[1]},"team":"T"}"#)
    checkMembers(of: parameters)
    checkCoding(SendIndexMessage.Reply(), "{}")
    checkCoding(RegisterIndex.Parameters(), "{}")
    checkCoding(RegisterIndex.Reply(event: .registered), #"{"event":"registered"}"#)
    let teams = RegisterIndex.Reply.teams(
      [IndexTeam(id: "T", name: "Home", deviceID: device, removed: [device])],
      beside: ["Work"]
    )
    let text = Samples.deviceText
    checkCoding(
      teams,
      #"{"event":"teams","teams":[{"deviceID":"\#(text)","id":"T","name":"Home","removed":["\#(text)"]}],"unusable":["Work"]}"#
    )
    checkMembers(of: teams, optional: ["teams", "unusable"])
    let peer = RegisterIndex.Reply.peer(device, of: "T", name: "desk", connected: false)
    checkCoding(
      peer,
      #"{"connected":false,"device":"desk","deviceID":"\#(Samples.deviceText)","event":"peer","team":"T"}"#
    )
    checkMembers(of: peer, optional: ["connected", "device", "deviceID", "team"])
    let message = RegisterIndex.Reply.message(["a": 1], from: device, of: "T")
    checkCoding(
      message,
      #"{"deviceID":"\#(Samples.deviceText)","event":"message","message":{"a":1},"team":"T"}"#
    )
    checkMembers(of: message, optional: ["deviceID", "message", "team"])
  }

  @Test func indexMessagesAreObjectsOfLimitedSizeAndDepth() throws {
    let device = JSON.string(Samples.deviceText)
    func check(_ message: JSON) {
      checkRefusal(
        SendIndexMessage.Parameters.self,
        ["team": "T", "deviceID": device, "message": message],
        names: "message"
      )
    }
    check(1)
    check([])
    check("{}")
    check(["k": .string(String(repeating: "x", count: Limits.indexMessageLength))])
    check(["k": .array(Array(repeating: "\u{1}", count: Limits.indexMessageLength / 8))])
    check(["k": (0..<Limits.indexMessageDepth).reduce(0) { json, _ in .array([json]) }])
  }
}

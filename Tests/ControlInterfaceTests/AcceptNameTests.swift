import Activity
import ControlInterface
import Testing

@Suite struct AcceptNameTests {
  @Test func parametersAndReplyHaveTheirForm() throws {
    let parameters = AcceptName.Parameters(deviceID: try Samples.device(), team: "T")
    checkCoding(parameters, #"{"deviceID":"\#(Samples.deviceText)","team":"T"}"#)
    checkMembers(of: parameters, optional: ["team"])
    let reply = AcceptName.Reply(
      device: "desktop",
      deviceID: try Samples.device(),
      team: "T",
      former: try Samples.device()
    )
    let id = Samples.deviceText
    checkCoding(reply, #"{"device":"desktop","deviceID":"\#(id)","former":"\#(id)","team":"T"}"#)
    checkMembers(of: reply, optional: ["former"])
  }
}

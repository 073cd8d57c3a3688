import Testing

@testable import BatonCommand

@Suite struct ArgumentListTests {
  func message(_ arguments: [String]) -> String {
    do {
      _ = try ArgumentList(arguments, AdvertiseCommand.self)
      return ""
    } catch { return "\(error)" }
  }

  @Test func valuesFollowASpaceOrAnEqualsSign() throws {
    let list = try ArgumentList(
      ["--type", "a.b", "--title=x=y", "--info", "a=1", "--info=b=2", "--stream"],
      AdvertiseCommand.self
    )
    #expect(list.value("type") == "a.b")
    #expect(list.value("title") == "x=y")
    #expect(list.all("info") == ["a=1", "b=2"])
    #expect(list.has("stream"))
    #expect(!list.has("json"))
  }

  @Test func nothingAfterTwoDashesIsAnOption() throws {
    let list = try ArgumentList(["--json", "--", "--latest"], ContinueCommand.self)
    #expect(list.has("json"))
    #expect(!list.has("latest"))
    #expect(list.operands == ["--latest"])
  }

  @Test func aDashIsAnOperand() throws {
    #expect(try ArgumentList(["-"], TeamJoinCommand.self).operands == ["-"])
  }

  @Test func aValueMayLookLikeAnOption() throws {
    #expect(try ArgumentList(["--title", "--json"], AdvertiseCommand.self).value("title") == "--json")
  }

  @Test func mistakesNameTheOption() {
    #expect(message(["--titel", "x"]).hasPrefix("--titel is no option of `baton advertise`. Did you mean --title?"))
    #expect(message(["--zzzzzzzz"]).hasPrefix("--zzzzzzzz is no option of `baton advertise`.\n"))
    #expect(message(["-x"]).hasPrefix("-x is no option"))
    #expect(message(["--type"]).hasPrefix("A value is missing: --type TYPE."))
    #expect(message(["--type", "a", "--type=b"]).hasPrefix("--type is given twice."))
    #expect(message(["--stream=yes"]).hasPrefix("--stream takes no value."))
    #expect(message(["word"]).hasPrefix("There is one argument too many: word"))
    #expect(message(["--stream", "--stream"]) == "")
  }

  @Test func distanceCountsEdits() {
    #expect(UsageError.distance("", "abc") == 3)
    #expect(UsageError.distance("latest", "latest") == 0)
    #expect(UsageError.distance("lates", "latest") == 1)
    #expect(UsageError.distance("kitten", "sitting") == 3)
  }
}

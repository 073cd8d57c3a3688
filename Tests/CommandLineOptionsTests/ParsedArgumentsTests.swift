// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import Testing

@Suite struct ParsedArgumentsTests {
  private static let type = Option.required("type", "TYPE", "A type.")
  private static let title = Option.text(
    "title",
    "TITLE",
    "A title.",
    limit: LengthLimit(bytes: 8, reason: .titleTooLong)
  )
  private static let size = Option<Int?>.value("size", "SIZE", "A number.") { text throws(InvalidValue) in
    guard let number = Int(text) else { throw InvalidValue { "'\($0)' must be a number, not '\(text)'." } }
    return number
  }
  private static let level = Option<String?>.value("level", "LEVEL", "Any.", repetition: .lastCounts) { $0 }
  private static let info = Option.list("info", "KEY=VALUE", "Several.")
  private static let stream = Option.flag("stream", short: "s", "A flag.")
  private static let json = Option.flag("json", "Common.")

  private static let syntax = CommandLineSyntax(
    command: "baton test",
    operand: .optional("ID", limit: LengthLimit(bytes: 8)),
    options: [type, title, size, level, info, stream],
    commonOptions: [json]
  )

  private func parse(_ arguments: String...) throws(UsageError) -> ParsedArguments {
    try ParsedArguments(["--type", "t"] + arguments, of: Self.syntax)
  }

  private func message(_ arguments: [String]) -> String? {
    do throws(UsageError) {
      _ = try ParsedArguments(arguments, of: Self.syntax)
      return nil
    } catch { return error.description }
  }

  @Test func valuesFollowASpaceOrAnEqualsSign() throws {
    let parsed = try parse("--title=x=y", "--info", "a=1", "--info=b=2", "--stream", "--size", "7")
    #expect(parsed[Self.type] == "t")
    #expect(parsed[Self.title] == "x=y")
    #expect(parsed[Self.size] == 7)
    #expect(parsed[Self.info] == ["a=1", "b=2"])
    #expect(parsed[Self.stream] && !parsed[Self.json])
    #expect(parsed.names == ["type", "title", "info", "info", "stream", "size"])
  }

  @Test func whatIsNotGivenIsAbsent() throws {
    let parsed = try parse()
    #expect(parsed[Self.title] == nil && parsed[Self.size] == nil && parsed[Self.info] == [])
    #expect(!parsed[Self.stream] && parsed.operand == nil)
  }

  /// Other programs see an option, because they read bytes.
  @Test(arguments: ["-\u{301}x", "--\u{200D}", "-\u{FE0F}-json", "-\u{301}"])
  func aMarkDoesNotHideADash(argument: String) {
    #expect(throws: UsageError.self) { try self.parse(argument) }
  }

  @Test func aMarkDoesNotHideAnEqualsSign() throws {
    #expect(try parse("--title=\u{301}x")[Self.title]?.utf8.elementsEqual("\u{301}x".utf8) == true)
  }

  @Test func nothingAfterTwoDashesIsAnOption() throws {
    let parsed = try parse("--json", "--", "--stream")
    #expect(parsed[Self.json] && !parsed[Self.stream])
    #expect(parsed.operand == "--stream")
  }

  @Test func aDashIsAnOperand() throws {
    #expect(try parse("-").operand == "-")
  }

  @Test func aValueMayLookLikeAnOption() throws {
    #expect(try parse("--title", "--json")[Self.title] == "--json")
  }

  @Test func aLetterStandsForAFlag() throws {
    #expect(try parse("-s")[Self.stream])
  }

  @Test func anOptionIsRefusedRepeatedOrReplaced() throws {
    #expect(throws: UsageError.self) { try parse("--title", "a", "--title=b") }
    #expect(try parse("--level", "a", "--level=b")[Self.level] == "b")
    #expect(try parse("--stream", "--stream")[Self.stream])
  }

  @Test(arguments: [
    (["--titel", "x"], "Unknown option '--titel'. Did you mean '--title'?"),
    (["--zzzzzzzz"], "Unknown option '--zzzzzzzz'."),
    (["-x"], "Unknown option '-x'."), (["--type"], "'--type' needs a value: --type TYPE."),
    (["--type", "a", "--type=b"], "'--type' can be used only once."),
    (["--stream=yes"], "'--stream' doesn't accept a value."),
    (["--type=t", "a", "word"], "Unexpected argument 'word'."), ([], "'--type' is required."),
    (["--type=t", "--size=x"], "'--size' must be a number, not 'x'."),
    (["--type=t", "123456789"], "ID is too long: 9 bytes, but the limit is 8."),
  ])
  func mistakesAreNamed(arguments: [String], expected: String) {
    #expect(message(arguments) == "\(expected)\nTry 'baton test --help'.")
  }

  @Test func aRequiredOperandIsDemanded() throws {
    let syntax = CommandLineSyntax(command: "baton x", operand: .required("NAME"), options: [])
    #expect(try ParsedArguments(["n"], of: syntax).requiredOperand == "n")
    #expect(throws: UsageError.self) { try ParsedArguments([], of: syntax) }
  }

  @Test func wordsAreJoined() throws {
    let syntax = CommandLineSyntax(
      command: "baton find",
      operand: .words("WORDS", limit: LengthLimit(bytes: 12)),
      options: [Self.size],
      commonOptions: [Self.json]
    )
    func words(_ arguments: String...) throws(UsageError) -> String? {
      try ParsedArguments(arguments, of: syntax).operand
    }
    #expect(try words() == nil)
    #expect(try words("white") == "white")
    #expect(try words("white", "whale") == "white whale")
    #expect(try words("a", "--json", "big whale") == "a big whale")
    #expect(try words("a", "--size", "7", "b", "--", "--json", "c") == "a b --json c")
    #expect(try words("") == "")
    #expect(try ParsedArguments(["a", "--size=7", "b"], of: syntax)[Self.size] == 7)
    #expect(syntax.synopsis == "baton find [WORDS]... [--size SIZE]")
    do throws(UsageError) {
      _ = try words("1234567", "12345")
      Issue.record("They are taken")
    } catch {
      // All of them count, with the spaces between them.
      #expect(error.description == "WORDS is too long: 13 bytes, but the limit is 12.\nTry 'baton find --help'.")
    }
  }

  @Test func whatIsTooLongMayHaveAReason() {
    do throws(UsageError) {
      _ = try parse("--title", "123456789")
      Issue.record("It is taken")
    } catch {
      #expect(error.reason == .titleTooLong)
      #expect(error.description == "'--title' is too long: 9 bytes, but the limit is 8.")
    }
  }

  @Test func theSynopsisHasEveryOption() {
    #expect(
      Self.syntax.synopsis
        == "baton test [ID] --type TYPE [--title TITLE] [--size SIZE] [--level LEVEL] [--info KEY=VALUE]... [--stream]"
    )
    #expect(
      Self.syntax.usage == """
        Usage: baton test [ID] --type TYPE [--title TITLE] [--size SIZE] [--level LEVEL]
                          [--info KEY=VALUE]... [--stream]
        """
    )
  }

  @Test func theTableIsWrapped() {
    let help = String(repeating: "word ", count: 20) + "end"
    #expect(
      TextLayout.table([("--a B", help), ("--long", "short")]) == """
          --a B   word word word word word word word word word word word word word word
                  word word word word word word end
          --long  short
        """
    )
  }

  @Test func distanceCountsEdits() {
    #expect(UsageError.distance("", "abc") == 3)
    #expect(UsageError.distance("latest", "latest") == 0)
    #expect(UsageError.distance("lates", "latest") == 1)
    #expect(UsageError.distance("kitten", "sitting") == 3)
  }
}

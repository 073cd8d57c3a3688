// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Desktop

struct ExecLineTests {
  private let fields = ExecLine.Fields(targets: ["u1", "u2"], icon: "icon", name: "A name", path: "/a.desktop")
  private let none = ExecLine.Fields(name: "A name", path: "/a.desktop")

  @Test(arguments: [
    ("app", ["app"]),
    ("  app   one  two ", ["app", "one", "two"]),
    ("/usr/bin/app", ["/usr/bin/app"]),
    ("/\u{301}app", ["/\u{301}app"]),
    (#""a program" "an argument" "" "\"\`\$\\""#, ["a program", "an argument", "", "\"`$\\"]),
    (#"app "'<>~|&;*?#()" a=b"#, ["app", "'<>~|&;*?#()", "a=b"]),
    ("app %f", ["app", "u1"]),
    ("app %F", ["app", "u1", "u2"]),
    ("app %u", ["app", "u1"]),
    ("app %U", ["app", "u1", "u2"]),
    ("app --url=%u", ["app", "--url=u1"]),
    ("app %i", ["app", "--icon", "icon"]),
    ("app %c", ["app", "A name"]),
    ("app --name=%c-%k", ["app", "--name=A name-/a.desktop"]),
    ("app 100%% \"%%\"", ["app", "100%", "%"]),
    ("app %d %D %n %N %v %m x%dy", ["app", "xy"]),
  ])
  func commandLinesAreMade(text: String, arguments: [String]) throws {
    #expect(try ExecLine(text).commandLine(fields) == arguments)
  }

  @Test(arguments: [
    ("app %f %i", ["app"]), ("app %U", ["app"]), ("app --url=%u x", ["app", "--url=", "x"]),
  ])
  func codesWithoutAValueAreLeftOut(text: String, arguments: [String]) throws {
    #expect(try ExecLine(text).commandLine(none) == arguments)
  }

  @Test(arguments: [
    "", "  ", "%u", "%i", "%%c=b app", "a=b", "./app", "bin/app", "app 'x'", "app a;b", "app $HOME", "app x\\ y",
    "app a\"b\"",
    "app \"a\"b", "app \"a", #"app "a\b""#, "app \"$x\"", "app \"`x`\"", "app \"%u\"", "app %f %u", "app %u%u",
    "app %U %F", "a=\u{301}b", "bin/\u{301}app", "./\u{200D}app", "\u{D4E}/app",
    "app x%U", "app x%i", "app %x", "app %", "app a\tb", "app \0",
  ])
  func whatTheSpecificationForbidsIsRefused(text: String) {
    #expect(throws: MalformedEntry.self, "\(text)") { try ExecLine(text) }
  }

  @Test func aPlaceForAURLIsKnown() throws {
    for text in ["a %u", "a %U", "a x=%u"] { #expect(try ExecLine(text).takesURL) }
    for text in ["a", "a %f", "a %F", "a %c", "a %%u", "a %i %k"] { #expect(try !ExecLine(text).takesURL) }
  }
}

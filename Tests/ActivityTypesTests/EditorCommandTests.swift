// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import Testing

@Suite struct EditorCommandTests {
  @Test(
    arguments: [
      ("vi", "+12|/a b"), ("/usr/bin/nvi", "+12|/a b"),
      ("/usr/bin/vim.tiny", "+12|-c|silent! call setcursorcharpos(12, 5)|/a b"),
      ("vim", "+12|-c|silent! call setcursorcharpos(12, 5)|/a b"),
      ("/usr/bin/vim.basic", "+12|-c|silent! call setcursorcharpos(12, 5)|/a b"),
      ("nvim", "+12|-c|silent! call setcursorcharpos(12, 5)|/a b"),
      ("emacs", "+12:5|/a b"), ("emacs-nox", "+12:5|/a b"), ("emacsclient.emacs", "+12:5|/a b"),
      ("/bin/nano", "+12,5|/a b"), ("micro", "+12:5|/a b"), ("kak", "+12:5|/a b"), ("gedit", "+12:5|/a b"),
      ("hx", "/a b:12:5"), ("code", "--goto|/a b:12:5"), ("kate", "--line|12|--column|5|/a b"),
      ("idea", "--line|12|/a b"),
    ]
  )
  func everyEditorIsToldInItsOwnWay(program: String, arguments: String) {
    let command = EditorCommand(program: program)
    #expect(command?.arguments(path: "/a b", line: 12, column: 5).joined(separator: "|") == arguments)
  }

  @Test(arguments: ["", "/", "sudo", "ed", "cat", "sensible-editor", "vimdiff2", "code2"])
  func othersAreNotGuessed(program: String) { #expect(EditorCommand(program: program) == nil) }

  @Test func theFirstColumnNeedsNoCommand() {
    #expect(EditorCommand.vim.arguments(path: "/a", line: 3) == ["+3", "/a"])
  }

  @Test func nothingInAFetchedFileIsObeyed() {
    // Commands for before the configuration is read. What they do, the tests of editors show.
    let vim = EditorCommand.vim.arguments(path: "/a", line: 3, isFetched: true)
    #expect(vim.suffix(2) == ["+3", "/a"] && vim.count > 2)
    for (number, word) in vim.dropLast(2).enumerated() { #expect((word == "--cmd") == (number % 2 == 0)) }
    #expect(vim.contains { $0.contains("setlocal nomodeline") })
    for program in ["emacs", "emacsclient"] {
      let emacs = EditorCommand(program: program)?.arguments(path: "/a\"(x)\\", line: 3, isFetched: true) ?? []
      // No argument is a file, which Emacs would visit in its own way.
      #expect(emacs.count == 2 && emacs.first == "--eval")
      #expect(emacs.last?.contains(#"(find-file "/a\"(x)\\"))"#) == true)
    }
    #expect(EditorCommand.line.arguments(path: "/a", line: 3, isFetched: true) == ["+3", "/a"])
  }

  @Test func aPathIsNeitherAnOptionNorAPosition() {
    for style in [EditorCommand.line, .lineAndColumn, .lineCommaColumn, .options, .lineOption, .vim] {
      for path in ["-c", "+7", "--", "-:7", ""] {
        let arguments = style.arguments(path: path, line: 1, column: 2)
        #expect(arguments.last == "./\(path)")
      }
    }
    #expect(EditorCommand.suffix.arguments(path: "-c", line: 1) == ["./-c:1:1"])
    // From the right, the last two numbers are the position.
    #expect(EditorCommand.suffix.arguments(path: "/a:7", line: 1) == ["/a:7:1:1"])
    // From the left, the first two are: without a position, at least the file is right.
    #expect(EditorCommand.goto.arguments(path: "/a:7", line: 1) == ["/a:7"])
    #expect(EditorCommand.goto.arguments(path: "/a:b", line: 1) == ["--goto", "/a:b:1:1"])
  }
}

@Suite struct ShellWordsTests {
  @Test(
    arguments: [
      ("", []), ("  \t\n", []), ("vim", ["vim"]), (" emacsclient -t  -a '' ", ["emacsclient", "-t", "-a", ""]),
      (#"code --wait"#, ["code", "--wait"]), (#""/opt/My Editor/edit" -n"#, ["/opt/My Editor/edit", "-n"]),
      (#"/opt/My\ Editor/edit"#, ["/opt/My Editor/edit"]), (#"a'b c'"d e"f"#, ["ab cd ef"]),
      (#"'\n' "\n" "\"" \n"#, [#"\n"#, #"\n"#, "\"", "n"]), ("a\\\nb \"c\\\nd\"", ["ab", "cd"]),
      ("vim $HOME `id` $(id) *;x #y", ["vim", "$HOME", "`id`", "$(id)", "*;x", "#y"]),
      ("é\u{301} x", ["é\u{301}", "x"]), ("a \u{301}b", ["a", "\u{301}b"]),
    ] as [(String, [String])]
  )
  func wordsAreThoseOfAShell(text: String, words: [String]) { #expect(ShellWords.split(text) == words) }

  @Test(arguments: ["'a", "\"a", "a\\", "a 'b\"", "\"a\\\""])
  func whatIsNotClosedIsNothing(text: String) { #expect(ShellWords.split(text) == nil) }
}

// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BatonCommand

struct ShellScriptTests {
  @Test(arguments: [
    ("alias l=ls\nreturn\n", 2), ("exit 0 # enough\n\nmore\n", 1), ("return\nif x; then\n  y\nfi\n", 1), ("return", 1),
    ("exit\t1\nfind\n", 1),
  ])
  func anEndThatNothingGuardsIsFound(text: String, number: Int) {
    let script = ShellScript(text)
    #expect(script.lastLine?.number == number)
    #expect(script.reached == text.split(separator: "\n").prefix(number - 1).joined(separator: "\n"))
  }

  @Test(arguments: [
    "", "\n", "alias l=ls\n", "# return\n", "returned\n", "  return\n", #"[ -z "$PS1" ] && return"#, "return || x\n",
    "case $- in\n    *i*) ;;\n      *) return;;\nesac\n", "case $- in\n*i*) ;;\n*)\nreturn\n;;\nesac\n",
    "if x; then\nreturn\nfi\n", "if x; then\nreturn\nfi; y\n", "if x; then\nreturn\nelse\n  y\nfi\n",
    "f() {\nreturn 1\n# end\n\n}\n", "(\nexit\n)\n", "[ -z \"$PS1\" ] &&\nreturn\n",
    "[ -z \"$PS1\" ] ||\n\n# why\nreturn\n",
    "[ -z \"$PS1\" ] && \\\nreturn\n", "switch x\ncase a\nreturn\ncase b\nend\n", "return $?\n",
  ])
  func inDoubtTheShellReadsEverything(text: String) {
    #expect(ShellScript(text).lastLine == nil)
    #expect(ShellScript(text).reached == text)
  }
}

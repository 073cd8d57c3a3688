import Activity
import Testing

struct ArrivingNameTests {
  @Test(arguments: [
    ("notes.txt", "notes.txt"), ("a.tar.gz", "a.tar.gz"), (".bash_profile", "bash_profile"), (".git", "git"),
    ("...", "Document"), ("", "Document"), ("~", "Document"), ("-rf", "rf"), ("--to-command=x", "to-command=x"),
    (".-.x", "x"), ("x~", "x"), (".x~~", "x"), ("HEAD", "_HEAD"), ("head", "_head"), (".HEAD", "_HEAD"),
    ("HEAD~", "_HEAD"), ("header", "header"), ("Node_Modules", "_Node_Modules"),
    ("pyproject.toml", "_pyproject.toml"), (".Package.json", "_Package.json"), ("Gemfile", "_Gemfile"),
    ("Gemfile.lock", "Gemfile.lock"), ("flake.nix~", "_flake.nix"), ("WORKSPACE", "_WORKSPACE"),
    (" .x", " .x"), ("+!touch x", "!touch x"), ("@x.c", "x.c"), ("+-.@", "Document"), ("touch x|", "touch x"),
    (" |touch x", "touch x"), ("x | ", "x "), (" > a", " a"), ("> | a", " a"), ("a|b", "a|b"), (" ", " "),
    ("HEAD.", "_HEAD."), ("gems.rb", "_gems.rb"), ("Makefile", "_Makefile"), ("html.py", "_html.py"),
    ("html.cpython-313-x86_64-linux-gnu.so", "_html.cpython-313-x86_64-linux-gnu.so"), ("notes.py", "notes.py"),
    (".\u{301}profile", "\u{301}profile"), ("\u{200D}.x", "\u{200D}.x"), ("\u{D4E}-x", "\u{D4E}-x"),
  ])
  func nothingIsHiddenOrObeyed(name: String, harmless: String) {
    #expect(ArrivingName.harmless(Array(name.utf8)) == Array(harmless.utf8))
  }

  @Test func whatIsNoTextKeepsItsBytes() {
    #expect(ArrivingName.harmless([0x2E, 0xFF, 0xFE]) == [0xFF, 0xFE])
  }
}

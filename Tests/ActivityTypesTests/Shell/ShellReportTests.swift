import ActivityTypes
import Testing

@Suite struct ShellReportTests {
  private func report(_ text: String) -> ShellReport? { ShellReport(Array(text.utf8), home: "/home/ada") }

  @Test func threeFieldsAreRead() {
    #expect(report("/a\nb\0/x:/y\0ls\0") == ShellReport(directory: "/a\nb", exclusions: ["/x", "/y"], command: "ls"))
    #expect(report("/\0\0\0") == ShellReport(directory: "/"))
  }

  @Test(arguments: ["", "/a", "/a\0", "/a\0\0", "a\0\0\0", "/a\0\0\0\0", "\0\0\0"])
  func whatIsIncompleteIsRefused(text: String) { #expect(report(text) == nil) }

  @Test func whatIsNoTextIsRefused() {
    #expect(ShellReport([0x2F, 0xFF, 0, 0, 0], home: nil) == nil)
    // Otherwise, a directory with such a name could not be excluded.
    #expect(ShellReport([0x2F, 0, 0x2F, 0xFF, 0, 0], home: nil) == nil)
    #expect(ShellReport([UInt8](repeating: 0x2F, count: ShellReport.length) + [0, 0, 0], home: nil) == nil)
  }

  @Test func aCommandThatIsTooLongLeavesTheRest() {
    let long = String(repeating: "x", count: ShellReport.length)
    let expected = ShellReport(directory: "/a", exclusions: ["/b"])
    #expect(report("/a\0/b\0\(long)\0") == expected)
    #expect(report("/a\0/b\0\(long)") == expected)
  }

  @Test func exclusionsCountWhereverTheShellIs() {
    let bytes = [0x2F, 0xFF, 0] + Array("/b:/c\0ls\0".utf8)
    #expect(ShellReport.exclusions(bytes, home: nil) == ["/b", "/c"])
    #expect(ShellReport.exclusions(Array("/a\0b\0\0".utf8), home: nil) == nil)
    #expect(ShellReport.exclusions(Array("/a\0/b".utf8), home: nil) == nil)
  }

  @Test func excludedDirectoriesAreBelowTheRootOrTheHomeDirectory() {
    #expect(report("/a\0~/b:/c::~\0\0")?.exclusions == ["/home/ada/b", "/c", "/home/ada"])
    #expect(ShellReport(Array("/a\0~/b\0\0".utf8), home: nil) == nil)
  }

  @Test(arguments: [
    "private", "/b:private", "~bob/b", "$HOME/b", " /b", "/b:~x", "/\u{FFFD}", "/b /c", "/b ~/c",
    String(repeating: "/b:", count: 65),
  ])
  func aListThatCannotBeReadIsNotEmpty(list: String) { #expect(report("/a\0\(list)\0\0") == nil) }

  @Test(arguments: [
    ("make", "make"), ("\t make test\n", "make test"), ("\t*make\n", "make"), ("a\nb", "a\nb"),
    ("git commit -m 'Change 12 files'", "git commit -m 'Change 12 files'"), ("pwd", "pwd"), ("ls -up", "ls -up"),
    ("scp git@example.org:x .", "scp git@example.org:x ."),
    ("cd /a/very/long/path/of/2024", "cd /a/very/long/path/of/2024"),
  ])
  func commandsAreTold(text: String, command: String) { #expect(CommandText.sendable(text) == command) }

  @Test(arguments: [
    "", " ls", "\tls", "\t  ls\n", "\n", "mysql --password=x", "export API_KEY=1", "curl -H 'Authorization: Bearer x'",
    "git clone https://ada:geheim@example.org/x", "GITHUB_TOKEN=x gh",
    "DB_PASS=x make", "PASS=x", "pass show mail", "openssl enc -passin pass:x", "mysql -uroot -phunter2 shop",
    "curl -u ada:geheim example.org", "curl --user=ada:geheim example.org", "curl ada:geheim@example.org",
    "echo x | sudo -S id", "docker login -p x", "redis-cli -a x", "unzip -P x a.zip", "STRIPE_KEY=x ./pay",
    "curl -H 'Cookie: id=x' example.org", "gh auth <<<ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "echo AKIAIOSFODNN7EXAMPLE", "wpa_supplicant psk=x", "MYSQL_PWD=x ./backup", String(repeating: "x", count: 513),
  ])
  func whatMayBeASecretIsNot(text: String) { #expect(CommandText.sendable(text) == nil) }

  @Test func aFolderExcludesWhatIsBelow() {
    #expect(DirectoryExclusion.applies(to: ["/a/b"], excluded: ["/a"]))
    #expect(DirectoryExclusion.applies(to: ["/link", "/a/b"], excluded: ["/a//b/"]))
    #expect(DirectoryExclusion.applies(to: ["/x"], excluded: ["/"]))
    #expect(!DirectoryExclusion.applies(to: ["/ab"], excluded: ["/a"]))
    #expect(!DirectoryExclusion.applies(to: ["/a"], excluded: []))
  }
}

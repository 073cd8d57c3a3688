import ActivityTypes
import Testing

@Suite struct ShellReportTests {
  private func report(_ text: String) -> ShellReport? { ShellReport(Array(text.utf8)) }

  @Test func threeFieldsAreRead() {
    #expect(report("/a\nb\0/x:/y\0ls\0") == ShellReport(directory: "/a\nb", exclusions: ["/x", "/y"], command: "ls"))
    #expect(report("/\0\0\0") == ShellReport(directory: "/"))
  }

  @Test(arguments: ["", "/a", "/a\0", "/a\0\0", "a\0\0\0", "/a\0\0\0\0", "\0\0\0"])
  func whatIsIncompleteIsRefused(text: String) { #expect(report(text) == nil) }

  @Test func whatIsNoTextIsRefused() {
    #expect(ShellReport([0x2F, 0xFF, 0, 0, 0]) == nil)
    // Otherwise, a directory with such a name could not be excluded.
    #expect(ShellReport([0x2F, 0, 0x2F, 0xFF, 0, 0]) == nil)
    #expect(ShellReport([UInt8](repeating: 0x2F, count: ShellReport.length) + [0, 0, 0]) == nil)
  }

  @Test(arguments: [
    ("make", "make"), ("\t make test\n", "make test"), ("\t*make\n", "make"), ("a\nb", "a\nb"),
  ])
  func commandsAreTold(text: String, command: String) { #expect(CommandText.sendable(text) == command) }

  @Test(arguments: [
    "", " ls", "\tls", "\t  ls\n", "\n", "mysql --password=x", "export API_KEY=1", "curl -H 'Authorization: Bearer x'",
    "git clone https://ada:geheim@example.org/x", "GITHUB_TOKEN=x gh", String(repeating: "x", count: 513),
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

// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import Testing

@Suite struct ShellReportTests {
  private func report(_ text: String) -> ShellReport? { ShellReport(Array(text.utf8)) }

  @Test func fieldsAreRead() {
    let all = report("/a\nb\0/x:/y\0HOME=/home/ada\u{1}OTHER=1\u{1}PATH=/a=b:/c\0ls\0")
    let environment = ["HOME": "/home/ada", "PATH": "/a=b:/c"]
    #expect(
      all == ShellReport(directory: "/a\nb", exclusions: ["/x", "/y"], environment: environment, command: "ls")
    )
    #expect(report("/\0\0\0\0") == ShellReport(directory: "/"))
  }

  /// What Bash writes.
  private func message(
    _ directory: String,
    _ list: String = "",
    separators: String = " \t\n",
    home: String = "",
    command: String = ""
  ) -> String {
    let variables = [home.isEmpty ? "" : "HOME=\(home)"] + ShellReport.variables.dropFirst().map { _ in "" }
    let fields = ["bash: /dev/null/", directory, separators, list] + variables + [command, ": Not a directory\n"]
    return fields.joined(separator: "\u{1}")
  }

  @Test func theMessageOfBashIsRead() {
    #expect(report(message("/a: b\n")) == ShellReport(directory: "/a: b\n"))
    let all = report(message("/a", "/x:~/y\u{2}", home: "/home/ada", command: "\t ls"))
    #expect(
      all
        == ShellReport(
          directory: "/a",
          exclusions: ["/x", "/home/ada/y"],
          environment: ["HOME": "/home/ada"],
          command: "ls"
        )
    )
  }

  @Test(arguments: [(" \t\n", " "), (":", ":"), ("~", "~"), ("é", "é"), ("", "")])
  func theElementsOfAnArrayAreSeparate(separators: String, separator: String) {
    let list = "/x y\u{2}\(separator)/z\u{2}"
    #expect(report(message("/a", list, separators: separators))?.exclusions == ["/x y", "/z"])
  }

  @Test func aMessageThatIsNotWholeOrHasMoreIsRefused() {
    let whole = message("/a", "/x\u{2}")
    #expect(report(whole) != nil)
    for count in 0..<whole.unicodeScalars.count {
      #expect(report(String(String.UnicodeScalarView(whole.unicodeScalars.prefix(count)))) == nil)
    }
    // A directory whose name looks like several fields, and an element that another separator precedes.
    #expect(report(message("/a\u{1} \u{1}")) == nil)
    #expect(report(message("/a", "/x")) == nil)
    #expect(report(message("/a", "/x\u{2} /y\u{2}", separators: ",")) == nil)
  }

  @Test(arguments: [
    "", "/a", "/a\0", "/a\0\0", "/a\0\0\0", "a\0\0\0\0", "/a\0\0\0\0\0", "\0\0\0\0",
  ])
  func whatIsIncompleteIsRefused(text: String) { #expect(report(text) == nil) }

  @Test func whatIsNoTextIsRefused() {
    #expect(ShellReport([0x2F, 0xFF, 0, 0, 0, 0]) == nil)
    // Otherwise, a directory with such a name could not be excluded.
    #expect(ShellReport([0x2F, 0, 0x2F, 0xFF, 0, 0, 0]) == nil)
    #expect(ShellReport([UInt8](repeating: 0x2F, count: ShellReport.length) + [0, 0, 0, 0]) == nil)
  }

  @Test func aCommandThatIsTooLongLeavesTheRest() {
    let long = String(repeating: "x", count: ShellReport.length)
    let expected = ShellReport(directory: "/a", exclusions: ["/b"])
    #expect(report("/a\0/b\0\0\(long)\0") == expected)
    #expect(report("/a\0/b\0\0\(long)") == expected)
  }

  @Test func exclusionsCountWhereverTheShellIs() {
    let bytes = [0x2F, 0xFF, 0] + Array("/b:/c\0\0ls\0".utf8)
    #expect(ShellReport.exclusions(bytes) == ["/b", "/c"])
    #expect(ShellReport.exclusions(Array("/a\0b\0\0\0".utf8)) == nil)
    #expect(ShellReport.exclusions(Array("/a\0/b".utf8)) == nil)
  }

  @Test func excludedDirectoriesAreBelowTheRootOrTheHomeDirectory() {
    #expect(report("/a\0~/b:/c::~\0HOME=/home/ada\0\0")?.exclusions == ["/home/ada/b", "/c", "/home/ada"])
    for home in ["", "HOME=", "HOME=home"] { #expect(report("/a\0~/b\0\(home)\0\0") == nil) }
  }

  @Test(arguments: [
    "private", "/b:private", "~bob/b", "$HOME/b", " /b", "/b:~x", "/\u{FFFD}", "/b /c", "/b ~/c",
    String(repeating: "/b:", count: 65),
  ])
  func aListThatCannotBeReadIsNotEmpty(list: String) { #expect(report("/a\0\(list)\0HOME=/home/ada\0\0") == nil) }

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
    "echo AKIAIOSFODNN7EXAMPLE", "wpa_supplicant psk=x",
    "xfreerdp /u:ada /p:x /v:host", "ipmitool -U ada -P x",
    "sqlplus ada/x@db", "rar a -hpx a.rar", "mosquitto_pub -P x", "snmpget -A x host", "MYSQL_PWD=x ./backup",
    String(repeating: "x", count: 513),
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

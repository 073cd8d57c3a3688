// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import JSONCoding
import Testing

@Suite struct SecureShellTests {
  @Test(arguments: ["ada", "_apt", "ada.l", "A-b"])
  func usersAreNames(user: String) { #expect(SecureShell.isUser(user)) }

  @Test(arguments: ["", "-l", "a b", "a;b", "a@b", "$(x)", "é", ".x", String(repeating: "a", count: 65)])
  func whatIsNoUserIsRefused(user: String) { #expect(!SecureShell.isUser(user)) }

  @Test(arguments: ["laptop", "laptop.local", "10.0.0.1"])
  func hostsAreNames(host: String) { #expect(SecureShell.isHost(host)) }

  @Test(arguments: ["", "-oProxyCommand=x", "a b", "a/b", "a@b", "a..b", ".a", "a:b", "a%b", "a\n"])
  func whatIsNoHostIsRefused(host: String) { #expect(!SecureShell.isHost(host)) }

  @Test func theHostOfAnAddress() {
    #expect(SecureShell.host(ofAddress: "10.0.0.1:4000") == "10.0.0.1")
    #expect(SecureShell.host(ofAddress: "[fe80::1%eth0]:4000") == "fe80::1%eth0")
    #expect(SecureShell.host(ofAddress: "laptop.lan:4000") == "laptop.lan")
    #expect(SecureShell.host(ofAddress: "-x:1") == nil)
    #expect(SecureShell.host(ofAddress: "[::1") == nil)
    #expect(SecureShell.host(ofAddress: "") == nil)
  }

  @Test func theDirectoryIsOneWord() {
    let words = SecureShell.arguments(user: "ada", host: "10.0.0.1", name: "laptop", directory: "/it's \\n $(x)")
    #expect(words.prefix(7) == ["ssh", "-t", "-o", "HostKeyAlias=laptop", "-l", "ada", "--"])
    #expect(words.dropFirst(7) == ["10.0.0.1", #"cd -- '/it'"'"'s '"\\"'n $(x)' && exec "$SHELL" -l"#])
  }

  @Test func whatDoesNotFitIsLeftOut() throws {
    let document = DocumentReference(path: "/" + String(repeating: "a", count: 2800))
    var activity = DirectoryActivity(document: document, host: "laptop", command: String(repeating: "x", count: 500))
    let userInfo = try #require(activity.userInfo)
    #expect(DirectoryActivity(json: userInfo)?.command == nil)
    #expect(DirectoryActivity(json: userInfo)?.host == "laptop")
    activity.document.path += String(repeating: "a", count: 400)
    #expect(activity.userInfo == nil)
  }
}

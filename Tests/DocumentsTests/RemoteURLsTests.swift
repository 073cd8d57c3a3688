// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import Testing

struct RemoteURLsTests {
  private func names(_ settings: [(String, String)]) -> [String] {
    RemoteURLs.names(configuration: settings.flatMap { Array("\($0.0)\n\($0.1)".utf8) + [0] }).map(\.text)
  }

  @Test func originComesFirst() {
    let names = names([
      ("remote.upstream.url", "https://github.com/ada/baton"), ("remote.origin.url", "git@github.com:eve/baton.git"),
      ("remote.backup.url", "/mnt/backup"), ("remote.same.url", "https://github.com/eve/baton"),
    ])
    #expect(names == ["github.com/eve/baton", "github.com/ada/baton"])
  }

  @Test func whatInsteadOfReplacesCountsAndSoDoesTheReplacement() {
    let names = names([
      ("remote.origin.url", "https://github.com/ada/baton"), ("url.https://mirror.example/.insteadof", "https://"),
      ("url.https://mirror.example/github/.insteadof", "https://github.com/"), ("url.git@github.com:.insteadof", "gh:"),
      ("remote.short.url", "gh:eve/baton"),
    ])
    #expect(
      names == ["github.com/ada/baton", "mirror.example/github/ada/baton", "gh/eve/baton", "github.com/eve/baton"]
    )
  }

  /// git compares bytes, so it fetches from another host than characters say.
  @Test func insteadOfReplacesBytes() {
    let names = names([
      ("remote.origin.url", "https://a.example/\u{301}x"), ("url.https://b.example/.insteadof", "https://a.example/"),
    ])
    #expect(names == ["a.example/\u{301}x", "b.example/\u{301}x"])
    #expect(self.names([("remote.\u{301}.url", "host:x")]) == ["host/x"])
  }

  @Test func namesWithDotsAndValuesWithLineEndsAreRead() {
    #expect(
      names([("remote.a.url.b.url", "host:x"), ("remote.c.url", "host:y\nz"), ("remote.url", "host:w")]) == ["host/x"]
    )
  }

  @Test func whatIsNotTextOrCutOffIsIgnored() {
    #expect(RemoteURLs.names(configuration: Array("remote.a.url".utf8) + [0, 0xFF, 0x0A, 0xFF]).isEmpty)
  }

  @Test func thereAreAtMostEight() {
    #expect(names((0..<20).map { ("remote.\($0).url", "host:\($0)") }).count == DocumentReference.mostRepositories)
  }

  @Test(arguments: ["git@work:ada/notes.git", "ssh://git@work/ada/notes", "ssh://git@work:22/ada/notes.git"])
  func aNameOfSSHsConfigurationLeadsToItsHost(url: String) {
    let names = RemoteURLs.names(configuration: Array("remote.origin.url\n\(url)".utf8)) {
      $0 == "work" ? SSHDestination(host: "GitHub.com") : nil
    }
    #expect(names.map(\.text) == ["work/ada/notes", "github.com/ada/notes"])
  }

  @Test(arguments: ["https://work/ada/notes.git", "ssh://[::2]/ada/notes.git"])
  func sshIsNotAskedForOtherHosts(url: String) {
    let names = RemoteURLs.names(configuration: Array("remote.origin.url\n\(url)".utf8)) { _ in
      Issue.record("ssh is asked")
      return nil
    }
    #expect(names.count == 1)
  }

  /// ssh compares the names in its configuration letter by letter, and git gives it the name as it is in the URL.
  @Test(arguments: ["git@GitHub-Work:ada/notes.git", "ssh://git@GitHub-Work/ada/notes", "[git@GitHub-Work]:ada/notes"])
  func sshIsAskedForTheNameAsItIsWritten(url: String) {
    let names = RemoteURLs.names(configuration: Array("remote.origin.url\n\(url)".utf8)) {
      $0 == "GitHub-Work" ? SSHDestination(host: "github.com") : nil
    }
    #expect(names.map(\.text) == ["github-work/ada/notes", "github.com/ada/notes"])
  }

  @Test func aHostOfSSHsConfigurationCannotBeAPath() {
    for host in ["", "a/b", "localhost", "-oProxyCommand=x y", "a b", "."] {
      let names = RemoteURLs.names(configuration: Array("remote.origin.url\ngit@work:ada/notes".utf8)) { _ in
        SSHDestination(host: host)
      }
      #expect(names.map(\.text) == ["work/ada/notes"], "\(host)")
    }
  }

  @Test func bothFormsOfBitbucketServerAreOneRepository() {
    func names(_ url: String) -> Set<String> {
      Set(RemoteURLs.names(configuration: Array("remote.origin.url\n\(url)".utf8)).map(\.text))
    }
    let web = names("https://git.example.org/scm/team/app.git")
    #expect(web == ["git.example.org/scm/team/app"])
    #expect(web.isSubset(of: names("ssh://git@git.example.org:7999/team/app.git")))
    // Elsewhere, it can be the name of a group.
    #expect(
      names("git@gitlab.example.org:team/app.git").isDisjoint(
        with: names("https://gitlab.example.org/scm/team/app.git")
      )
    )
  }

  /// The port, which tells what kind of server it is, can be in ssh's configuration alone.
  @Test(arguments: [
    ("git@git.example.org:team/app.git", "git.example.org", 7999, "git.example.org/scm/team/app"),
    ("git@bb:team/app.git", "git.example.org", 7999, "git.example.org/scm/team/app"),
    ("[git@bb:7999]:team/app.git", "git.example.org", 22, "git.example.org/scm/team/app"),
    ("ssh://ada@review.example.org:29418/tools/app", "review.example.org", 22, "review.example.org/a/tools/app"),
    ("ada@review:tools/app", "review.example.org", 29_418, "review.example.org/a/tools/app"),
  ])
  func thePortTellsWhatTheWebHasBeforeThePath(url: String, host: String, port: Int, web: String) {
    let names = RemoteURLs.names(configuration: Array("remote.origin.url\n\(url)".utf8)) { _ in
      SSHDestination(host: host, port: port)
    }
    #expect(names.map(\.text).contains(web))
    #expect(RepositoryName.all(url: "https://\(web).git") { _ in nil }.contains { names.contains($0) })
  }

  @Test func bitbucketServerCanBeInAFolderOfAWebServer() {
    let web = RepositoryName.all(url: "https://example.org/bitbucket/scm/team/app.git") { _ in nil }
    #expect(web.map(\.text) == ["example.org/bitbucket/scm/team/app", "example.org/scm/team/app"])
    #expect(RepositoryName.all(url: "https://example.org/a/b/scm/team/app") { _ in nil }.count == 1)
  }

  /// Another machine refuses a name that is not the one form of itself.
  @Test func eachNameIsItsOwnForm() {
    let names = ["v3", "_git", "_GIT", "DefaultCollection", "A.git", ".git", "scm"]
    var paths = [""]
    for _ in 0..<4 { paths += paths.flatMap { path in names.map { "\(path)/\($0)" } }.filter { $0.utf8.count < 24 } }
    let hosts = [
      "dev.azure.com", "ssh.dev.azure.com", "vs-ssh.visualstudio.com", "Ada.visualstudio.com", "github.com", "x:7999",
    ]
    for host in hosts {
      for path in Set(paths) {
        for name in RepositoryName.all(url: "ssh://\(host)\(path)", destination: { _ in nil }) {
          #expect(RepositoryName(text: name.text) == name)
        }
      }
    }
  }

  @Test func whatSSHPrintsHasTheHost() {
    let printed = "user ada\nhostname github.com\nport 22\nhostname other.example\nport 23\n"
    #expect(SSHDestination(printed: Array(printed.utf8)) == SSHDestination(host: "github.com", port: 22))
    #expect(SSHDestination(printed: Array("hostname a\nport x\n".utf8)) == SSHDestination(host: "a"))
    for other in ["", "hostname \n", "hostnames x\n", "Hostname", "\u{FF}", "port 22\n"] {
      #expect(SSHDestination(printed: Array(other.utf8)) == nil, "\(other)")
    }
  }
}

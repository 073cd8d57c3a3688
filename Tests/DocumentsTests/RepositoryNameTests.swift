// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import Testing

struct RepositoryNameTests {
  @Test(arguments: [
    "https://github.com/ada/baton.git", "https://github.com/ada/baton", "https://github.com/ada/baton/",
    "https://ada:token@github.com/ada/baton.git", "https://GitHub.com:443/ada/baton.git?x=1#y",
    "git@github.com:ada/baton.git", "github.com:ada/baton", "git@github.com:/ada/baton.git/",
    "ssh://git@github.com/ada/baton.git", "ssh://git@github.com:22/ada/baton", "git+ssh://git@github.com/ada/baton",
    "git://github.com/ada/baton.git", "git://github.com:9418//ada//baton.git", "http://github.com:80/ada/baton",
    "HTTPS://github.com./ada/baton", "https://github.com/%61da/baton", "[git@github.com]:ada/baton.git",
    "[git@github.com:22]:ada/baton.git", "ssh://git@ssh.github.com:443/ada/baton.git",
    "https://github.com/Ada/Baton.Git", "https://www.github.com/ada/baton",
    "https://x-access-token:a%40b@github.com/ada/baton",
  ])
  func allURLsOfARepositoryAreOneName(_ url: String) {
    #expect(RepositoryName(url: url)?.text == "github.com/ada/baton")
  }

  @Test(arguments: [
    ("ssh://git@example.org:2222/srv/git/baton.git", "example.org/srv/git/baton"),
    ("[git@example.org:2222]:srv/git/baton.git", "example.org/srv/git/baton"),
    ("https://example.org:8443/srv/git/Baton", "example.org/srv/git/Baton"),
    ("ada@example.org:~/baton", "example.org/~ada/baton"), ("ssh://example.org/~ada/baton", "example.org/~ada/baton"),
    ("ssh://ada@example.org:22/~/baton", "example.org/~ada/baton"), ("example.org:~/baton", "example.org/~/baton"),
    ("https://[2001:DB8::1]:8443/baton.git", "[2001:db8::1]/baton"),
    ("[2001:db8::1]:baton", "[2001:db8::1]/baton"),
    ("host:.git", "host/.git"), ("https://example.org/b%C3%A4ton", "example.org/bäton"),
    ("example.org:a b/c", "example.org/a b/c"), ("host:/\u{301}/x", "host/\u{301}/x"),
    ("https://\u{301}ada:token@github.com/ada/baton", "github.com/ada/baton"),
    ("git@altssh.gitlab.com:ada/baton", "gitlab.com/ada/baton"),
    ("git@ssh.dev.azure.com:v3/ada/notes/baton", "dev.azure.com/ada/notes/_git/baton"),
    ("https://ada@dev.azure.com/Ada/Notes/_git/baton", "dev.azure.com/ada/notes/_git/baton"),
    ("https://Ada.visualstudio.com/notes/_git/baton", "dev.azure.com/ada/notes/_git/baton"),
    ("https://ada.visualstudio.com/DefaultCollection/notes/_git/baton", "dev.azure.com/ada/notes/_git/baton"),
    ("ada@vs-ssh.visualstudio.com:v3/ada/notes/baton", "dev.azure.com/ada/notes/_git/baton"),
    ("https://dev.azure.com/ada/_git/baton", "dev.azure.com/ada/baton/_git/baton"),
    ("https://dev.azure.com/Ada/_GIT/Baton", "dev.azure.com/ada/baton/_git/baton"),
    ("https://ada.visualstudio.com/_git/baton", "dev.azure.com/ada/baton/_git/baton"),
  ])
  func hostAndPathStay(_ url: String, _ name: String) throws {
    let repository = try #require(RepositoryName(url: url))
    #expect(repository.text == name)
    #expect(RepositoryName(text: name) == repository)
  }

  @Test(arguments: [
    "https://github.com", "https:///ada/baton", "https://github.com/ada/../eve", "https://github.com/ada/..git",
    "git@github.com:../eve",
    "ext::sh -c id", "file:///srv/git/baton", "/srv/git/baton", "../baton",
    "./host:path", "https://git hub.com/ada/baton", "https://github.com:x/ada/baton", "https://github.com/a%00b",
    "https://github.com/a\nb", "https://github.com/%FF", "bundle://x/y", "https://github.com/%zz", "[::1", "[]:x",
    "https://[::1/baton", "git@host..:x", "host://x",
    // A URL that lacks its slashes: a user's name and password come before the host.
    "https:ada:token@github.com/ada/baton", "ada:token@github.com:ada/baton", "github.com:ada/@baton",
    "[/../it@host:22]:~/a", "git@.:x", "https://[gh]/baton", "https://a[b/baton", "@:x", ":x", "",
    "https://ada.visualstudio.com/",
    // Another machine on each machine.
    "https://localhost/ada/baton", "ssh://git@127.0.0.1:2222/baton", "http://[::1]:3000/baton", "git@x.localhost:baton",
    String(repeating: "a", count: 5000) + ":b",
  ])
  func whatNamesNoHostIsNoRepository(_ url: String) {
    #expect(RepositoryName(url: url) == nil)
  }

  @Test(arguments: [
    "", "github.com", "github.com/", "github.com/ada/baton.git", "github.com/ada//baton", "GitHub.com/ada/baton",
    "github.com/Ada/baton", "github.com:443/ada/baton", "git@github.com/ada/baton", "github.com/../baton",
    "ssh.github.com/ada/baton", "github.com/ada/baton/", "localhost/baton", "github.com/a\nb",
    "ada.visualstudio.com/notes/_git/baton",
  ])
  func onlyTheOneFormIsAName(_ text: String) { #expect(RepositoryName(text: text) == nil) }
}

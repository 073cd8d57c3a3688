// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import Testing

@Suite struct RunningBrowserTests {
  private let chromium = "/usr/lib/chromium/chromium"
  private let firefox = "/usr/lib/firefox-esr/firefox-esr"
  private let page = "chrome-extension://heeignhmlooejpneahjedncnncedefco/front.html"
  private let mozPage = "moz-extension://6a1de4f0-0000-4000-8000-000000000001/front.html"

  private func browser(_ program: String, _ line: [String], _ files: [String], hasBus: Bool = true) -> RunningBrowser? {
    RunningBrowser(
      program: program,
      line: [program] + line,
      files: ["/dev/null", "socket:[7]", ""] + files,
      hasBus: hasBus
    )
  }

  @Test func chromiumIsStartedForItsProfile() {
    let files = ["/home/ada/.config/chromium/Profile 2/Web Data", "/home/ada/.config/chromium/Profile 2/History"]
    let line = [
      "--user-data-dir=/elsewhere", "--profile-directory=Default", "https://example.org/?secret", "--no-sandbox",
    ]
    #expect(
      browser(chromium, line, files)?.command(opening: page) == [
        chromium, "--user-data-dir=/home/ada/.config/chromium", "--profile-directory=Profile 2", "--no-sandbox", page,
      ]
    )
  }

  @Test func firefoxIsStartedForItsProfile() {
    let files = [
      "/home/ada/.mozilla/firefox/x.default/.parentlock", "/home/ada/.mozilla/firefox/x.default/cookies.sqlite",
    ]
    #expect(
      browser(firefox, ["-P", "other"], files)?.command(opening: mozPage) == [
        firefox, "--profile", "/home/ada/.mozilla/firefox/x.default", mozPage,
      ]
    )
    // It would say that Firefox runs already.
    for option in ["-no-remote", "--no-remote"] { #expect(browser(firefox, [option], files) == nil) }
    #expect(browser(firefox, [], files, hasBus: false) == nil)
  }

  @Test func nobodyGuessesAProfile() {
    #expect(browser(chromium, [], []) == nil)
    #expect(browser(chromium, [], ["/a/One/Web Data", "/a/Two/Web Data"]) == nil)
    #expect(browser(firefox, [], ["/a/.parentlock", "/b/.parentlock"]) == nil)
  }

  @Test func aProgramThatWasReplacedIsNotStarted() {
    let files = ["/a/Default/Web Data"]
    #expect(browser(chromium, [], files) != nil)
    #expect(browser("\(chromium) (deleted)", [], files) == nil)
    #expect(browser("chromium", [], files) == nil)
  }

  @Test(arguments: [
    "https://example.org/", "--headless", "moz-extension://a/front.html", "chrome-extension:", "",
    "chrome-extension://a/front.html#x", "chrome-extension://a/front.html --headless", "chrome-extension://\u{E9}/",
    "chrome-extension://" + String(repeating: "a", count: BrowserLimits.ownPageLength),
  ])
  func onlyAPageOfTheExtensionIsOpened(page: String) {
    #expect(browser(chromium, [], ["/a/Default/Web Data"])?.command(opening: page) == nil)
  }
}

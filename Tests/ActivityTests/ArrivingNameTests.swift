// SPDX-License-Identifier: Apache-2.0

import Activity
import SeededGenerator
import Testing

struct ArrivingNameTests {
  /// A name that ends as programs obey it, if it is cut at any byte.
  @Test(
    arguments: ["|", "~", ".tf", ".csproj", ".dist-info", ".egg-info", "html.py", "_sysconfigdata_"],
    [false, true]
  )
  func aNameIsJudgedAsItArrives(part: String, isFolder: Bool) {
    let length = 60
    for start in length - 30...length {
      let text = String(repeating: "a", count: start) + part + String(repeating: "z\u{301}", count: 20)
      for attempt in [1, 10_000] {
        let arrived = ArrivingName(Array(text.utf8), isFolder: isFolder, length: length).attempt(attempt)
        #expect(arrived.count <= length)
        #expect(ArrivingName.harmless(arrived) == arrived, "\(String(decoding: arrived, as: UTF8.self))")
      }
    }
  }

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

  @Test func whatIsLeftOutMakesNoOtherSign() {
    let parts: [[UInt8]] = [[0xE2, 0x80], [0xE2, 0x80, 0x8B], [0xAE]]
    #expect(ArrivingName.harmless([0x61] + parts.joined() + [0x62]) == [0x61, 0x62])
  }

  @Test func aHarmlessNameStays() {
    var random = SeededGenerator(seed: 1)
    let pieces = [
      "_", ".", "-", "s.", "html", "brotli", "Makefile", ".sh", ",v", ".py", ".tf", "plugins", "\u{202E}", "\u{200B}",
      " ", "~",
    ]
    for _ in 0..<2_000 {
      var name = (0..<Int.random(in: 1...5, using: &random)).flatMap { _ in
        Array((pieces.randomElement(using: &random) ?? "").utf8)
      }
      if Bool.random(using: &random), let at = name.indices.randomElement(using: &random) { name.insert(0xE2, at: at) }
      let harmless = ArrivingName.harmless(name)
      #expect(ArrivingName.harmless(harmless) == harmless, "\(name)")
    }
  }

  @Test func whatIsNoTextKeepsItsBytes() {
    #expect(ArrivingName.harmless([0x2E, 0xFF, 0xFE]) == [0xFF, 0xFE])
    #expect(ArrivingName.harmless([0xFF] + Array("a\u{202E}b".utf8) + [0xE2, 0x80]) == [0xFF, 0x61, 0x62, 0xE2, 0x80])
  }

  @Test(arguments: [
    ("photo\u{202E}gpj.exe", "photogpj.exe"), ("\u{202E}.bashrc", "bashrc"), ("html\u{200B}.py", "_html.py"),
    ("HE\u{AD}AD", "_HEAD"), ("a\u{2066}b\u{2069}.txt", "ab.txt"), ("a\u{200F}b", "ab"), ("a\u{FEFF}\u{3164}b", "ab"),
    ("a\nb\u{1B}[2J\u{85}\u{2028}c\r", "a_b_[2J__c_"), ("\u{202E}", "Document"), ("a\u{E0041}b\u{FFF9}", "ab"),
    ("bill.pdf\(String(repeating: " ", count: 60)).desktop", "bill.pdf .desktop"),
    ("bill.pdf\(String(repeating: "\u{2800}", count: 60)).desktop", "bill.pdf .desktop"),
    ("bill.pdf\(String(repeating: " \u{200B}", count: 60)).desktop", "bill.pdf .desktop"),
    ("bill.pdf\(String(repeating: "    \u{200D}", count: 9)).desktop", "bill.pdf .desktop"),
    ("bill.pdf\(String(repeating: "    \u{FE0F}", count: 9)).desktop", "bill.pdf .desktop"),
    ("bill.pdf\(String(repeating: "    \u{1D159}", count: 9)).desktop", "bill.pdf .desktop"),
    ("a  b.txt", "a  b.txt"), ("a\u{A0}b", "a\u{A0}b"), ("می\u{200C}خواهم.txt", "می\u{200C}خواهم.txt"),
    ("👩\u{200D}💻 ❤\u{FE0F}", "👩\u{200D}💻 ❤\u{FE0F}"), ("שלום.txt", "שלום.txt"), ("ﬁ.txt", "ﬁ.txt"),
  ])
  func aNameShowsAllOfWhatItIs(name: String, shown: String) {
    #expect(ArrivingName.harmless(Array(name.utf8)) == Array(shown.utf8))
    // Whoever was asked about it has seen another name.
    if ArrivingName.visible(Array(name.utf8)) != Array(name.utf8) {
      #expect(ArrivingName.harmless(Array(name.utf8), isAsked: true) == Array(shown.utf8))
    }
  }

  @Test(arguments: [
    ("_ssl.py", "__ssl.py"), ("ssl.py", "__ssl.py"), ("x.dist-info", "x.dist-info_"), ("X.EGG-INFO", "X.EGG-INFO_"),
    ("vite.config.mts", "_vite.config.mts"), ("yarn.config.cjs", "_yarn.config.cjs"),
    ("my.config.js", "my.config.js"),
    (".latexmkrc", "_latexmkrc"), (".irbrc", "irbrc"), ("irb.rc", "_irb.rc"), ("telescope.lua", "_telescope.lua"),
    ("Makefile.sh", "_Makefile.sh"), ("makefile,v", "_makefile,v"), ("s.GNUmakefile", "_s.GNUmakefile"),
    ("RCS", "_RCS"), ("_sysconfigdata__linux_x86_64-linux-gnu.py", "__sysconfigdata__linux_x86_64-linux-gnu.py"),
    ("org.py", "_org.py"), ("brotli.py", "__brotli.py"), ("main.tf", "main.tf_"), ("a.csproj", "a.csproj_"),
    ("jest.config.json", "_jest.config.json"), ("_config.yml", "__config.yml"), ("app.py", "_app.py"),
    ("song.lua", "song.lua"), ("lxml.py", "_lxml.py"), ("META-INF", "_META-INF"), ("Dockerfile", "_Dockerfile"),
    ("webpack.config.babel.js", "_webpack.config.babel.js"), ("gulpfile.babel.js", "_gulpfile.babel.js"),
    ("CMakeLists.txt", "_CMakeLists.txt"), ("vite.config", "vite.config"), ("__pycache__", "___pycache__"),
    ("nvim-linux-x86_64.appimage.config", "nvim-linux-x86_64.appimage.config_"),
    ("Editor.AppImage.home", "Editor.AppImage.home_"), ("svgo.config.js", "_svgo.config.js"),
    ("phpunit.xml", "_phpunit.xml"), ("tox.toml", "_tox.toml"), ("ma\u{212A}efile", "_ma\u{212A}efile"),
    ("\u{17F}etup.cfg", "_\u{17F}etup.cfg"), ("make\u{FE0F}file", "_make\u{FE0F}file"),
    ("notes.appimage", "notes.appimage"),
  ])
  func noOtherNameIsObeyedEither(name: String, harmless: String) {
    #expect(ArrivingName.harmless(Array(name.utf8)) == Array(harmless.utf8))
  }

  @Test(arguments: [
    ("html", ["__init__.py"], "_html"), ("HTML", ["__init__.pyc"], "_HTML"), ("html", ["x/__init__.py"], "html"),
    ("org", ["python/core.py"], "_org"), ("plugins", ["a.lua", "evil.rb"], "__plugins"),
    ("html", ["index.html", "entities.py"], "html"), ("html", ["__init__.cpython-311-x86_64-linux-gnu.so"], "_html"),
    ("notes", ["__init__.py"], "notes"), ("google", ["auth/__init__.py"], "_google"), ("google", ["a.txt"], "google"),
    ("tkinter", ["x.py"], "_tkinter"), ("cmp", ["init.lua"], "_cmp"), ("cmp", ["a/b.lua"], "_cmp"),
    ("cmp", ["a.txt"], "cmp"), ("ssl", ["__init__.py"], "__ssl"),
    ("bin", ["rails"], "_bin"), ("script", ["Rails"], "_script"), ("workflow", ["Snakefile"], "_workflow"),
    ("bin", ["x/rails"], "bin"), ("workflow", ["plan.txt"], "workflow"),
  ])
  func aFolderThatProgramsTakeForAModuleHasAnotherName(name: String, files: [String], harmless: String) {
    for isAsked in [false, true] {
      let result = ArrivingName.harmless(Array(name.utf8), isAsked: isAsked) { isDeep, isMeant in
        files.contains { file in
          let parts = file.utf8.split(separator: UInt8(ascii: "/"))
          return (isDeep || parts.count == 1) && parts.last.map { isMeant(Array($0)) } == true
        }
      }
      #expect(result == Array(harmless.utf8))
    }
  }
}

extension ArrivingName {
  fileprivate static func harmless(
    _ name: [UInt8],
    isAsked: Bool = false,
    holds: @escaping Holds = { _, _ in false }
  ) -> [UInt8] {
    ArrivingName(name, isFolder: false, isAsked: isAsked, holds: holds).attempt(1)
  }
}

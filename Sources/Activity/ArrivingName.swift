/// The one rule for the names of what comes from other machines and gets a name at the top of a folder here: transfers,
/// and documents that were fetched.
///
/// File managers do not show some names. Programs obey some files only because of the folder that they are in: a shell
/// obeys `.bash_profile`, git obeys the `config` beside a `HEAD`, and Python takes `html.py` for its own. Where a
/// person typed `*`, tar takes `--to-command=…` for an option, Vim runs `+!…`, a compiler takes options from the file
/// that follows an `@`, and Perl runs `…|`. Unless a person was asked about such a name, the file gets another one.
package enum ArrivingName {
  /// The name of what is left without one.
  package static let none = "Document"

  /// Names that programs look for in the folder that they are started in, or that contains a file. In lowercase,
  /// because some file systems do not tell the cases apart.
  private static let obeyed: Set<[UInt8]> = Set(
    // A folder is a repository because of its HEAD. Desktops look for autorun. Tools for Python, JavaScript, Rust,
    // Ruby, Java, .NET and others look for the rest in all folders around the one that they are started in.
    [
      "head", "autorun", "autorun.sh", "autorun.inf", "conftest.py", "pytest.ini", "setup.cfg", "tox.ini",
      "pyproject.toml", "pyvenv.cfg", "node_modules", "package.json", "deno.json", "deno.jsonc", "bunfig.toml",
      "cargo.toml", "rust-toolchain", "rust-toolchain.toml", "gemfile", "rakefile", "vagrantfile", "justfile",
      "taskfile.yml", "taskfile.yaml", "settings.gradle", "settings.gradle.kts", "module.bazel", "workspace",
      "workspace.bazel", "flake.nix", "dune-project", "directory.build.props", "directory.build.targets",
      "nuget.config", "global.json", "eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts",
      "prettier.config.js", "prettier.config.mjs", "prettier.config.cjs", "prettier.config.ts", "babel.config.js",
      "babel.config.cjs", "babel.config.mjs", "pnpm-workspace.yaml", "yarn.config.cjs", "package.swift", "build.zig",
      "go.work", "cabal.project", "stack.yaml", "tasks.py", "fabfile.py", "sconstruct", "lefthook.yml",
      "gems.rb", "rakefile.rb", "thorfile", "capfile", "guardfile", "berksfile", "pipfile", "makefile", "gnumakefile",
      "taskfile.dist.yml", "taskfile.dist.yaml", "gulpfile.js", "gulpfile.cjs", "gulpfile.mjs", "gulpfile.ts",
      "gruntfile.js", "gruntfile.cjs", "gruntfile.ts", "tsconfig.json", "postcss.config.js", "postcss.config.cjs",
      "postcss.config.mjs", "jest.config.js", "jest.config.cjs", "jest.config.mjs", "jest.config.ts",
      "stylelint.config.js", "stylelint.config.cjs", "stylelint.config.mjs", "commitlint.config.js", "mise.toml",
      "xmake.lua", "ansible.cfg", "cvs",
    ].map { Array($0.utf8) }
  )

  /// Signs with which options, hidden names and lists of options begin.
  private static let signs = Array(".-+@".utf8)
  /// Signs by which Perl opens programs, and files for writing. It does not see spaces before and after them.
  private static let openings = Array("|<>".utf8)
  private static let pipe = UInt8(ascii: "|")

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// Returns the name if nobody hides or obeys it, and otherwise one that is like it: `bash_profile` for
  /// `.bash_profile`, and `_HEAD` for `HEAD`.
  package static func harmless(_ name: [UInt8]) -> [UInt8] {
    var rest = name[...]
    while let first = rest.first {
      let bare = rest.drop(while: isSpace)
      if signs.contains(first) {
        rest = rest.dropFirst()
      } else if let opening = bare.first, openings.contains(opening) {
        rest = bare.dropFirst()
      } else {
        break
      }
    }
    while let last = rest.last {
      // Checked: a part of it.
      let bare = rest.dropLast(rest.reversed().prefix(while: isSpace).count)
      if last == UInt8(ascii: "~") {
        // File managers take it for an editor's copy.
        rest = rest.dropLast()
      } else if bare.last == pipe {
        rest = bare.dropLast()
      } else {
        break
      }
    }
    if rest.isEmpty { return Array(none.utf8) }
    return isObeyed(rest) ? [UInt8(ascii: "_")] + rest : Array(rest)
  }

  private static func isObeyed(_ name: ArraySlice<UInt8>) -> Bool {
    var small = name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    // File systems of Windows leave them out.
    while small.last == UInt8(ascii: ".") || small.last == 0x20 { small.removeLast() }
    if obeyed.contains(small) { return true }
    let parts = small.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count > 1, let stem = parts.first, let suffix = parts.last else { return false }
    return pythonSuffixes.contains(Array(suffix)) && pythonModules.contains(Array(stem))
  }

  private static let pythonSuffixes: Set<[UInt8]> = Set(["py", "pyc", "so"].map { Array($0.utf8) })
}

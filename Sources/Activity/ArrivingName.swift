/// The one rule for the names of what comes from other machines and gets a name at the top of a folder here: transfers,
/// and documents that were fetched.
///
/// File managers do not show some names. Programs obey some files only because of the folder that they are in: a shell
/// obeys `.bash_profile`, git obeys the `config` beside a `HEAD`, and tar takes `--to-command=…` for an option where a
/// person typed `*`. Unless a person was asked about such a name, the file gets another one.
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
    ].map { Array($0.utf8) }
  )

  /// Returns the name if nobody hides or obeys it, and otherwise one that is like it: `bash_profile` for
  /// `.bash_profile`, and `_HEAD` for `HEAD`.
  package static func harmless(_ name: [UInt8]) -> [UInt8] {
    var rest = name.drop { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    // File managers take it for an editor's copy.
    while rest.last == UInt8(ascii: "~") { rest.removeLast() }
    if rest.isEmpty { return Array(none.utf8) }
    let isObeyed = obeyed.contains(rest.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 })
    return isObeyed ? [UInt8(ascii: "_")] + rest : Array(rest)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The one rule for the names of what comes from other machines and gets a name at the top of a folder here: transfers,
/// and documents that were fetched.
///
/// File managers do not show some names. Programs obey some files only because of the folder that they are in: a shell
/// obeys `.bash_profile`, git obeys the `config` beside a `HEAD`, and Python takes `html.py` or `html/__init__.py` for
/// its own. Where a person typed `*`, tar takes `--to-command=…` for an option, Vim runs `+!…`, a compiler takes
/// options from the file that follows an `@`, and Perl runs `…|`. Unless a user was asked about such a name, the file
/// gets a different one. A name that shows something else than it is gets another one in any case.
package struct ArrivingName {
  /// The name of what is left without one.
  package static let none = "Document"

  /// Names that programs look for in the folder that they are started in, or that contains a file. In lowercase,
  /// because some file systems do not tell the cases apart.
  private static let obeyed = words(
    // A folder is a repository because of its HEAD. Desktops look for autorun. Tools for Python, JavaScript, Rust,
    // Ruby, Java, .NET and others look for the rest in all folders around the one that they are started in.
    """
    $irbrc alembic.ini artisan castor.php celeryconfig.py deploy.php docker-compose.override.yaml
    docker-compose.override.yml foundry.toml gatsby-config.js gatsby-config.ts manage.py phpcs.xml phpcs.xml.dist
    phpstan.neon phpstan.neon.dist phpunit.xml phpunit.xml.dist psalm.xml rector.php robofile.php sconstruct.py tox.toml
    truffle-config.js wdio.conf.js wdio.conf.ts
    __init__.py __init__.pyc __main__.py __main__.pyc __pycache__ _config.toml _config.yaml _config.yml _darcs
    _fossil_ _irbrc _mtn _plugins _quarto.yaml _quarto.yml ansible.cfg app.py autorun autorun.inf autorun.sh berksfile
    book.toml brewfile bsdmakefile build.gradle build.gradle.kts build.ninja build.sbt build.xml build.zig
    buildserver.json bunfig.toml cabal.project caddyfile cakefile capfile cargo.toml cdk.json cmakelists.txt
    compose.yaml compose.yml composer.json config.nims config.ru conftest.py conftest.pyc containerfile
    cpackconfig.cmake ctags.d ctesttestfile.cmake cvs dangerfile default.nix delegates.mgk delegates.xml deno.json
    deno.jsonc devbox.json devenv.nix directory.build.props directory.build.rsp directory.build.targets
    directory.packages.props dmd.conf docker-compose.yaml docker-compose.yml dockerfile dodo.py doxyfile dub.json
    dub.sdl dune dune-project dune-workspace fabfile.py fastfile flake.nix gemfile gems.rb global.json gnumakefile
    go.mod go.work gruntfile.cjs gruntfile.js gruntfile.ts gtags.conf guardfile guix.scm gulpfile.babel.js gulpfile.cjs
    gulpfile.js gulpfile.mjs gulpfile.ts gunicorn.conf.py hatch.toml head hie.yaml irb.rc jakefile jamroot jsconfig.json
    justfile karma.conf.js lakefile.lean lakefile.toml latexmkrc lean-toolchain lefthook.yaml lefthook.yml lerna.json
    locustfile.py magefile.go makefile makefile.toml manifest.scm meta-inf mise mise.local.toml mise.toml mix.exs
    mkdocs.yaml mkdocs.yml module.bazel mypy.ini nim.cfg node_modules nodemon.json noxfile.py nuget.config nx.json
    package.json package.swift php-cgi.ini php-cli.ini php.ini pipfile pixi.toml pkg_add pkgbuild pnpm-workspace.yaml
    podfile poetry.toml pom.xml premake5.lua procfile project.clj pylintrc pylintrc.toml pyproject.toml pytest.ini
    pytest.toml pyvenv.cfg rakefile rakefile.rb rcs rebar.config rebar.config.script rust-project.json rust-toolchain
    rust-toolchain.toml saltfile sccs sconstruct scrapy.cfg settings.gradle settings.gradle.kts setup.cfg shard.yml
    shell.nix snakefile stack.yaml startup.m steepfile supervisord.conf taskfile.dist.yaml taskfile.dist.yml
    taskfile.yaml taskfile.yml tasks.py terragrunt.hcl thorfile tiltfile tox.ini tsconfig.json turbo.json
    user_default.beam uv.toml vagrantfile workspace workspace.bazel wscript wsgi.py xmake.lua
    """
  )

  /// What `NAME.config.js` belongs to, and each form of JavaScript that it can have.
  private static let configured = words(
    """
    astro ava babel capacitor commitlint cypress drizzle ecosystem electron-vite esbuild eslint graphql hardhat jest
    lint-staged metro next nuxt orval playwright postcss prettier puppeteer quasar react-router release remix rollup rsbuild
    rspack sanity stencil stylelint svelte svgo tailwind tsdown tsup typedoc unocss uno vite vitest vue webpack yarn
    """
  )
  private static let scripts = words("js cjs mjs ts cts mts json")

  /// The ends of names by which programs take a file whatever its beginning is: Python what is installed, Terraform and
  /// the tools of .NET, Scala, Nim and Haskell their projects. Backwards.
  private static let ends: [[UInt8]] = words(
    """
    .cabal .csproj .dist-info .egg .egg-info .egg-link .esproj .fsproj .nimble .proj .sbt .sln .slnf .slnx .sqlproj .tf
    .tf.json .tofu .tofu.json .vbproj .vcxproj
    """
  ).map { $0.reversed() }
  /// Files that make obeys. By rules of its own, it makes one of them of `Makefile.sh`, `Makefile,v` and `s.Makefile`
  /// first.
  private static let makefiles = words("makefile gnumakefile bsdmakefile")

  /// Signs with which options, hidden names and lists of options begin.
  private static let signs = Array(".-+@".utf8)
  /// Signs by which Perl opens programs, and files for writing. It does not see spaces before and after them.
  private static let openings = Array("|<>".utf8)
  private static let pipe = UInt8(ascii: "|")

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private let names: FileName
  private let whole: [UInt8]
  private let length: Int
  private let holds: Holds

  /// - Parameters:
  ///   - length: The maximum length in bytes.
  ///   - isAsked: Whether a user was asked about this name, which is then kept if they have seen all of it.
  ///   - holds: For a folder, whether there is a file in it that has such a name. If the first argument is true, also
  ///     in its folders.
  package init(
    _ name: [UInt8],
    isFolder: Bool,
    length: Int = FileName.length,
    isAsked: Bool = false,
    holds: @escaping Holds = { _, _ in false }
  ) {
    whole = Self.judged(name, isAsked: isAsked, holds)
    names = FileName(whole, isFolder: isFolder)
    (self.length, self.holds) = (length, holds)
  }

  package typealias Holds = (_ isDeep: Bool, _ isMeant: ([UInt8]) -> Bool) -> Bool

  /// Returns the name for an attempt, from 1: that of the sender if nobody hides or obeys it and it shows all of what
  /// it is, and otherwise one that is like it: `bash_profile` for `.bash_profile`, and `_HEAD` for `HEAD`.
  ///
  /// It is final. Nobody may cut it or add to it: what is left of `a.tfx` can be `a.tf`.
  package func attempt(_ number: Int) -> [UInt8] {
    var room = length
    while true {
      let cut = names.attempt(number, length: room)
      let name = cut == whole ? cut : Self.judged(cut, isAsked: false, holds)
      // A mark that makes the name too long needs room.
      if name.count <= length || room <= 1 { return name }
      room -= 1
    }
  }

  private static func judged(
    _ name: [UInt8],
    isAsked: Bool,
    _ holds: Holds
  ) -> [UInt8] {
    let seen = visible(name)
    var result = name
    var isNew = !isAsked || seen != name
    if isNew {
      result = bare(seen)
      if result.isEmpty { return Array(none.utf8) }
      if ends.contains(where: { small(result).reversed().starts(with: $0) }) { result.append(mark) }
    }
    if portable.contains(where: { small(result).reversed().starts(with: $0) }) {
      result.append(mark)
      isNew = true
    }
    // What is in a folder was not in the question. `ssl.py` cannot be `_ssl.py`, because Python has such a module, too.
    while isNew && isObeyed(small(result)) || isModule(folder: small(result), holds) {
      result.insert(mark, at: 0)
      isNew = true
    }
    return result
  }

  private static let mark = UInt8(ascii: "_")

  /// Returns the name without the signs that make it hidden, an option, a command or a copy.
  private static func bare(_ name: [UInt8]) -> [UInt8] {
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
    return Array(rest)
  }

  /// In lowercase, and without what file systems of Windows leave out. Those that tell no cases apart also take `ſ` for
  /// `s` and the sign of Kelvin for `k`, and some see no joiners and variation selectors: ext4 and HFS+.
  private static func small(_ name: [UInt8]) -> [UInt8] {
    var small: [UInt8] = []
    if let text = String(validating: name, as: UTF8.self) {
      for scalar in text.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
        small += scalar.properties.uppercaseMapping.lowercased().utf8
      }
    } else {
      small = name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
    while small.last == UInt8(ascii: ".") || small.last == 0x20 { small.removeLast() }
    return small
  }

  private static func isObeyed(_ name: [UInt8]) -> Bool {
    if obeyed.contains(name) || makefiles.contains(name) { return true }
    if makefiles.contains(where: { [$0 + ".sh".utf8, $0 + ",v".utf8, "s.".utf8 + $0].contains(name) }) { return true }
    let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }
    guard parts.count > 1, let stem = parts.first, let suffix = parts.last else { return false }
    if parts.count >= 3, parts[1].elementsEqual("config".utf8), configured.contains(stem) {
      return scripts.contains(suffix)
    }
    let isPython = pythonModules.contains(stem) || pythonPackages.contains(stem) || stem.starts(with: builds)
    return pythonSuffixes.contains(suffix) && isPython
      || luaSuffixes.contains(suffix) && luaModules.contains(stem)
  }

  /// Whether a program that is started beside the folder takes it for a module.
  private static func isModule(folder name: [UInt8], _ holds: Holds) -> Bool {
    func has(_ suffixes: Set<[UInt8]>, _ file: [UInt8]) -> Bool {
      file.split(separator: UInt8(ascii: ".")).last.map { suffixes.contains(Array($0)) } ?? false
    }
    if pythonModules.contains(name), holds(false, { has(pythonSuffixes, $0) && $0.starts(with: "__init__.".utf8) }) {
      return true
    }
    if pythonPackages.contains(name) || name.starts(with: builds), holds(true, { has(pythonSuffixes, $0) }) {
      return true
    }
    // Rails looks for its program, and Snakemake for its rules, in all folders around the one that it is started in.
    if let wanted = beside[name], holds(false, { wanted == small($0) }) { return true }
    return luaModules.contains(name) && holds(true) { has(luaSuffixes, $0) }
  }

  private static let beside = [
    Array("bin".utf8): Array("rails".utf8), Array("script".utf8): Array("rails".utf8),
    Array("workflow".utf8): Array("snakefile".utf8),
  ]
  /// An AppImage that is started takes the folder `NAME.home` beside it for the home directory, and `NAME.config` for
  /// its settings, and a question shows nothing of what is in them. Backwards.
  private static let portable = words(".appimage.cache .appimage.config .appimage.home .appimage.share").map {
    Array($0.reversed())
  }

  /// How the modules begin that say how Python was built, which `sysconfig` imports. The rest names the machine.
  private static let builds = Array("_sysconfigdata_".utf8)
  private static let pythonSuffixes = words("py pyc so")
  private static let luaSuffixes = words("lua so")
}

// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import ControlInterface

extension ProgramFindings {
  private struct Kind {
    let name: String
    let programs: [String]
    /// Other names under which it runs.
    var aliases: [String] = []
    let plugins: [String]
    /// What has to be in one of the files, if the plugin does nothing by itself. The first file that exists counts.
    var line: (text: String, word: String, comment: Unicode.Scalar, files: [String])?
  }

  private static let kinds = [
    Kind(
      name: "Vim",
      programs: ["vim", "gvim"],
      aliases: ["vi", "view", "vimdiff"],
      plugins: [
        "/usr/share/vim/vimfiles/plugin/baton.vim", "/var/lib/vim/addons/plugin/baton.vim",
        "/usr/share/vim/vimfiles/pack/*/start/*baton*", "~/.vim/pack/*/start/*baton*", "~/.vim/plugin/baton.vim",
      ]
    ),
    Kind(
      name: "Neovim",
      programs: ["nvim"],
      plugins: [
        "/usr/share/nvim/runtime/plugin/baton.*", "/usr/share/nvim/site/plugin/baton.*",
        "/usr/share/nvim/runtime/pack/*/start/*baton*", "/usr/share/nvim/site/pack/*/start/*baton*",
        "/usr/local/share/nvim/site/pack/*/start/*baton*",
        "~/.local/share/nvim/site/pack/*/start/*baton*", "~/.config/nvim/pack/*/start/*baton*",
      ]
    ),
    Kind(
      name: "Emacs",
      programs: ["emacs", "emacs-gtk", "emacs-lucid", "emacs-nox", "emacs-pgtk"],
      plugins: [
        "/usr/share/emacs/site-lisp/baton.el", "/usr/share/emacs/site-lisp/elpa*/baton-*/baton.el",
        "/usr/local/share/emacs/site-lisp/baton.el", "/usr/local/share/emacs/site-lisp/elpa*/baton-*/baton.el",
        "~/.emacs.d/elpa/baton-*/baton.el",
      ],
      line: (
        "(baton-mode 1)", "baton-mode", ";",
        ["~/.emacs.el", "~/.emacs", "~/.emacs.d/init.el", "~/.config/emacs/init.el", "/etc/emacs/site-start.d/*.el"]
      )
    ),
  ]

  var editors: [Verdict.Editor] {
    Self.kinds.filter { program($0.programs) != nil }.map { kind in
      Verdict.Editor(
        name: kind.name,
        hasPlugin: !files(kind.plugins).isEmpty,
        missing: missingLine(kind),
        isRunning: running.isRunning(Set(kind.programs + kind.aliases)),
        isConnected: running.hasHost("editor-host", ofProgram: Set(kind.programs + kind.aliases))
      )
    }
  }

  private func missingLine(_ kind: Kind) -> Verdict.Editor.Line? {
    guard let line = kind.line else { return nil }
    let isThere = files(line.files).contains { hasLine(text(of: $0), with: line.word, comment: line.comment) }
    guard !isThere else { return nil }
    let own = line.files.first { $0.starts(withBytesOf: "~") && !files([$0]).isEmpty }
    return Verdict.Editor.Line(line.text, file: own ?? "~/.emacs.d/init.el")
  }
}

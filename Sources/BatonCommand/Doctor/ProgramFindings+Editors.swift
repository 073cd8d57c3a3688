import Diagnosis

extension ProgramFindings {
  private struct Kind {
    let name: String
    let programs: [String]
    let plugins: [String]
  }

  private static let kinds = [
    Kind(
      name: "Vim",
      programs: ["vim", "gvim"],
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
        "~/.local/share/nvim/site/pack/*/start/*baton*", "~/.config/nvim/pack/*/start/*baton*",
      ]
    ),
    Kind(
      name: "Emacs",
      programs: ["emacs", "emacs-gtk", "emacs-nox"],
      plugins: [
        "/usr/share/emacs/site-lisp/baton.el", "/usr/share/emacs/site-lisp/elpa*/baton-*/baton.el",
        "~/.emacs.d/elpa/baton-*/baton.el",
      ]
    ),
  ]

  var editors: [Verdict.Editor] {
    Self.kinds.filter { program($0.programs) != nil }.map { kind in
      Verdict.Editor(
        name: kind.name,
        hasPlugin: !files(kind.plugins).isEmpty,
        isRunning: running.isRunning(Set(kind.programs)),
        isConnected: running.hasHost("editor-host", ofProgram: Set(kind.programs))
      )
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Activity

/// How to tell an editor where to open a file. Every editor has arguments of its own.
package enum EditorCommand: Equatable, Sendable {
  /// `+12 FILE`
  case line
  /// `+12:5 FILE`
  case lineAndColumn
  /// The same, with expressions of Emacs.
  case emacs
  /// `+12,5 FILE`
  case lineCommaColumn
  /// `FILE:12:5`
  case suffix
  /// `--goto FILE:12:5`
  case goto
  /// `--line 12 --column 5 FILE`
  case options
  /// `--line 12 FILE`
  case lineOption
  /// `+12 -c COMMAND FILE`, with the command of Vim that counts characters.
  case vim

  /// - Parameter program: The name or the path of an editor. Nil if it is not known how to tell it.
  package init?(program: String) {
    let file = String(program.split(atScalar: "/").last ?? "")
    // Debian's alternatives are called `vim.basic`, `emacs-nox` and the like.
    let family = String(file.scalarPrefix(while: { $0 != "." && $0 != "-" }))
    guard let style = Self.styles[file] ?? Self.families[family] else { return nil }
    self = style
  }

  private static let families: [String: EditorCommand] = [
    "vim": .vim, "nvim": .vim, "gvim": .vim, "emacs": .emacs, "emacsclient": .emacs,
    "nano": .lineCommaColumn, "mcedit": .line, "joe": .line,
  ]

  private static let styles: [String: EditorCommand] = [
    "vi": .line, "view": .line, "nvi": .line, "elvis": .line, "vile": .line,
    "rvim": .vim, "rnano": .lineCommaColumn, "pico": .line, "ne": .lineCommaColumn, "jmacs": .line, "jpico": .line,
    "jstar": .line, "mg": .line, "zile": .line, "pluma": .line, "xed": .line, "le": .line,
    "micro": .lineAndColumn, "kak": .lineAndColumn, "gedit": .lineAndColumn,
    "hx": .suffix, "helix": .suffix, "subl": .suffix, "sublime_text": .suffix, "zed": .suffix, "zeditor": .suffix,
    "code": .goto, "code-insiders": .goto, "code-oss": .goto, "codium": .goto, "vscodium": .goto, "cursor": .goto,
    "kate": .options, "kwrite": .options, "geany": .options, "mousepad": .options,
    "idea": .lineOption, "clion": .lineOption, "pycharm": .lineOption, "webstorm": .lineOption,
    "phpstorm": .lineOption, "goland": .lineOption, "rubymine": .lineOption, "rustrover": .lineOption,
  ]

  /// The arguments that open the file at the position.
  ///
  /// - Parameters:
  ///   - line: From 1.
  ///   - column: From 1, in Unicode scalars.
  ///   - isFetched: Whether the file comes from another machine, so that its own settings must not be obeyed.
  package func arguments(path: String, line: Int, column: Int = 1, isFetched: Bool = false) -> [String] {
    switch self {
    // Whatever the user's configuration says.
    case .vim where isFetched:
      Self.vimDistrust.flatMap { ["--cmd", $0] } + arguments(Self.operand(path), line, column)
    case .emacs where isFetched: ["--eval", Self.emacsDistrust(Self.operand(path), line, column)]
    default: arguments(Self.operand(path), line, column)
    }
  }

  /// The group is there because `autocmd!` in a configuration removes what has none. A Vim without expressions has none
  /// of these plugins.
  private static let vimDistrust = [
    "augroup baton_fetched|augroup END|autocmd baton_fetched BufReadPre * setlocal nomodeline",
    "silent! let [g:loaded_gzip, g:loaded_tarPlugin, g:loaded_zipPlugin] = [1, 1, 1]",
    // Plugins of a language start its programs. The name of the file says only how it is coloured.
    // Vim reads it again when somebody comes back to it, unless `hidden` is set.
    "autocmd baton_fetched BufReadPre * ++once let g:baton_fetched = bufnr()",
    "autocmd baton_fetched BufReadPre * if bufnr() == get(g:, 'baton_fetched')|set eventignore+=FileType|endif",
    // In these languages, the text or the name of the file chooses another script.
    "autocmd baton_fetched BufReadPre * if bufnr() == get(g:, 'baton_fetched')|"
      + "let [b:eruby_subtype, b:liquid_subtype] = ['html', 'html']|endif",
    // It also gets a language where its name changes, and when another program has changed it.
    "autocmd baton_fetched BufFilePost * if bufnr() == get(g:, 'baton_fetched')|set eventignore+=FileType|endif",
    "autocmd baton_fetched BufWinEnter,BufWritePost,FileChangedShellPost * if bufnr() == get(g:, 'baton_fetched') && &eventignore =~# 'FileType'|"
      + "silent! let &l:syntax = empty(&l:filetype) ? &l:syntax : &l:filetype|noautocmd setlocal filetype=|set eventignore-=FileType|endif",
  ]

  /// An expression that shows the file as text. The plugin for Emacs does it better, if it is installed.
  private static func emacsDistrust(_ path: String, _ line: Int, _ column: Int) -> String {
    let escaped = path.utf8.flatMap { byte -> [UInt8] in
      [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(byte) ? [UInt8(ascii: "\\"), byte] : [byte]
    }
    let file = "\"\(String(decoding: escaped, as: UTF8.self))\""
    let nothing = [
      "enable-local-variables", "enable-dir-local-variables", "file-name-handler-alist", "format-alist",
      "after-insert-file-functions", "auto-mode-alist", "interpreter-mode-alist", "magic-mode-alist",
      "magic-fallback-mode-alist", "find-file-hook",
    ]
    let distrust = "let (\(nothing.joined(separator: " ")))"
    // It stays so if it is read again.
    let again =
      "(lambda (auto confirmed) (\(distrust) (setq revert-buffer-preserve-modes t)"
      + " (revert-buffer--default auto confirmed)))"
    let show =
      "(\(distrust) (find-file \(file)))"
      + " (setq-local revert-buffer-function \(again) change-major-mode-with-file-name nil)"
    // One line of some MiB would stop Emacs.
    let simplify = "(setq-local bidi-display-reordering nil bidi-inhibit-bpa t truncate-lines t line-move-visual nil)"
    return
      "(progn (if (and (require 'baton nil t) (fboundp 'baton-visit-fetched)) (baton-visit-fetched \(file)) \(show) \(simplify))"
      + " (goto-char (point-min)) (forward-line \(line - 1))"
      + " (forward-char (min \(column - 1) (- (line-end-position) (point)))))"
  }

  private func arguments(_ path: String, _ line: Int, _ column: Int) -> [String] {
    switch self {
    case .line: return ["+\(line)", path]
    case .lineAndColumn, .emacs: return ["+\(line):\(column)", path]
    case .lineCommaColumn: return ["+\(line),\(column)", path]
    case .suffix: return ["\(path):\(line):\(column)"]
    case .goto:
      // Such a part would count as the line.
      guard !path.split(atScalar: ":").dropFirst().contains(where: { Int($0) != nil }) else { return [path] }
      return ["--goto", "\(path):\(line):\(column)"]
    case .options: return ["--line", "\(line)", "--column", "\(column)", path]
    case .lineOption: return ["--line", "\(line)", path]
    case .vim:
      guard column > 1 else { return ["+\(line)", path] }
      return ["+\(line)", "-c", "silent! call setcursorcharpos(\(line), \(column))", path]
    }
  }

  /// The path as an argument that no program takes for an option or a position.
  package static func operand(_ path: String) -> String { path.starts(withBytesOf: "/") ? path : "./\(path)" }
}

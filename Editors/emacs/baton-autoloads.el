;;; baton-autoloads.el --- What Emacs knows of Baton before it is loaded  -*- no-byte-compile: t; lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;;; Code:

(add-to-list 'load-path (directory-file-name (or (file-name-directory load-file-name) default-directory)))

(autoload 'baton-list "baton" "List the files that other machines offer." t)
(autoload 'baton-continue "baton" "Continue a file from another machine." t)
(autoload 'baton-mode "baton" "Offer your position in the current file to your other machines." t)
(defvar baton-mode nil "Non-nil if Baton mode is enabled.  Use the command `baton-mode' to change it.")
(custom-autoload 'baton-mode "baton" nil)

;;; baton-autoloads.el ends here

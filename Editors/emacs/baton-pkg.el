;;; Generated from baton.el  -*- no-byte-compile: t; lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0
(define-package "baton" "0.1.0" "Continue editing on another machine" '((emacs "28.1")))

;;; Generated from baton.el  -*- no-byte-compile: t; lexical-binding: t; -*-
(define-package "baton" "0.1.0" "Continue editing on another machine" '((emacs "28.1")))

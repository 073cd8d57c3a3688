;;; Generated from baton.el  -*- no-byte-compile: t; lexical-binding: t; -*-
(define-package "baton" "0.1.0" "Hand over the place in a text between machines" '((emacs "28.1")))

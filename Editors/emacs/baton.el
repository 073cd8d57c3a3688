;;; baton.el --- Continue editing on another machine  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0

;; Author: The Baton authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: convenience, files
;; URL: https://baton.example/

;;; Commentary:

;; `baton-mode' offers your position in the current file to your other machines.  You can continue there in Emacs, in Vim,
;; or in any other editor that Baton knows, with your unsaved text.
;;
;; Add this to your init file:
;;
;;     (baton-mode 1)
;;
;; `baton-list' lists the files that your other machines offer, and `baton-continue' continues one here.
;;
;; `baton editor-host', a child of Emacs, talks to the daemon.  Each message is one line of JSON.

;;; Code:

(require 'seq)
(require 'subr-x)

(declare-function ediff-buffers "ediff")
(declare-function Info-find-file "info")
(declare-function Info-find-node "info")
(declare-function Info-mode "info")
(defvar baton-mode)
(defvar desktop-globals-to-save)
(defvar dired-after-readin-hook)
(defvar dired-before-readin-hook)
(defvar Info-current-file)
(defvar Info-current-node)
(defvar major-mode-remap-alist)
(defvar major-mode-remap-defaults)
(defvar revert-buffer-preserve-modes)
(defvar show-paren-data-function)
(defvar vc-follow-symlinks)

(defgroup baton nil
  "Continue editing on another machine."
  :group 'convenience
  :prefix "baton-")

(defcustom baton-program "baton"
  "Name or absolute path of the program `baton'."
  :type 'string)

(defcustom baton-exclude nil
  "Regular expressions matching the names of files that are never offered.
Baton also never offers keys and other files it knows to be private."
  :type '(repeat regexp))

(defcustom baton-delay 0.2
  "Number of seconds that Emacs must be idle before your position is offered."
  :type 'number)

(defcustom baton-foreign-modes
  '(awk-mode c++-mode c-mode c-or-c++-mode conf-colon-mode conf-desktop-mode conf-javaprop-mode conf-mode
    conf-space-mode conf-toml-mode conf-unix-mode conf-windows-mode conf-xdefaults-mode css-mode html-mode java-mode
    javascript-mode js-json-mode js-mode lisp-data-mode lisp-mode makefile-bsdmakefile-mode makefile-gmake-mode
    makefile-mode mhtml-mode pascal-mode perl-mode python-mode ruby-mode scheme-mode sh-mode text-mode)
  "Major modes used to show text from another machine.
Text in any other mode is shown in Fundamental mode.  Mode hooks do not
run, because many start programs that act on the text.  Add only modes
that do nothing but color and indent.  Diff mode looks for the files
that a text names, nXML mode reads schemas next to the file, Org mode
can run code in a file, and Emacs Lisp mode expands macros to complete a
name.  Use \\[normal-mode] to treat the buffer like your own files."
  :type '(repeat function)
  :risky t)

(defconst baton--long-line 10000
  "The number of characters that makes a line long, as in Emacs 29.")

(defconst baton--large-text 262144
  "The number of characters above which text is not colored.
To color part of a text, modes parse everything before it.  Some take
time that grows with the square of its length.")

(defconst baton--most-quotes '(1000 . 20000)
  "The most quotes that a line and a text may contain to be colored.
At each quote, Python mode looks at those before it.")

(defconst baton--checkers
  '(flymake-mode flycheck-mode eglot--managed-mode lsp-mode lsp-managed-mode company-mode corfu-mode)
  "Minor modes that pass text to a program for its language, or evaluate it.
They do so even if you only look at the text.")

(defconst baton--fields '((Info-bookmark-jump filename info-node) (dired dired-directory))
  "The kinds of views that another machine may send, with their fields.
A view is written as a bookmark, but none of its functions is called.
A view with anything else in it is refused.")

(defconst baton--private-modes '(git-commit-mode vc-git-log-edit-mode log-edit-mode message-mode mail-mode)
  "Modes for commit messages and mail.")

(defconst baton--line-limit 65000
  "The maximum length in bytes of a line sent to the host.")

(defvar-local baton-private nil
  "Non-nil means never offer this buffer.")
(put 'baton-private 'safe-local-variable #'booleanp)
(put 'baton-private 'permanent-local t)

(defvar-local baton--buffer-number nil
  "The number that identifies this buffer to the host.  Its name can change.")
(put 'baton--buffer-number 'permanent-local t)
(defvar baton--buffer-count 0 "The last `baton--buffer-number' assigned.")

(defvar baton--foreign-files nil
  "The true names of files with text from another machine, newest first.")
(defvar baton--foreign-identities nil
  "The identities of these files, whatever their names, newest first.")
(defvar baton--is-visiting nil "Whether one of `baton--foreign-files' is being read.")
(defvar baton--process nil "The host.")
(defvar baton--rest "" "The start of a line that has not arrived completely.")
(defvar baton--starts nil "The times when the host was started in the last minute.")
(defvar baton--timer nil "The timer that reports your position.")
(defvar baton--sent nil "The position last sent to the host.")
(defvar baton--is-back nil "Whether you have come back to Emacs since the position was sent.")
(defvar baton--request 0 "The number of the last request.")
(defvar baton--requests nil "Functions waiting for an answer, by request number.")

;;;; The host

(defun baton--start ()
  "Start the host unless it is running, and return its process.
Return nil if it cannot be started."
  (setq baton--starts (seq-filter (lambda (start) (< (- (float-time) start) 60)) baton--starts))
  (cond
   ((process-live-p baton--process) baton--process)
   ((or (>= (length baton--starts) 5) (not (executable-find baton-program))) nil)
   (t
    (push (float-time) baton--starts)
    (setq baton--rest ""
          baton--sent nil)
    (let ((default-directory "/")
          (process-connection-type nil))
      (setq baton--process
            (make-process :name "baton" :command (list baton-program "editor-host") :buffer nil
                          :connection-type 'pipe :coding 'no-conversion :noquery t :stderr nil
                          :filter #'baton--received))))))

(defun baton--send (message)
  "Send MESSAGE, an alist, to the host."
  (when (process-live-p baton--process)
    (let ((line (concat (json-serialize message :null-object nil) "\n")))
      (when (< (string-bytes line) baton--line-limit)
        (ignore-errors (process-send-string baton--process line))))))

(defun baton--ask (message function)
  "Send MESSAGE, and call FUNCTION with the answer."
  (let ((request (number-to-string (setq baton--request (1+ baton--request)))))
    (push (cons request function) baton--requests)
    (baton--send (cons (cons 'request request) message))))

(defun baton--received (_process text)
  "Handle TEXT from the host."
  (let* ((lines (split-string (concat baton--rest text) "\n"))
         (whole (butlast lines)))
    (setq baton--rest (car (last lines)))
    (dolist (line whole)
      (let ((message (ignore-errors
                       (json-parse-string line :object-type 'alist :array-type 'list
                                          :null-object nil :false-object nil))))
        ;; Not here: a filter must not ask the person, and may run at any time.
        (when (and (consp (car-safe message)) (symbolp (caar message)) (stringp (alist-get 'type message)))
          (run-at-time 0 nil #'baton--handle message))))))

(defun baton--handle (message)
  "Handle MESSAGE from the host, once you are not in the minibuffer."
  (if (and (active-minibuffer-window) (member (alist-get 'type message) '("open" "choose" "offers")))
      ;; The person is answering a question.
      (run-at-time 0.3 nil #'baton--handle message)
    (baton--carry-out message)))

(defun baton--carry-out (message)
  "Handle MESSAGE from the host now."
  (condition-case problem
      (let-alist message
        (pcase .type
          ("open" (baton--open message))
          ("locate" (baton--tell 'is-asked))
          ("save" (baton--save .request .file .buffer))
          ("choose" (baton--choose .request .paths .found))
          ("offers"
           (when-let ((function (alist-get .request baton--requests nil nil #'equal)))
             (setq baton--requests (assoc-delete-all .request baton--requests))
             (funcall function .offers)))
          ("message" (baton--say .text))
          ("failed"
           (setq baton--requests (assoc-delete-all .request baton--requests))
           (baton--say .message))))
    (quit (baton--say "interrupted"))
    (error (baton--say (error-message-string problem)))))

(defun baton--say (text)
  "Show TEXT."
  (message "baton: %s" text))

;;;; Where the person is

(defmacro baton--locally (&rest body)
  "Evaluate BODY with file names that have no special meaning.
No name leads to another machine, to a program or into an archive."
  (declare (indent 0) (debug t))
  `(let ((file-name-handler-alist nil)
         (non-essential t))
     ,@body))

(defun baton--local-name (name)
  "Return NAME, a file on this machine, in canonical form, or nil.
NAME must be absolute.  Use the result instead of NAME, because
`expand-file-name' can turn a name that looks harmless into one on
another machine.  This does not access the disk, and calls no handler.
To handlers, each line begins a name."
  (when (and (stringp name) (string-prefix-p "/" name) (not (string-match-p "[\0\n]" name)))
    ;; Emacs keeps two slashes at the start, but commands take what is after the first one for the name.
    (let ((name (baton--locally
                  (expand-file-name (replace-regexp-in-string "//+" "/" (substring-no-properties name)) "/"))))
      ;; Names with a meaning of their own begin like "/ssh:host:", "/:quoted" or "/[ssh/host]", whether or not the
      ;; package that gives them the meaning is loaded.
      (unless (string-match-p "\\`/\\(?:[^/]*:\\|\\[\\|/\\|\\.\\.?\\(?:/\\|\\'\\)\\)" name)
        name))))

(defun baton--local-directory (name)
  "Return NAME, a directory on this machine, in canonical form, or nil.
Like `baton--local-name', this does not access the disk."
  (when-let ((directory (baton--local-name name)))
    (let ((directory (baton--locally (file-name-as-directory directory))))
      (unless (or (string-match-p "[[:cntrl:]]" directory)
                  ;; Later commands in the directory call handlers.
                  (seq-some (lambda (entry) (string-match-p (car entry) directory)) file-name-handler-alist)
                  ;; To look at a name here can mount something of another machine.
                  (string-match-p "\\`/\\(?:afs\\|dev\\|misc\\|net\\|proc\\|run\\|sys\\|var/\\(?:lock\\|run\\)\\)/" directory))
        directory))))

(defun baton--excluded-p (file)
  "Return non-nil if `baton-exclude' matches FILE, or it is not local.
The host excludes more private files."
  (or (not (baton--local-name file))
      (let ((case-fold-search nil))
        (seq-some (lambda (pattern)
                    (or (string-match-p pattern file)
                        (string-match-p pattern (baton--locally (file-truename file)))))
                  baton-exclude))))

(defun baton--written-otherwise-p ()
  "Return non-nil if saving does not write the text itself, as in Hexl mode.
Most `write-contents-functions' only do something beforehand."
  (or (derived-mode-p 'tar-mode)
      (seq-intersection write-contents-functions
                        '(hexl-save-buffer archive-write-file plstore--write-contents-functions))))

(defun baton--hidden-p (directory)
  "Return non-nil if DIRECTORY is hidden, or in a hidden one."
  (string-match-p "/\\." (baton--locally (expand-file-name directory))))

(defun baton--private-p ()
  "Return non-nil if the current buffer is private."
  (or baton-private
      (minibufferp)
      (string-prefix-p " " (buffer-name))
      (apply #'derived-mode-p baton--private-modes)
      (bound-and-true-p epa-file-encrypt-to)
      (and buffer-file-name (baton--written-otherwise-p))
      ;; Names in hidden directories are often those of secrets.
      (and (derived-mode-p 'dired-mode) (baton--hidden-p default-directory))
      (and buffer-file-name (baton--excluded-p buffer-file-name))))

(defun baton--bookmark ()
  "Return the position in a buffer without a file as a bookmark, or nil."
  (unless (buffer-file-name (buffer-base-buffer))
    (let ((fields (cond
                   ((derived-mode-p 'dired-mode)
                    `((handler . dired)
                      (dired-directory . ,(baton--locally (expand-file-name default-directory)))))
                   ((and (derived-mode-p 'Info-mode) (stringp Info-current-file) (stringp Info-current-node))
                    `((handler . Info-bookmark-jump)
                      (filename . ,(baton--manual Info-current-file))
                      (info-node . ,(substring-no-properties Info-current-node))))))
          (print-length nil)
          (print-level nil))
      (when fields
        (let ((text (prin1-to-string (append fields `((position . ,(point)))))))
          (and (baton--read text) text))))))

(defun baton--manual (file)
  "Return the name of the manual in FILE, whose path can differ here."
  (replace-regexp-in-string "\\(?:\\.info\\)?\\(?:\\.\\(?:[gxl]z\\|bz2\\|zst\\|Z\\)\\)?\\'" ""
                            (replace-regexp-in-string "\\`.*/" "" (substring-no-properties file))))

(defun baton--read (text)
  "Return what the bookmark in TEXT shows, or nil if that is not allowed.
The result is an alist.  Nothing in TEXT is evaluated, and nothing it
names is accessed."
  (when (and (stringp text) (< (string-bytes text) 1024)
             ;; No syntax of the reader but lists, symbols, numbers and strings.
             (not (string-match-p "[][#`',?;]" (replace-regexp-in-string "\"\\(?:[^\"\\]\\|\\\\.\\)*\"" "" text))))
    (pcase (ignore-errors (read-from-string text))
      (`(,(and (pred proper-list-p) fields) . ,(pred (= (length text))))
       (baton--view fields)))))

(defun baton--view (fields)
  "Return what FIELDS of a bookmark show, or nil if one of them is not allowed."
  (when (seq-every-p (lambda (field) (and (consp field) (symbolp (car field)))) fields)
    (let* ((kind (alist-get 'handler fields))
           (allowed (and kind (symbolp kind) (alist-get kind baton--fields)))
           (position (alist-get 'position fields)))
      (when (and allowed
                 ;; Each field once, and no other.
                 (= (length fields) (length (seq-uniq (mapcar #'car fields))))
                 (seq-every-p (lambda (field) (memq (car field) `(handler position ,@allowed))) fields)
                 (or (null position) (natnump position)))
        (if (eq kind 'dired)
            (when-let ((directory (baton--local-directory (alist-get 'dired-directory fields))))
              `((directory . ,directory) (position . ,position)))
          (let ((file (alist-get 'filename fields))
                (node (alist-get 'info-node fields)))
            (when (and (stringp file) (stringp node))
              (let ((manual (baton--manual file)))
                ;; Only the manuals of this machine.  The others begin with an asterisk, and functions make them.
                (when (and (string-match-p "\\`[A-Za-z0-9][A-Za-z0-9._+-]*\\'" manual)
                           (string-match-p "\\`[^*(/[:cntrl:]][^[:cntrl:]]*\\'" node))
                  `((manual . ,manual) (node . ,(substring-no-properties node))
                    (position . ,position)))))))))))

(defun baton--position ()
  "Return the position to offer for the current buffer, or nil."
  (unless (or (baton--private-p)
              ;; An indirect buffer shows the text of another one.
              (and (buffer-base-buffer) (with-current-buffer (buffer-base-buffer) (baton--private-p))))
    (let ((file (buffer-file-name (buffer-base-buffer)))
          (bookmark (baton--bookmark)))
      (when (or (and file (baton--text-p file)) bookmark)
        (save-restriction
          (widen)
          (append
           `((line . ,(line-number-at-pos))
             (column . ,(1+ (- (point) (let ((inhibit-field-text-motion t)) (line-beginning-position)))))
             (topLine . ,(line-number-at-pos (window-start)))
             (buffer . ,(baton--buffer-id)))
           (when (baton--text-p (buffer-name))
             `((title . ,(buffer-name))))
           (if bookmark
               `((view . ((org.gnu.emacs.bookmark . ,bookmark))))
             `((path . ,(baton--local-name file))
               (language . ,(replace-regexp-in-string "[^A-Za-z0-9_+-]" ""
                                                      (string-remove-suffix "-mode" (symbol-name major-mode))))))
           (when-let ((time (and file (baton--file-time (or (buffer-base-buffer) (current-buffer))))))
             `((fileTime . ,time)))
           (when (and file (buffer-modified-p))
             '((isModified . t)))))))))

(defun baton--text-p (name)
  "Return non-nil if NAME can be written as JSON.  Not every file name can."
  (ignore-errors (json-serialize (vector name))))

(defun baton--buffer-id ()
  "Return the ID of the current buffer for the host."
  (number-to-string (or baton--buffer-number
                        (setq baton--buffer-number (setq baton--buffer-count (1+ baton--buffer-count))))))

(defun baton--file-time (buffer)
  "Return the modification time of the file that BUFFER visits, or nil.
Return 0 if it has changed since it was read, maybe in the same second."
  (let ((time (with-current-buffer buffer (visited-file-modtime))))
    (cond
     ((numberp time) nil)
     ((verify-visited-file-modtime buffer) (time-convert time 'integer))
     (t 0))))

(defun baton--tell (&optional is-asked)
  "Send your position to the host.
IS-ASKED is non-nil if the host is waiting for it."
  (with-current-buffer (window-buffer)
    ;; A message each time that Emacs is idle would disturb.
    (ignore-errors
      (let ((position (baton--position)))
        (cond
         (position
          (when (if (process-live-p baton--process)
                    (or is-asked baton--is-back (not (equal position baton--sent)))
                  (baton--start))
            (setq baton--sent position
                  baton--is-back nil)
            (baton--send (cons '(type . "current") position))))
         ((and baton--sent (equal (alist-get 'buffer baton--sent) (baton--buffer-id)))
          (setq baton--sent nil)
          (baton--send '((type . "resign"))))
         ;; What was handed over last stays.
         (is-asked
          (baton--send (if baton--sent (cons '(type . "current") baton--sent) '((type . "resign"))))))))))

(defun baton--unseen-p ()
  "Return non-nil if Emacs is a daemon without visible frames."
  (and (daemonp) (null (cdr (frame-list)))))

(defun baton--tell-idle ()
  "Send your position to the host, or stop the host if no frame is visible.
Otherwise, offers from other machines would open where nobody sees them."
  (cond
   ((not (baton--unseen-p)) (baton--tell))
   ((process-live-p baton--process) (delete-process baton--process))))

(defun baton--frame-gone (_frame)
  "Stop the host if that was the last frame.  Emacs may already be idle."
  (run-at-time 0 nil (lambda () (when (baton--unseen-p) (baton--tell-idle)))))

(defun baton--focus ()
  "Send your position again if you come back to Emacs."
  (when (seq-some (lambda (frame) (eq (frame-focus-state frame) t)) (frame-list))
    (setq baton--is-back t)))

;;;; The text that is not saved

(defun baton--coding-system ()
  "Return the coding system of the text, or UTF-8 if it cannot encode the text."
  (let ((system (or buffer-file-coding-system 'utf-8)))
    (if (and (not (eq (coding-system-type system) 'undecided))
             (save-restriction
               (widen)
               (unencodable-char-position (point-min) (point-max) system)))
        (coding-system-change-text-conversion system 'utf-8)
      system)))

(defun baton--save (request file id)
  "Write the text of the buffer ID to FILE, as the answer to REQUEST."
  (let ((buffer (seq-find (lambda (buffer)
                            (let ((number (buffer-local-value 'baton--buffer-number buffer)))
                              (and number (equal (number-to-string number) id))))
                          (buffer-list)))
        (answer `((type . "saved") (request . ,request))))
    (unwind-protect
        (when (buffer-live-p buffer)
          (with-current-buffer buffer
            (let ((coding-system-for-write (baton--coding-system))
                  (write-region-annotate-functions nil)
                  (write-region-post-annotation-function nil)
                  (file-name-handler-alist nil)
                  (coding-system-require-warning nil)
                  (select-safe-coding-system-function nil)
                  (inhibit-message t))
              (save-restriction
                (widen)
                (write-region nil nil file nil 'quiet))))
          (push (cons 'file file) answer))
      (baton--send (nreverse answer)))))

;;;; Opening a place

(defmacro baton--binding (bindings &rest body)
  "Evaluate BODY with BINDINGS, as `let' does, in this buffer and in all others.
If a variable has a local value in the current buffer, `let' binds only
that one."
  (declare (indent 1) (debug t))
  (let ((buffer (make-symbol "buffer")))
    `(let ((,buffer (current-buffer)))
       (with-temp-buffer
         (let ,bindings
           (with-current-buffer ,buffer
             (let ,bindings
               ,@body)))))))

(defmacro baton--without-mode-hooks (&rest body)
  "Evaluate BODY without running mode hooks.
Then call `baton--forget-hooks' in the buffer that BODY has created."
  (declare (indent 0) (debug t))
  `(let ((delays (default-value 'delay-mode-hooks)))
     (unwind-protect
         (progn
           (setq-default delay-mode-hooks t)
           ,@body)
       (setq-default delay-mode-hooks delays))))

(defmacro baton--distrusting (&rest body)
  "Evaluate BODY without obeying anything in a file, and without mode hooks."
  (declare (indent 0) (debug t))
  `(baton--binding (;; Neither decompress nor decrypt, and look into no archive.
                    (file-name-handler-alist nil)
                    (non-essential t)
                    (enable-local-variables nil)
                    (enable-local-eval nil)
                    (enable-dir-local-variables nil)
                    ;; Convert nothing, such as text/enriched.
                    (format-alist nil)
                    (after-insert-file-functions nil)
                    (inhibit-local-variables-regexps '(""))
                    (auto-mode-alist nil)
                    (interpreter-mode-alist nil)
                    (magic-mode-alist nil)
                    (magic-fallback-mode-alist nil)
                    (major-mode-remap-alist nil)
                    (major-mode-remap-defaults nil)
                    (change-major-mode-hook nil)
                    (find-file-not-found-functions nil)
                    (find-file-hook nil))
     ;; Hooks turn on what checks, compiles or formats a text with a program of its language.
     (baton--without-mode-hooks
       ,@body)))

(defun baton--foreign-only (alist)
  "Return the entries of ALIST whose mode may show text from another machine."
  (seq-filter (lambda (entry) (memq (cdr entry) baton-foreign-modes))
              (mapcar (lambda (entry)
                        (if (eq (cdr entry) 'emacs-lisp-mode) (cons (car entry) 'lisp-data-mode) entry))
                      alist)))

(defun baton--dress (&optional mode)
  "Set the mode of the current buffer, whose text another machine sent.
MODE is its major mode; without it, the file name decides.  Only
coloring and indentation are turned on."
  (let* ((is-long (baton--long-lines-p))
         (is-plain (or is-long (> (buffer-size) baton--large-text) (baton--many-quotes-p)))
         (modes (baton--foreign-only auto-mode-alist))
         (interpreters (baton--foreign-only interpreter-mode-alist)))
    ;; The mode before may have left a value of its own.
    (kill-local-variable 'delay-mode-hooks)
    (baton--distrusting
      (cond
       (is-plain (fundamental-mode))
       (mode (funcall (if (memq mode baton-foreign-modes) mode #'fundamental-mode)))
       (t
        (let ((auto-mode-alist modes)
              (interpreter-mode-alist interpreters))
          (set-auto-mode)))))
    (baton--forget-hooks)
    ;; Completion of a language asks its program, and that of Emacs Lisp expands macros.
    (setq-local completion-at-point-functions nil)
    ;; A new name, as of a text that is saved for the first time, would turn the language on.
    (setq-local change-major-mode-with-file-name nil)
    (cond
     (is-long (baton--simplify))
     ((and (bound-and-true-p global-font-lock-mode) (not is-plain)) (font-lock-mode 1)))))

(defun baton--forget-hooks ()
  "Forget the hooks that `baton--distrusting' delayed in the current buffer."
  (kill-local-variable 'delay-mode-hooks)
  (setq delayed-mode-hooks nil
        delayed-after-hook-functions nil))

(defun baton--long-lines-p ()
  "Return non-nil if the current buffer has a long line."
  (save-restriction
    (widen)
    (save-excursion
      (goto-char (point-min))
      (let ((is-long nil))
        (while (not (or is-long (eobp)))
          (let ((start (point)))
            (forward-line 1)
            (setq is-long (> (- (point) start) baton--long-line))))
        is-long))))

(defun baton--many-quotes-p ()
  "Return non-nil if the current buffer has more than `baton--most-quotes'."
  (save-restriction
    (widen)
    (save-excursion
      (goto-char (point-min))
      (let ((all 0) (most 0))
        (while (not (or (eobp) (> most (car baton--most-quotes)) (> all (cdr baton--most-quotes))))
          (let ((quotes (how-many "[\"'`]" (point) (line-end-position))))
            (setq most (max most quotes)
                  all (+ all quotes))
            (forward-line 1)))
        (or (> most (car baton--most-quotes)) (> all (cdr baton--most-quotes)))))))

(defun baton--simplify ()
  "Prevent long lines in the current buffer from blocking Emacs."
  (font-lock-mode -1)
  (setq-local bidi-display-reordering nil
              bidi-inhibit-bpa t
              truncate-lines t
              word-wrap nil
              line-move-visual nil
              show-paren-data-function #'ignore))

(defun baton--stop-checkers ()
  "Turn off `baton--checkers' in the current buffer.
It is about to show text from another machine."
  (dolist (mode baton--checkers)
    (when (and (boundp mode) (symbol-value mode) (fboundp mode))
      (ignore-errors (funcall mode -1)))))

(defun baton--revert (ignore-auto no-confirm)
  "Revert the current buffer, whose file came from another machine.
IGNORE-AUTO and NO-CONFIRM are those of `revert-buffer'."
  (let ((revert-buffer-preserve-modes t)
        (baton--is-visiting t))
    (baton--distrusting (revert-buffer--default ignore-auto no-confirm)))
  (baton--forget-hooks)
  (baton--dress major-mode)
  (baton--keep))

(defun baton--keep ()
  "Keep reading the current buffer's file as mere text, even if it is renamed.
With a new name, Emacs forgets `revert-buffer-function'."
  (setq-local revert-buffer-function #'baton--revert)
  (add-hook 'after-set-visited-file-name-hook #'baton--keep nil 'local)
  (when buffer-file-name
    (add-hook 'after-save-hook #'baton--note nil 'local)
    (baton--note))
  (baton--guard))

(defun baton--note ()
  "Record that the current buffer's file has text from another machine."
  (let ((name (baton--true-name buffer-file-name))
        (identity (baton--identity buffer-file-name)))
    (setq baton--foreign-files (seq-take (cons name (delete name baton--foreign-files)) 500))
    (when identity
      (setq baton--foreign-identities
            (seq-take (cons identity (delete identity baton--foreign-identities)) 1000)))))

(defun baton--true-name (file)
  "Return the name of FILE without links."
  (baton--locally (file-truename (expand-file-name file))))

(defun baton--identity (file)
  "Return what stays the same when FILE is renamed; nil if it does not exist.
The inode number alone is not enough, because it can be reused."
  (let ((attributes (baton--locally (file-attributes (baton--true-name file)))))
    (and attributes
         (list (file-attribute-inode-number attributes) (file-attribute-device-number attributes)
               (file-attribute-modification-time attributes)))))

(defun baton--guard ()
  "Read `baton--foreign-files' as mere text, whichever command visits them."
  (advice-add 'find-file-noselect-1 :around #'baton--visit)
  (advice-add 'after-find-file :around #'baton--found))

(defun baton--foreign-p (file)
  "Return non-nil if FILE is one of `baton--foreign-files'."
  (and baton--foreign-files file (not baton--is-visiting)
       (or (member (baton--true-name file) baton--foreign-files)
           (let ((identity (baton--identity file)))
             (and identity (member identity baton--foreign-identities))))))

(defun baton--visit (visit buffer file &rest more)
  "Call VISIT, which is `find-file-noselect-1', with BUFFER, FILE and MORE."
  (if (not (baton--foreign-p file))
      (apply visit buffer file more)
    (with-current-buffer (let ((baton--is-visiting t))
                           (baton--distrusting (apply visit buffer file more)))
      (baton--show-foreign)
      (current-buffer))))

(defun baton--found (found &rest arguments)
  "Call FOUND, which is `after-find-file', with ARGUMENTS."
  (if (not (baton--foreign-p buffer-file-name))
      (apply found arguments)
    (let ((baton--is-visiting t))
      (baton--distrusting (apply found arguments)))
    (baton--show-foreign)))

(defun baton--show-foreign ()
  "Show the current buffer, which has just read a file, as foreign text."
  (baton--forget-hooks)
  (unless find-file-literally
    (baton--dress))
  (baton--keep))

(defun baton--take-text (file)
  "Replace the current buffer's text with that in FILE, from another machine.
First turn off everything that hooks have turned on for its language."
  (let ((mode major-mode))
    (baton--stop-checkers)
    (baton--dress 'fundamental-mode)
    (baton--replace file)
    (baton--dress mode)))

(defun baton--choose (request paths found)
  "Ask which of PATHS is meant, as the answer to REQUEST.
FOUND says where they are."
  (let ((path (ignore-errors
                (completing-read (format "Which file?  %s: " (or found "More than one matches")) paths nil t)))
        (answer `((request . ,request))))
    (when (member path paths)
      (push (cons 'path path) answer))
    (baton--send (cons '(type . "chosen") answer))))

(defun baton--open (message)
  "Show the position that MESSAGE describes."
  (let-alist message
    (unwind-protect
        (let ((note nil))
          (cond
           (.path
            (let* ((is-open (baton--locally (find-buffer-visiting .path)))
                   (buffer (baton--buffer .path .isFetched)))
              (pop-to-buffer-same-window buffer)
              (if (not (and .text (or .isConflict (baton--blocked-p buffer) (baton--other-p buffer .fileTime .fileSize))))
                  (progn
                    (when .text
                      (baton--take-text .text))
                    (baton--go message))
                (baton--go message)
                ;; This selects another window.
                (setq note (baton--show-difference buffer message)))
              (unless (or is-open (not (baton--auto-saved-p buffer)))
                (setq note (string-join (delq nil (list note "it has auto-save data (M-x recover-this-file)")) "; ")))))
           (.text
            (pop-to-buffer-same-window (generate-new-buffer "unsaved text"))
            (baton--take-text .text)
            (baton--keep)
            (setq buffer-offer-save t)
            (add-hook 'kill-buffer-query-functions #'baton--may-kill-p nil 'local)
            (baton--go message))
           (t (baton--jump (alist-get 'org.gnu.emacs.bookmark .view))))
          (baton--say (concat (cond (.path (file-name-nondirectory .path)) (.text "text") (t "view")) " from " .device
                              (when .found (concat ": " .found))
                              (when note (concat "; " note)))))
      (when .text
        (ignore-errors (baton--locally (delete-file .text))))
      ;; Emacs is idle already, so its timer does not run again.
      (when baton-mode
        (baton--tell)))))

(defun baton--buffer (path is-fetched)
  "Return a buffer with the file at PATH.
If IS-FETCHED is non-nil, nothing in the file is obeyed."
  (setq path (or (baton--local-name path)
                 (error "%s is not a file on this machine" path)))
  (if is-fetched
      (let ((old (baton--locally (find-buffer-visiting path))))
        (if (and old (buffer-modified-p old))
            old
          ;; It is for a file that is gone: a fetched file has a new name.
          (when old
            (let ((kill-buffer-query-functions nil))
              (kill-buffer old)))
          (with-current-buffer (baton--distrusting (find-file-noselect path t))
            (baton--show-foreign)
            (current-buffer))))
    ;; A question about local variables or a link would come from a place that nobody looks at.
    (let ((enable-local-variables (if (eq enable-local-variables t) :safe enable-local-variables))
          (vc-follow-symlinks (and (not (eq vc-follow-symlinks 'ask)) vc-follow-symlinks))
          (buffer (find-buffer-visiting path)))
      (cond
       ((baton--locally (file-directory-p path))
        (let ((enable-local-variables nil))
          (baton--dired path))
        (window-buffer))
       ((not buffer) (find-file-noselect path t))
       ((or (buffer-modified-p buffer) (verify-visited-file-modtime buffer)) buffer)
       (t
        ;; The file has changed on the disk.
        (with-current-buffer buffer
          (revert-buffer t t t))
        buffer)))))

(defun baton--blocked-p (buffer)
  "Return non-nil if the text of BUFFER must not be replaced."
  (with-current-buffer buffer
    (or (buffer-modified-p)
        buffer-read-only
        (baton--written-otherwise-p)
        ;; Another Emacs edits the file.
        (stringp (file-locked-p buffer-file-name)))))

(defun baton--auto-saved-p (buffer)
  "Return non-nil if the file of BUFFER has newer auto-save data.
`find-file' also reports this."
  (with-current-buffer buffer
    (and buffer-file-name
         (file-newer-than-file-p (or buffer-auto-save-file-name (make-auto-save-file-name)) buffer-file-name))))

(defun baton--other-p (buffer time size)
  "Return non-nil if the file of BUFFER is not the version of TIME and SIZE.
The text was compared with that version, maybe a while ago."
  (and time size
       (not (and (equal time (baton--file-time buffer))
                 (equal size (file-attribute-size
                              (file-attributes (file-truename (buffer-file-name buffer)))))))))

(defun baton--replace (file)
  "Replace the text of the current buffer with that in FILE, undoably."
  (let ((inhibit-read-only t))
    (undo-boundary)
    (baton--distrusting
      (save-restriction
        (widen)
        (erase-buffer)
        (insert-file-contents file)
        (when last-coding-system-used
          (setq buffer-file-coding-system last-coding-system-used))
        (set-buffer-modified-p t)))
    (undo-boundary)))

(defun baton--may-kill-p ()
  "Return non-nil if the current buffer, which visits no file, may be killed.
Emacs itself asks only about buffers that visit a file."
  (or buffer-file-name
      (not (buffer-modified-p))
      (yes-or-no-p (format "Buffer %s is not saved; kill anyway? " (buffer-name)))))
(put 'baton--may-kill-p 'permanent-local-hook t)

(defun baton--show-difference (buffer message)
  "Show the text of MESSAGE beside BUFFER, which is left unchanged."
  (let-alist message
    (let ((other (generate-new-buffer (format "%s from %s" (file-name-nondirectory .path) .device)))
          (mode (buffer-local-value 'major-mode buffer)))
      (with-current-buffer other
        (baton--replace .text)
        (set-buffer-modified-p nil)
        (baton--dress mode)
        (setq buffer-read-only t)
        (setq-local baton-private t))
      (if noninteractive
          (display-buffer other)
        (ediff-buffers buffer other)))
    "its unsaved text is shown as a diff, and your copy is unchanged"))

(defun baton--go (message)
  "Go to the line and the column in MESSAGE."
  (let-alist message
    (widen)
    (goto-char (point-min))
    (forward-line (1- .line))
    (let ((inhibit-field-text-motion t))
      (goto-char (min (line-end-position) (+ (point) (1- (or .column 1))))))
    (baton--unfold)
    (when (and .topLine (<= .topLine .line))
      (set-window-start nil
                        (save-excursion
                          (goto-char (point-min))
                          (forward-line (1- .topLine))
                          (point))
                        'no-force))))

(defun baton--unfold ()
  "Unfold the text at point, as searching does."
  (dolist (overlay (overlays-at (point)))
    (when-let ((open (overlay-get overlay 'isearch-open-invisible)))
      (funcall open overlay)))
  (run-hooks 'bookmark-after-jump-hook))

(defun baton--jump (text)
  "Jump to the bookmark in TEXT."
  (let ((view (baton--read text)))
    (unless view
      (error "The other machine sent a view that Emacs cannot show"))
    (require 'dired)
    (require 'info)
    (let-alist view
      (baton--binding ((file-name-handler-alist nil)
                       (non-essential t)
                       ;; Dired obeys settings in the directory.
                       (enable-local-variables nil)
                       (enable-local-eval nil)
                       (enable-dir-local-variables nil))
        (cond
         (.manual
          (unless (Info-find-file .manual t)
            (error "The manual %s is not on this machine" .manual))
          (pop-to-buffer-same-window "*info*")
          (unless (derived-mode-p 'Info-mode)
            (Info-mode))
          (Info-find-node .manual .node))
         ((file-accessible-directory-p .directory) (baton--dired .directory))
         (t (error "%s is not a directory on this machine" .directory))))
      ;; The commands have selected another buffer.
      (set-buffer (window-buffer))
      (when (and .position (<= (point-min) .position (point-max)))
        (goto-char .position)))))

(defun baton--dired (directory)
  "Show DIRECTORY, which another machine has chosen.
Dired hooks often run git, which runs programs that the directory's own
configuration names, and other machines may have sent that."
  (let ((dired-before-readin-hook nil)
        (dired-after-readin-hook nil))
    (baton--without-mode-hooks
      (dired directory)))
  (with-current-buffer (window-buffer)
    (baton--forget-hooks)
    (when (bound-and-true-p global-font-lock-mode)
      (font-lock-mode 1))))

;;;; Commands

(defun baton-visit-fetched (file)
  "Show FILE, which came from another machine.  `baton continue' calls this."
  (pop-to-buffer-same-window (baton--buffer file t)))

(defun baton--ready ()
  "Start the host, or signal an error that explains why not."
  (or (baton--start)
      (user-error (if (executable-find baton-program) "Can't start `baton editor-host'" "Baton is not installed"))))

(defun baton--offer-text (offer)
  "Return a line that describes OFFER to the user."
  (let-alist offer
    (format "%s  %s (%s)" (substring .id 0 8) .title .device)))

;;;###autoload
(defun baton-list ()
  "List the files that other machines offer."
  (interactive)
  (baton--ready)
  (baton--ask '((type . "list"))
              (lambda (offers)
                (baton--say (if offers (string-join (mapcar #'baton--offer-text offers) "\n")
                              "no other machine is offering a file")))))

;;;###autoload
(defun baton-continue (&optional id)
  "Continue a file from another machine.
ID is the start of its ID; without it, Emacs asks you if there is more
than one."
  (interactive)
  (baton--ready)
  (baton--ask '((type . "list")) (lambda (offers) (baton--continue-one id offers))))

(defun baton--continue-one (id choices)
  "Continue the one of CHOICES whose ID begins with ID."
  (let* ((matching (seq-filter (lambda (offer) (string-prefix-p (or id "") (alist-get 'id offer))) choices))
         (lines (mapcar (lambda (offer) (cons (baton--offer-text offer) offer)) matching))
         (offer (if (cdr lines)
                    (cdr (assoc (completing-read "Continue: " lines nil t) lines))
                  (cdar lines))))
    (if (not offer)
        (baton--say (if (or id choices) "no other machine is offering that" "no other machine is offering a file"))
      (let-alist offer
        (baton--send `((type . "continue") (request . "") (id . ,.id) (deviceID . ,.deviceID)))))))

;;;###autoload
(define-minor-mode baton-mode
  "Offer your position in the current file to your other machines.
Without Baton, this does nothing."
  :global t
  (when baton--timer
    (cancel-timer baton--timer)
    (setq baton--timer nil))
  (remove-function after-focus-change-function #'baton--focus)
  (remove-hook 'after-delete-frame-functions #'baton--frame-gone)
  (cond
   (baton-mode
    (baton--guard)
    (setq baton--timer (run-with-idle-timer baton-delay t #'baton--tell-idle))
    (add-hook 'after-delete-frame-functions #'baton--frame-gone)
    (add-function :after after-focus-change-function #'baton--focus))
   ((process-live-p baton--process)
    (delete-process baton--process))))

;; They are foreign in the next Emacs, too.
(with-eval-after-load 'desktop
  (add-to-list 'desktop-globals-to-save 'baton--foreign-files)
  (add-to-list 'desktop-globals-to-save 'baton--foreign-identities))

(provide 'baton)

;;; baton.el ends here

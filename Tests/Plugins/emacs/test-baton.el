;;; test-baton.el --- The logic of baton.el, without batond  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A host that the test makes stands for `baton editor-host'.

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'baton)

(setq make-backup-files nil create-lockfiles nil vc-handled-backends nil enable-local-variables t)

(defvar test-directory (file-name-as-directory (getenv "BATON_DIRECTORY")))
(defvar test-heard nil "What was sent, the newest first.")
(defvar test-said nil "What was said, the newest first.")

(defun test-file (name text)
  "Make a file NAME with TEXT, and return its whole name."
  (let ((file (expand-file-name name test-directory))
        (file-name-handler-alist nil)
        (coding-system-for-write 'utf-8))
    (make-directory (file-name-directory file) t)
    (write-region text nil file nil 'quiet)
    file))

(defmacro test-with-host (&rest body)
  "Evaluate BODY with a host that only notes what it gets."
  (declare (indent 0))
  `(let ((test-heard nil) (test-said nil) (baton--sent nil) (baton--requests nil) (baton--rest "") (baton--foreign-files nil)
         (baton--foreign-identities nil) (baton--is-back nil))
     (cl-letf (((symbol-function 'baton--send) (lambda (message) (push message test-heard)))
               ((symbol-function 'baton--say) (lambda (text) (push text test-said)))
               ((symbol-function 'baton--start) (lambda () t)))
       (unwind-protect (progn ,@body)
         (dolist (buffer (buffer-list))
           (when (or (buffer-file-name buffer) (string-match-p "\\`\\(?:unsaved text\\|.* from laptop\\)" (buffer-name buffer)))
             (with-current-buffer buffer
               (set-buffer-modified-p nil)
               (let ((kill-buffer-query-functions nil)) (kill-buffer)))))))))

(defun test-wait (condition)
  "Wait until CONDITION returns non-nil, and return that."
  (let ((end (+ (float-time) 30)) found)
    (while (not (or (setq found (funcall condition)) (> (float-time) end)))
      (accept-process-output nil 0.01))
    found))

(defun test-hear (text)
  "Say TEXT to Emacs as the host would, and wait for what comes of it."
  (baton--received nil text)
  (accept-process-output nil 0.02))

(defun test-open (&rest message)
  "Open the place of MESSAGE, a list of keys and values, and return what was said."
  (setq test-said nil)
  (baton--carry-out `((type . "open") (device . "laptop") ,@(cl-loop for (key value) on message by #'cddr collect (cons key value))
                      ,@(unless (plist-get message 'line) '((line . 1)))))
  (car test-said))

;;;; The host

(ert-deftest a-host-is-started-once-and-at-most-five-times-a-minute ()
  (let* ((log (expand-file-name "starts" test-directory))
         (program (test-file "host" (format "#!/bin/sh\necho \"$# $1\" >> '%s'\nexit 1\n" log)))
         (baton--process nil) (baton--starts nil) (count 0))
    (set-file-modes program #o755)
    (let ((baton-program program))
      (dotimes (_ 9)
        (when (baton--start) (cl-incf count))
        (test-wait (lambda () (not (process-live-p baton--process)))))
      (should (= count 5))
      (should-error (baton--ready) :type 'user-error)
      (with-temp-buffer
        (insert-file-contents log)
        (should (equal (buffer-string) "1 editor-host\n1 editor-host\n1 editor-host\n1 editor-host\n1 editor-host\n")))
      ;; A minute later.
      (setq baton--starts (mapcar (lambda (start) (- start 61)) baton--starts))
      (should (baton--start)))
    (let ((baton-program "/no/baton") (baton--starts nil))
      (test-wait (lambda () (not (process-live-p baton--process))))
      (should-not (baton--start))
      (should (equal (cadr (should-error (baton-list) :type 'user-error)) "Baton is not installed")))))

(ert-deftest a-host-says-and-hears-lines ()
  (let* ((log (expand-file-name "heard" test-directory))
         (program (test-file "talk" (format "#!/bin/sh\nprintf '{\"type\":\"mess'; sleep 0.05; printf 'age\",\"text\":\"日'; sleep 0.05; printf '本\"}\\n'; exec cat > '%s'\n" log)))
         (baton-program program) (baton--process nil) (baton--starts nil) (test-said nil))
    (set-file-modes program #o755)
    (cl-letf (((symbol-function 'baton--say) (lambda (text) (push text test-said))))
      (let ((process (baton--start)))
        (should (eq process (baton--start)))
        (should (equal (test-wait (lambda () test-said)) '("日本")))
        (baton--send `((type . "long") (text . ,(make-string 32600 ?é))))
        (baton--send `((type . "fits") (text . ,(make-string 100 ?é))))
        (should (test-wait (lambda () (and (file-exists-p log) (> (file-attribute-size (file-attributes log)) 200)))))
        (with-temp-buffer
          (insert-file-contents log)
          (should (string-match-p "\\`{\"type\":\"fits\",\"text\":\"é\\{100\\}\"}\n\\'" (buffer-string))))
        (delete-process process)))))

;;;; Messages that arrive

(ert-deftest messages-arrive-in-pieces-and-in-order ()
  (test-with-host
    (let ((text (encode-coding-string (mapconcat (lambda (number) (format "{\"type\":\"message\",\"text\":\"日本 %d\"}\n" number)) (number-sequence 1 30) "") 'utf-8)))
      (dotimes (index (length text))
        (baton--received nil (substring text index (1+ index))))
      (should (test-wait (lambda () (= (length test-said) 30))))
      (should (equal (reverse test-said) (mapcar (lambda (number) (format "日本 %d" number)) (number-sequence 1 30)))))
    (should (equal baton--rest ""))))

(ert-deftest malformed-messages-stop-nothing ()
  (dolist (line (list "" "no JSON" "[1]" "5" "null" "\"text\"" "{" "{}" "{\"type\":1}" "{\"type\":[]}" "{\"type\":{}}" "{\"type\":null}" "{\"type\":\"unknown\"}"
                      "{\"type\":\"open\"}" "{\"type\":\"open\",\"path\":5}" "{\"type\":\"open\",\"path\":\"/x\",\"line\":\"1\"}" "{\"type\":\"offers\"}" "{\"type\":\"choose\"}"
                      "{\"type\":\"save\"}" "{\"type\":\"failed\"}" "{\"type\":\"failed\",\"request\":[1]}" "\xff" (make-string 3000 ?\[)))
    (test-with-host
      (test-hear (concat line "\n"))
      (setq test-said nil)
      (test-hear "{\"type\":\"message\",\"text\":\"next\"}\n")
      (ert-info (line) (should (equal test-said '("next")))))))

(ert-deftest what-is-no-message-is-no-error ()
  ;; An error in a timer is shown to the person.
  (dolist (line '("5" "\"text\"" "[1]" "true" "null" "[]"))
    (test-with-host
      (cl-letf (((symbol-function 'run-at-time) (lambda (_ _ function &rest arguments) (apply function arguments))))
        (baton--received nil (concat line "\n"))
        (ert-info (line) (should-not test-said))))))

(ert-deftest answers-belong-to-their-requests ()
  (test-with-host
    (let ((answers nil))
      (dolist (name '(first second third))
        (baton--ask '((type . "list")) (lambda (offers) (push (cons name offers) answers))))
      (let ((requests (mapcar (lambda (message) (alist-get 'request message)) (reverse test-heard))))
        (should (= 3 (length (seq-uniq requests))))
        (dolist (answer `((,(nth 1 requests) . 2) (,(nth 0 requests) . 1) (,(nth 0 requests) . 9) ("99" . 9)))
          (test-hear (format "{\"type\":\"offers\",\"request\":\"%s\",\"offers\":[%d]}\n" (car answer) (cdr answer))))
        (test-hear (format "{\"type\":\"failed\",\"request\":\"%s\",\"message\":\"no\"}\n" (nth 2 requests)))
        (test-hear (format "{\"type\":\"offers\",\"request\":\"%s\",\"offers\":[9]}\n" (nth 2 requests))))
      (should (equal (reverse answers) '((second 2) (first 1))))
      (should (equal test-said '("no")))
      (should-not baton--requests))))

(ert-deftest what-would-disturb-waits ()
  (test-with-host
    (let ((is-busy t))
      (cl-letf (((symbol-function 'active-minibuffer-window) (lambda () is-busy)))
        (test-hear (format "{\"type\":\"open\",\"path\":\"%s\",\"device\":\"laptop\",\"line\":1}\n{\"type\":\"message\",\"text\":\"now\"}\n" (test-file "wait.txt" "text\n")))
        (should (equal test-said '("now")))
        (setq is-busy nil)
        (should (test-wait (lambda () (equal (car test-said) "wait.txt from laptop"))))))))

;;;; Names

(ert-deftest names-of-this-machine ()
  (dolist (case '(("/a/b" . "/a/b") ("/" . "/") ("/a//b/../c" . "/a/c") ("/..." . "/...") ("/dir/x:y" . "/dir/x:y") ("/a/~/b" . "/a/~/b") ("/a$HOME/b" . "/a$HOME/b")
                  ("/日本/é" . "/日本/é") ("//a/b" . "/a/b") ("/a/[b]" . "/a/[b]")
                  ("/..") ("relative") ("~/a") ("") (nil) (5) ("/ssh:host:/x") ("//ssh:host:/x") ("/a/../ssh:host:/x") ("/:quoted") ("/x:y") ("/[ssh/host]") ("/a\nb") ("/a\0b")
                  ("/a\n/ssh:host:/x") ("/sudo::/etc/passwd") ("/./ssh:h:/x") ("file:///etc") ("/ftp:anonymous@host:/")))
    (ert-info ((format "%S" (car case))) (should (equal (baton--local-name (car case)) (cdr case))))))

(ert-deftest directories-of-this-machine ()
  (dolist (case '(("/usr/share" . "/usr/share/") ("/" . "/") ("/usr/share/" . "/usr/share/") ("/a/./b" . "/a/b/")
                  ("/net/host/a") ("/proc/1") ("/sys/a") ("/dev/fd") ("/run/user/1") ("/var/run/a") ("/misc/a") ("/afs/cell") ("/a/\tb") ("/a/b.tar/x.gz") ("usr") ("/net/../proc/a")))
    (ert-info ((format "%S" (car case))) (should (equal (baton--local-directory (car case)) (cdr case)))))
  (should (equal (baton--local-directory "/network/a") "/network/a/")))

(ert-deftest bookmarks-show-directories-and-manuals-and-nothing-else ()
  (dolist (case '(("((handler . dired) (dired-directory . \"/usr/share\") (position . 5))" . ((directory . "/usr/share/") (position . 5)))
                  ("((handler . Info-bookmark-jump) (filename . \"/usr/share/info/emacs.info.gz\") (info-node . \"Top\"))" . ((manual . "emacs") (node . "Top") (position)))
                  ("((handler . dired) (dired-directory . \"/ssh:host:/\"))") ("((handler . dired) (dired-directory . \"/usr\") (evil . 1))")
                  ("((handler . dired) (handler . shell) (dired-directory . \"/usr\"))") ("((handler . shell-command) (dired-directory . \"/usr\"))")
                  ("((handler . (lambda () 1)) (dired-directory . \"/usr\"))") ("((handler . dired) (dired-directory . \"/usr\") (position . -1))")
                  ("((handler . dired) (dired-directory . \"/usr\") (position . \"1\"))") ("((handler . dired) (dired-directory . \"/usr\")) more")
                  ("#.(error \"x\")") ("((handler . dired) (dired-directory . #(\"/usr\" 0 4 (face bold))))") ("((handler . dired) . 5)") ("dired") ("") (nil)
                  ("((handler . Info-bookmark-jump) (filename . \"*manual*\") (info-node . \"Top\"))") ("((handler . Info-bookmark-jump) (filename . \"emacs\") (info-node . \"(dir)Top\"))")
                  ("((handler . Info-bookmark-jump) (filename . \"emacs\") (info-node . \"*\"))") ("((handler . Info-bookmark-jump) (filename . \"emacs\"))") ("((handler . Info-bookmark-jump) (filename . \"a b\") (info-node . \"Top\"))")
                  ("((handler . dired) (dired-directory . `(x)))") ("((handler . nil) (dired-directory . \"/usr\"))") ("([handler dired])")))
    (ert-info ((format "%S" (car case))) (should (equal (baton--read (car case)) (cdr case)))))
  (should-not (baton--read (format "((handler . dired) (dired-directory . \"/%s\"))" (make-string 1024 ?x)))))

;;;; Which text is for others

(defun test-position (name text)
  "Visit a file NAME with TEXT, and return what is told of it."
  (set-window-buffer nil (set-buffer (find-file-noselect (test-file name text))))
  (baton--position))

(ert-deftest positions-count-characters ()
  (test-with-host
    (should (equal (alist-get 'path (test-position "place.txt" "one\n\té日本x\nthree\n")) (expand-file-name "place.txt" test-directory)))
    (dolist (case '((1 1 1) (5 2 1) (6 2 2) (9 2 5) (10 2 6) (11 3 1)))
      (goto-char (car case))
      (let-alist (baton--position) (should (equal (list .line .column) (cdr case)))))
    (should-not (alist-get 'isModified (baton--position)))
    (should (equal (alist-get 'fileTime (baton--position)) (time-convert (file-attribute-modification-time (file-attributes buffer-file-name)) 'integer)))
    (narrow-to-region 5 9)
    (should (= 2 (alist-get 'line (baton--position))))
    (insert "x")
    (should (eq t (alist-get 'isModified (baton--position))))
    (set-file-times buffer-file-name 5)
    (should (equal 0 (alist-get 'fileTime (baton--position))))
    (rename-buffer "a title" t)
    (should (equal "a title" (alist-get 'title (baton--position))))))

(ert-deftest private-texts-are-not-offered ()
  (dolist (make-private (list (lambda () (setq-local baton-private t)) (lambda () (rename-buffer " hidden" t)) (lambda () (setq major-mode 'git-commit-mode))
                              (lambda () (setq-local epa-file-encrypt-to '("a"))) (lambda () (setq-local write-contents-functions '(hexl-save-buffer)))
                              (lambda () (setq-local baton-exclude '("secret")))
                              (lambda () (setq buffer-file-name "/ssh:host:/x")) (lambda () (setq buffer-file-name nil))))
    (test-with-host
      (should (test-position "secret.txt" "text"))
      (funcall make-private)
      (ert-info ((format "%S" make-private)) (should-not (baton--position)))
      ;; Nor is it as another view of the same text.
      (when baton-private
        (with-current-buffer (make-indirect-buffer (current-buffer) "indirect")
          (setq-local baton-private nil)
          (should-not (baton--position))
          (kill-buffer)))
      (set-buffer-modified-p nil)
      (kill-buffer)))
  (dolist (case '(("\\.key\\'" "a.key" t) ("\\.key\\'" "a.keys" nil) ("/private/" "private/a" t) ("B\\.txt" "b.txt" nil) ("b\\.txt" "b.txt" t)))
    (test-with-host
      (let ((baton-exclude (list "no-such-name" (car case))))
        (should (eq (null (test-position (nth 1 case) "text")) (nth 2 case))))))
  (test-with-host
    (let ((link (expand-file-name "link" test-directory))
          (baton-exclude '("/keys/")))
      (make-symbolic-link (test-file "keys/one" "text") link t)
      (set-buffer (find-file-noselect link))
      (should-not (baton--position)))))

(ert-deftest names-that-are-no-text-are-skipped ()
  (test-with-host
    (cl-letf (((symbol-function 'process-live-p) (lambda (_) t)))
      (test-position "text.txt" "text")
      (baton--tell)
      (should-not (test-position "caf\xe9.txt" "text"))
      ;; Whoever asks gets an answer: what was handed over last.
      (baton--tell 'is-asked)
      (should (equal (mapcar (lambda (message) (file-name-nondirectory (alist-get 'path message))) test-heard) '("text.txt" "text.txt")))
      (test-position "other.txt" "text")
      (rename-buffer "caf\xe9" t)
      (let-alist (baton--position)
        (should (equal (list (file-name-nondirectory .path) .title) '("other.txt" nil)))))))

(ert-deftest the-host-hears-of-what-changes-and-no-more ()
  (test-with-host
    (cl-letf (((symbol-function 'process-live-p) (lambda (_) t)))
      (test-position "told.txt" "one\ntwo\n")
      (goto-char 1)
      (baton--tell)
      (baton--tell)
      (goto-char 5)
      (baton--tell)
      (setq baton--is-back t)
      (baton--tell)
      (setq-local baton-private t)
      (baton--tell)
      (baton--tell)
      (baton--tell 'is-asked)
      (setq-local baton-private nil)
      (baton--tell 'is-asked)
      (with-temp-buffer
        (set-window-buffer nil (current-buffer))
        (baton--tell)
        (baton--tell 'is-asked))
      (should (equal (mapcar (lambda (message) (cons (alist-get 'type message) (alist-get 'line message))) (reverse test-heard))
                     '(("current" . 1) ("current" . 2) ("current" . 2) ("resign") ("resign") ("current" . 2) ("current" . 2)))))))

(provide 'test-baton)
;;; test-baton.el ends here

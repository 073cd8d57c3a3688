;;; test-opening.el --- What baton.el does with places and texts of another machine  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0

;;; Code:

(load (expand-file-name "test-baton" (file-name-directory load-file-name)) nil t)
(ert-delete-all-tests)

(defvar dired-after-readin-hook)
(defvar dired-mode-hook)
(defvar python-mode-hook)
(defvar test-evil nil)

(defun test-state ()
  "Return the name of the shown file, its text, the line and the column."
  (with-current-buffer (window-buffer)
    (list (buffer-file-name) (buffer-string) (line-number-at-pos) (1+ (current-column)))))

(ert-deftest a-place-is-shown ()
  (test-with-host
    (let ((file (test-file "place.txt" "one\nabcd\nthree")))
      (dolist (case '((2 3 (2 3)) (2 1 (2 1)) (2 999999 (2 5)) (99 2 (3 6)) (3 nil (3 1)) (1 1 (1 1))))
        (should (equal (test-open 'path file 'line (nth 0 case) 'column (nth 1 case)) "place.txt from laptop"))
        (ert-info ((format "%S" case)) (should (equal (test-state) `(,file "one\nabcd\nthree" ,@(nth 2 case))))))
      (should-not (buffer-modified-p (window-buffer)))
      ;; A narrowed buffer is widened.
      (with-current-buffer (window-buffer) (narrow-to-region 1 2))
      (test-open 'path file 'line 2 'topLine 1 'found "in a clone")
      (should (equal test-said '("place.txt from laptop: in a clone")))
      (should (= 2 (nth 2 (test-state)))))))

(ert-deftest names-of-other-machines-are-refused ()
  (dolist (name '("relative.txt" "/ssh:host:/x" "/sudo::/x" "~/a" "/a\nb" "//ssh:host:/x" "/x/../ftp:host:/y"))
    (test-with-host
      (ert-info (name)
        (should (string-match-p "is not a file on this machine" (test-open 'path name)))
        (should (string-match-p "is not a file on this machine" (test-open 'path name 'isFetched t)))))))

(ert-deftest a-missing-file-is-a-new-buffer ()
  (test-with-host
    (should (equal (test-open 'path (expand-file-name "gone.txt" test-directory) 'line 9) "gone.txt from laptop"))
    (should (equal (cdr (test-state)) '("" 1 1)))))

(ert-deftest odd-names-are-names ()
  (dolist (name '("a b.txt" "a%b#c.txt" "it's.txt" "*.txt" "[a].txt" "$HOME.txt" "`id`.txt" "{a,b}.txt" "a\\b.txt" "日本.txt" "~.txt" "a:b.txt" "x.tar" "a.gz"))
    (test-with-host
      (let ((file (test-file (concat "odd/" name) "text")))
        (test-open 'path file 'isFetched t)
        (ert-info (name) (should (equal (seq-take (test-state) 2) (list file "text"))))))))

(ert-deftest nothing-in-a-fetched-file-is-obeyed ()
  (let ((file (test-file "fetched.py" "# -*- mode: emacs-lisp; fill-column: 33; eval: (setq test-evil t) -*-\nx = 1\n# Local Variables:\n# eval: (setq test-evil t)\n# End:\n"))
        (test-evil nil))
    (make-directory (expand-file-name "folder" test-directory) t)
    (write-region "((nil . ((fill-column . 34))))" nil (expand-file-name ".dir-locals.el" test-directory) nil 'quiet)
    (test-with-host
      (dolist (again '(nil t))
        (if again
            (with-current-buffer (find-file-noselect file) (revert-buffer t t))
          (let ((python-mode-hook (list (lambda () (setq test-evil t)))) (find-file-hook (list (lambda () (setq test-evil t)))))
            (test-open 'path file 'isFetched t)))
        (with-current-buffer (find-buffer-visiting file)
          (should (equal (list major-mode (buffer-local-value 'fill-column (current-buffer)) test-evil (null completion-at-point-functions)) '(python-mode 70 nil t)))))
      (should (baton--foreign-p file))
      ;; Under another name, and visited by another command, it is still text.
      (let ((other (expand-file-name "renamed.el" test-directory)))
        (kill-buffer (find-buffer-visiting file))
        (rename-file file other t)
        (with-current-buffer (find-file-noselect other)
          (should (equal (list major-mode fill-column test-evil) '(lisp-data-mode 70 nil)))))
      ;; A file of this machine is a person's own.
      (let ((own (test-file "own.txt" "# -*- fill-column: 33 -*-\n")))
        (test-open 'path own)
        (should (= 33 (buffer-local-value 'fill-column (find-buffer-visiting own))))))
    (delete-file (expand-file-name ".dir-locals.el" test-directory))))

(defun test-base (file)
  "Return what a message says of FILE."
  (list 'path file 'fileTime (time-convert (file-attribute-modification-time (file-attributes file)) 'integer) 'fileSize (file-attribute-size (file-attributes file))))

(ert-deftest unsaved-text-replaces-the-text-and-can-be-undone ()
  (test-with-host
    (let* ((file (test-file "base.txt" "old\n"))
           (text (test-file "sent" "new 1\nnew 2\n")))
      (apply #'test-open 'text text 'line 2 (test-base file))
      (should (equal (test-state) (list file "new 1\nnew 2\n" 2 1)))
      (with-current-buffer (window-buffer)
        (should (buffer-modified-p))
        (should-not (file-exists-p text))
        (primitive-undo 3 buffer-undo-list)
        (should (equal (buffer-string) "old\n"))))))

(ert-deftest another-version-is-shown-as-a-difference ()
  (dolist (case (list (lambda (message) (plist-put message 'fileTime 5)) (lambda (message) (plist-put message 'fileSize 99)) (lambda (message) (append '(isConflict t) message))
                      (lambda (message) (with-current-buffer (find-file-noselect (plist-get message 'path)) (insert "my own ")) message)
                      (lambda (message) (with-current-buffer (find-file-noselect (plist-get message 'path)) (setq buffer-read-only t)) message)))
    (test-with-host
      (let* ((file (test-file "versions.txt" "old\n"))
             (text (test-file "sent" "new\n"))
             (said (apply #'test-open 'text text (funcall case (test-base file)))))
        (should (string-match-p "shown as a diff, and your copy is unchanged" said))
        (should (string-suffix-p "old\n" (with-current-buffer (find-buffer-visiting file) (buffer-string))))
        (with-current-buffer "versions.txt from laptop"
          (should (equal (list (buffer-string) buffer-read-only baton-private (buffer-modified-p)) '("new\n" t t nil))))
        (should-not (file-exists-p text))))))

(ert-deftest text-without-a-file-stays-text ()
  (test-with-host
    (let ((text (test-file "sent" "# -*- mode: emacs-lisp -*-\n(x)\n")))
      (should (equal (test-open 'text text) "text from laptop"))
      (with-current-buffer "unsaved text"
        (should (equal (list (buffer-string) major-mode (buffer-modified-p) buffer-offer-save) '("# -*- mode: emacs-lisp -*-\n(x)\n" fundamental-mode t t)))
        (cl-letf (((symbol-function 'yes-or-no-p) (lambda (_) nil))) (should-not (baton--may-kill-p)))
        (cl-letf (((symbol-function 'yes-or-no-p) (lambda (_) t))) (should (baton--may-kill-p)))
        (set-buffer-modified-p nil)
        (should (baton--may-kill-p)))
      (should-not (file-exists-p text)))))

(ert-deftest what-a-crash-left-is-said ()
  (test-with-host
    (let* ((file (test-file "crashed.txt" "old\n"))
           (auto (with-temp-buffer (let ((buffer-file-name file)) (make-auto-save-file-name)))))
      (set-file-times file 5)
      (write-region "more\n" nil auto nil 'quiet)
      (should (string-match-p "it has auto-save data" (test-open 'path file)))
      ;; A buffer that is open already needs no such hint.
      (should (equal "crashed.txt from laptop" (test-open 'path file)))
      (delete-file auto))))

(ert-deftest large-and-odd-texts-have-no-colours ()
  (dolist (case `(("short\n" nil) (,(concat (make-string 9000 ?x) "\n") nil) (,(concat (make-string 10001 ?x) "\n") t) (,(make-string 10002 ?x) t)))
    (with-temp-buffer
      (insert (car case))
      (should (eq (and (baton--long-lines-p) t) (nth 1 case)))))
  (dolist (case `((,(make-string 999 ?\") nil) (,(make-string 1002 ?\") t) (,(mapconcat #'identity (make-list 201 (make-string 100 ?')) "\n") t) (,(mapconcat #'identity (make-list 150 (make-string 100 ?')) "\n") nil)))
    (with-temp-buffer
      (insert (car case))
      (should (eq (and (baton--many-quotes-p) t) (nth 1 case))))))

(ert-deftest only-modes-that-colour-are-used ()
  (should (equal (baton--foreign-only '(("a" . python-mode) ("b" . org-mode) ("c" . emacs-lisp-mode) ("d" . nxml-mode) ("e" lambda () 1)))
                 '(("a" . python-mode) ("c" . lisp-data-mode))))
  (dolist (case '(("x.org" fundamental-mode) ("x.xml" fundamental-mode) ("x.diff" fundamental-mode) ("x.c" c-mode) ("x.el" lisp-data-mode) ("Makefile" makefile-gmake-mode)))
    (test-with-host
      (test-open 'path (test-file (concat "modes/" (car case)) "text\n") 'isFetched t)
      (ert-info ((car case)) (should (eq (buffer-local-value 'major-mode (window-buffer)) (cadr case)))))))

(ert-deftest the-text-of-a-buffer-is-saved ()
  (test-with-host
    (let ((file (test-file "saved.txt" "one\n")) (out (expand-file-name "out 1" test-directory)))
      (with-current-buffer (find-file-noselect file)
        (insert "日本 ")
        (narrow-to-region 1 2)
        (setq buffer-file-coding-system 'latin-1)
        (baton--save "7" out (baton--buffer-id))
        (should (buffer-modified-p)))
      (should (equal (with-temp-buffer (insert-file-contents out) (buffer-string)) "日本 one\n"))
      (baton--save "8" (concat out "b") "99999")
      (should-not (file-exists-p (concat out "b")))
      (should (equal (mapcar (lambda (answer) (let-alist answer (list .type .request .file))) (reverse test-heard)) `(("saved" "7" ,out) ("saved" "8" nil)))))))

(ert-deftest one-of-the-offers-is-continued ()
  (test-with-host
    (let ((offers '(((id . "aabbccddee") (title . "a") (device . "laptop") (deviceID . "D1")) ((id . "aaffccddee") (title . "b") (device . "tablet") (deviceID . "D2")))))
      (should (equal (baton--offer-text (car offers)) "aabbccdd  a (laptop)"))
      (baton--continue-one "aaff" offers)
      (baton--continue-one nil (list (car offers)))
      (baton--continue-one "zz" offers)
      (baton--continue-one nil nil)
      (cl-letf (((symbol-function 'completing-read) (lambda (_ lines &rest _) (car (nth 1 lines)))))
        (baton--continue-one nil offers))
      (should (equal (mapcar (lambda (message) (alist-get 'deviceID message)) (reverse test-heard)) '("D2" "D1" "D2")))
      (should (equal test-said '("no other machine is offering a file" "no other machine is offering that"))))))

(ert-deftest the-choice-of-a-file-is-answered ()
  (test-with-host
    (dolist (answer '("/b" "/c" quit))
      (cl-letf (((symbol-function 'completing-read) (lambda (&rest _) (if (eq answer 'quit) (error "Quit") answer))))
        (baton--choose "4" '("/a" "/b") nil)))
    (should (equal (mapcar (lambda (message) (alist-get 'path message)) (reverse test-heard)) '("/b" nil nil)))
    (should (equal (alist-get 'request (car test-heard)) "4"))))

(ert-deftest a-directory-is-shown-without-its-hooks ()
  (let ((hooks nil))
    (test-with-host
      (let ((dired-mode-hook (list (lambda () (push 'mode hooks)))) (dired-after-readin-hook (list (lambda () (push 'read hooks)))))
        (test-open 'view '((org.gnu.emacs.bookmark . "((handler . dired) (dired-directory . \"/usr\"))")))
        (with-current-buffer (window-buffer)
          (should (equal (list major-mode default-directory hooks) '(dired-mode "/usr/" nil)))
          (kill-buffer)))
      (should (string-match-p "cannot show" (test-open 'view '((org.gnu.emacs.bookmark . "((handler . shell))")))))
      (should (string-match-p "not a directory" (test-open 'view '((org.gnu.emacs.bookmark . "((handler . dired) (dired-directory . \"/no/such\"))"))))))))

(provide 'test-opening)
;;; test-opening.el ends here

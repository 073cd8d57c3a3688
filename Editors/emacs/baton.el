;;; baton.el --- Hand over the place in a text between machines  -*- lexical-binding: t; -*-

;; Author: The Baton authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: convenience, files
;; URL: https://baton.example/

;;; Commentary:

;; `baton-mode' makes the place where you are in a file the current activity of this machine.  Another machine of your
;; team continues it: in Emacs, in Vim, or in any other editor that Baton knows.  Text that is not saved goes with it.
;;
;; Put this into your init file:
;;
;;     (baton-mode 1)
;;
;; `baton-list' shows what the other machines offer, and `baton-continue' continues it here.
;;
;; `baton editor-host', a child of Emacs, speaks with the daemon.  Each message is one line of JSON.

;;; Code:

(require 'bookmark)
(require 'seq)
(require 'subr-x)

(declare-function ediff-buffers "ediff")
(defvar baton-mode)

(defgroup baton nil
  "Hand over the place in a text between machines."
  :group 'convenience
  :prefix "baton-")

(defcustom baton-program "baton"
  "The program `baton', or its absolute path."
  :type 'string)

(defcustom baton-exclude nil
  "Regular expressions for the names of files that are never handed over.
They are in addition to those that Baton knows, such as keys."
  :type '(repeat regexp))

(defcustom baton-delay 0.2
  "How long Emacs is idle, in seconds, before the place is handed over."
  :type 'number)

(defconst baton--bookmark-fields
  '((Info-bookmark-jump filename info-node)
    (dired dired-directory)
    (eww-bookmark-jump location))
  "Functions that may show a place that came from another machine.
Such a place is a bookmark, and its function is called.  Each is with
those of its fields that may come from elsewhere, because others become
part of a command, or name a function.  The directories of Dired have no
bookmarks in Emacs 28, so they are made here.")

(defconst baton--private-modes '(git-commit-mode vc-git-log-edit-mode log-edit-mode message-mode mail-mode)
  "Modes of texts that one program writes for another.")

(defconst baton--line-limit 65000
  "The maximum length of a line to the host in bytes.")

(defvar-local baton-private nil
  "Non-nil if this buffer is never handed over.")
(put 'baton-private 'safe-local-variable #'booleanp)

(defvar-local baton--buffer-number nil
  "What the host calls this buffer.  Its name can change.")
(put 'baton--buffer-number 'permanent-local t)
(defvar baton--buffer-count 0 "The last `baton--buffer-number'.")

(defvar baton--process nil "The host.")
(defvar baton--rest "" "The start of a line that has not fully arrived.")
(defvar baton--starts nil "When the host was started, in the last minute.")
(defvar baton--timer nil "The timer that watches the place.")
(defvar baton--sent nil "The place that the host knows.")
(defvar baton--is-back nil "Whether the person has come back to Emacs since the host was told.")
(defvar baton--request 0 "The last number of a request.")
(defvar baton--requests nil "Functions that wait for an answer, by their requests.")

;;;; The host

(defun baton--start ()
  "Start the host unless it is running, and return it.
Return nil if that is not possible."
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
      (when (< (length line) baton--line-limit)
        (ignore-errors (process-send-string baton--process line))))))

(defun baton--ask (message function)
  "Send MESSAGE, and call FUNCTION with the answer."
  (let ((request (number-to-string (setq baton--request (1+ baton--request)))))
    (push (cons request function) baton--requests)
    (baton--send (cons (cons 'request request) message))))

(defun baton--received (_process text)
  "Handle TEXT of the host."
  (let* ((lines (split-string (concat baton--rest text) "\n"))
         (whole (butlast lines)))
    (setq baton--rest (car (last lines)))
    (dolist (line whole)
      (let ((message (ignore-errors
                       (json-parse-string line :object-type 'alist :array-type 'list
                                          :null-object nil :false-object nil))))
        ;; Not here: a filter must not ask the person, and may run at any time.
        (when message
          (run-at-time 0 nil #'baton--handle message))))))

(defun baton--handle (message)
  "Carry out MESSAGE of the host."
  (if (and (active-minibuffer-window) (member (alist-get 'type message) '("open" "choose" "offers")))
      ;; The person is answering a question.
      (run-at-time 0.3 nil #'baton--handle message)
    (baton--carry-out message)))

(defun baton--carry-out (message)
  "Carry out MESSAGE of the host now."
  (condition-case problem
      (let-alist message
        (pcase .type
          ("open" (baton--open message))
          ("locate" (baton--tell 'is-asked))
          ("save" (baton--save .request .file .buffer))
          ("choose" (baton--choose .request .paths .found))
          ("offers"
           (when-let ((function (alist-get .request baton--requests nil 'remove #'equal)))
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

(defun baton--excluded-p (file)
  "Return non-nil if FILE is never handed over.
The host knows more private files."
  (or (file-remote-p file)
      (let ((case-fold-search nil))
        (seq-some (lambda (pattern)
                    (or (string-match-p pattern file) (string-match-p pattern (file-truename file))))
                  baton-exclude))))

(defun baton--written-otherwise-p ()
  "Return non-nil if saving writes something else than the text, such as in Hexl mode.
Most `write-contents-functions' only do something before."
  (or (derived-mode-p 'tar-mode)
      (seq-intersection write-contents-functions
                        '(hexl-save-buffer archive-write-file plstore--write-contents-functions))))

(defun baton--private-p ()
  "Return non-nil if the current buffer is not for others."
  (or baton-private
      (minibufferp)
      (string-prefix-p " " (buffer-name))
      (apply #'derived-mode-p baton--private-modes)
      (bound-and-true-p epa-file-encrypt-to)
      (and buffer-file-name (baton--written-otherwise-p))
      ;; Names in hidden directories are often those of secrets.
      (and (derived-mode-p 'dired-mode) (string-match-p "/\\." (expand-file-name default-directory)))
      (and buffer-file-name (baton--excluded-p buffer-file-name))))

(defun baton--bookmark ()
  "Return the place in a buffer without a file as text, or nil."
  (when (and (not (buffer-file-name (buffer-base-buffer)))
             (or (derived-mode-p 'dired-mode) (local-variable-p 'bookmark-make-record-function)))
    (ignore-errors
      (let* ((record (if (derived-mode-p 'dired-mode)
                         `((handler . dired) (dired-directory . ,default-directory))
                       (funcall bookmark-make-record-function)))
             (fields (baton--allowed (if (stringp (car record)) (cdr record) record)))
             (print-length nil)
             (print-level nil)
             (text (and fields (prin1-to-string fields))))
        (and text (baton--read text) text)))))

(defun baton--allowed (fields)
  "Return those of FIELDS of a bookmark that may go to another machine."
  (let* ((handler (alist-get 'handler fields))
         (keys (and (symbolp handler) (alist-get handler baton--bookmark-fields))))
    (when keys
      (let (allowed)
        (dolist (key (cons 'position keys))
          (let ((value (alist-get key fields)))
            (cond
             ((stringp value)
              (push (cons key (substring-no-properties
                               (if (memq key '(filename dired-directory)) (expand-file-name value) value)))
                    allowed))
             ((natnump value) (push (cons key value) allowed)))))
        (cons (cons 'handler handler) (nreverse allowed))))))

(defun baton--read (text)
  "Return the fields of the bookmark in TEXT, or nil if they are not allowed.
Nothing in TEXT is evaluated."
  (when (and (stringp text) (< (string-bytes text) 1024)
             ;; No syntax of the reader but lists, symbols, numbers and strings.
             (not (string-match-p "[#`',?;]" (replace-regexp-in-string "\"\\(?:[^\"\\]\\|\\\\.\\)*\"" "" text))))
    (pcase (ignore-errors (read-from-string text))
      (`(,(and (pred proper-list-p) fields) . ,(pred (= (length text))))
       (when (and (seq-every-p #'consp fields)
                  (equal (length fields) (length (baton--allowed fields)))
                  (seq-every-p #'baton--harmless-p fields))
         fields)))))

(defun baton--harmless-p (field)
  "Return non-nil if the value of FIELD leads to nothing but showing something."
  (let ((value (cdr field)))
    (pcase (car field)
      ('handler (symbolp value))
      ('position (natnump value))
      ((or 'filename 'dired-directory)
       (and (not (file-remote-p value)) (file-name-absolute-p value)
            (or (eq (car field) 'filename) (file-directory-p value))))
      ('location (string-match-p "\\`https?://" value))
      (_ (stringp value)))))

(defun baton--position ()
  "Return what to tell about the current buffer, or nil."
  (unless (or (baton--private-p)
              ;; An indirect buffer shows the text of another one.
              (and (buffer-base-buffer) (with-current-buffer (buffer-base-buffer) (baton--private-p))))
    (let ((file (buffer-file-name (buffer-base-buffer)))
          (bookmark (baton--bookmark)))
      (when (or file bookmark)
        (save-restriction
          (widen)
          (append
           `((line . ,(line-number-at-pos))
             (column . ,(1+ (- (point) (line-beginning-position))))
             (topLine . ,(line-number-at-pos (window-start)))
             (buffer . ,(baton--buffer-id))
             (title . ,(buffer-name)))
           (if bookmark
               `((view . ((org.gnu.emacs.bookmark . ,bookmark))))
             `((path . ,(expand-file-name file))
               (language . ,(replace-regexp-in-string "[^A-Za-z0-9_+-]" ""
                                                      (string-remove-suffix "-mode" (symbol-name major-mode))))))
           (when-let ((time (and file (baton--file-time (or (buffer-base-buffer) (current-buffer))))))
             `((fileTime . ,time)))
           (when (and file (buffer-modified-p))
             '((isModified . t)))))))))

(defun baton--buffer-id ()
  "Return what the host calls the current buffer."
  (number-to-string (or baton--buffer-number
                        (setq baton--buffer-number (setq baton--buffer-count (1+ baton--buffer-count))))))

(defun baton--file-time (buffer)
  "Return when the file was written that BUFFER has read, or nil.
Return 0 if it has changed since, maybe in the same second."
  (let ((time (with-current-buffer buffer (visited-file-modtime))))
    (cond
     ((numberp time) nil)
     ((verify-visited-file-modtime buffer) (time-convert time 'integer))
     (t 0))))

(defun baton--tell (&optional is-asked)
  "Tell the host where the person is.
IS-ASKED is non-nil if the host waits for it."
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
  "Return non-nil if Emacs is a daemon, and nobody sees one of its frames."
  (and (daemonp) (null (cdr (frame-list)))))

(defun baton--tell-idle ()
  "Tell the host where the person is, or end it if nobody sees this Emacs.
What other machines offer would open where nobody looks."
  (cond
   ((not (baton--unseen-p)) (baton--tell))
   ((process-live-p baton--process) (delete-process baton--process))))

(defun baton--frame-gone (_frame)
  "End the host if that was the last frame.  Emacs may be idle already."
  (run-at-time 0 nil (lambda () (when (baton--unseen-p) (baton--tell-idle)))))

(defun baton--focus ()
  "Tell the place again, if the person comes back to Emacs."
  (when (seq-some (lambda (frame) (eq (frame-focus-state frame) t)) (frame-list))
    (setq baton--is-back t)))

;;;; The text that is not saved

(defun baton--coding-system ()
  "Return the coding system of the text, or UTF-8 if that cannot have all of it."
  (let ((system (or buffer-file-coding-system 'utf-8)))
    (if (and (not (eq (coding-system-type system) 'undecided))
             (save-restriction
               (widen)
               (unencodable-char-position (point-min) (point-max) system)))
        (coding-system-change-text-conversion system 'utf-8)
      system)))

(defun baton--save (request file id)
  "Write the text of the buffer ID into FILE, as the answer to REQUEST."
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

(defconst baton--other-modes '(archive-mode tar-mode doc-view-mode doc-view-mode-maybe image-mode image-mode-maybe)
  "Modes that show no text, but what a program makes of it.")

(defun baton--refused-modes ()
  "Return the modes in which nothing of another machine is shown.
Before Emacs 29.4, Org runs what a file says (CVE-2024-30202, CVE-2024-39331).
Systems repair that without another version, so it is one of them there, too."
  (if (version< emacs-version "29.4") (cons 'org-mode baton--other-modes) baton--other-modes))

(defun baton--text-modes ()
  "Return `auto-mode-alist' without `baton--refused-modes'."
  (let ((others (baton--refused-modes)))
    (seq-remove (lambda (entry) (memq (if (consp (cdr entry)) (cadr entry) (cdr entry)) others))
                auto-mode-alist)))

(defmacro baton--distrusting (&rest body)
  "Evaluate BODY such that nothing in a file is obeyed."
  (declare (indent 0) (debug t))
  `(let ((enable-local-variables nil)
         (enable-local-eval nil)
         (enable-dir-local-variables nil)
         ;; Neither decompress nor decrypt, and look into no archive.
         (file-name-handler-alist nil)
         ;; Convert nothing, such as text/enriched.
         (format-alist nil)
         (after-insert-file-functions nil)
         (inhibit-local-variables-regexps '(""))
         (auto-mode-alist (baton--text-modes))
         (magic-mode-alist nil)
         (magic-fallback-mode-alist nil)
         (find-file-hook nil))
     ,@body))

(defun baton--choose (request paths found)
  "Ask which of PATHS is meant, as the answer to REQUEST.
FOUND says where they are."
  (let ((path (ignore-errors
                (completing-read (format "Which file is it?  %s: " (or found "Several fit")) paths nil t)))
        (answer `((request . ,request))))
    (when (member path paths)
      (push (cons 'path path) answer))
    (baton--send (cons '(type . "chosen") answer))))

(defun baton--open (message)
  "Show the place that MESSAGE describes."
  (let-alist message
    (unwind-protect
        (let ((note nil))
          (cond
           (.path
            (let ((buffer (baton--buffer .path .isFetched)))
              (pop-to-buffer-same-window buffer)
              (if (not (and .text (or .isConflict (baton--blocked-p buffer) (baton--other-p buffer .fileTime .fileSize))))
                  (progn
                    (when .text
                      (baton--replace .text))
                    (baton--go message))
                (baton--go message)
                ;; This selects another window.
                (setq note (baton--show-difference buffer message)))))
           (.text
            (pop-to-buffer-same-window (generate-new-buffer "unsaved text"))
            (baton--replace .text)
            (setq buffer-offer-save t)
            (add-hook 'kill-buffer-query-functions #'baton--may-kill-p nil 'local)
            (baton--go message))
           (t (baton--jump (alist-get 'org.gnu.emacs.bookmark .view))))
          (baton--say (concat (if .path (file-name-nondirectory .path) "place") " from " .device
                              (when .found (concat ": " .found))
                              (when note (concat "; " note)))))
      (when .text
        (ignore-errors (delete-file .text)))
      ;; Emacs is idle already, so its timer does not run again.
      (when baton-mode
        (baton--tell)))))

(defun baton--buffer (path is-fetched)
  "Return a buffer with the file at PATH.
If IS-FETCHED is non-nil, nothing in the file is obeyed."
  (when (file-remote-p path)
    (error "%s is not a file of this machine" path))
  (if is-fetched
      (let ((old (find-buffer-visiting path)))
        ;; It is for a file that is gone: a fetched file has a new name.
        (when (and old (not (buffer-modified-p old)))
          (let ((kill-buffer-query-functions nil))
            (kill-buffer old)))
        (baton--distrusting (find-file-noselect path t)))
    ;; A question about local variables would come from a place that nobody looks at.
    (let ((enable-local-variables (if (eq enable-local-variables t) :safe enable-local-variables))
          (buffer (find-buffer-visiting path)))
      (cond
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

(defun baton--other-p (buffer time size)
  "Return non-nil if the file of BUFFER is not the version of TIME and SIZE.
The text was compared with that one, maybe a while ago."
  (and time size
       (not (and (equal time (baton--file-time buffer))
                 (equal size (file-attribute-size
                              (file-attributes (file-truename (buffer-file-name buffer)))))))))

(defun baton--replace (file)
  "Replace the text of the current buffer by that in FILE, which can be undone."
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
  "Return non-nil if the current buffer, with a text that no file has, may go.
Emacs itself asks only about buffers with a file."
  (or buffer-file-name
      (not (buffer-modified-p))
      (yes-or-no-p (format "Buffer %s is not saved; kill anyway? " (buffer-name)))))
(put 'baton--may-kill-p 'permanent-local-hook t)

(defun baton--show-difference (buffer message)
  "Show the text of MESSAGE beside BUFFER, which stays as it is."
  (let-alist message
    (let ((other (generate-new-buffer (format "%s from %s" (file-name-nondirectory .path) .device)))
          (mode (buffer-local-value 'major-mode buffer)))
      (with-current-buffer other
        (baton--replace .text)
        (set-buffer-modified-p nil)
        ;; Modes of special buffers make text of something else.
        (unless (apply #'provided-mode-derived-p mode 'special-mode (baton--refused-modes))
          (delay-mode-hooks
            (baton--distrusting (funcall mode))))
        (setq buffer-read-only t)
        (setq-local baton-private t))
      (if noninteractive
          (display-buffer other)
        (ediff-buffers buffer other)))
    "its unsaved text is shown as a difference, nothing was changed"))

(defun baton--go (message)
  "Go to the line and the column in MESSAGE."
  (let-alist message
    (widen)
    (goto-char (point-min))
    (forward-line (1- .line))
    (goto-char (min (line-end-position) (+ (point) (1- (or .column 1)))))
    (baton--unfold)
    (when (and .topLine (<= .topLine .line))
      (set-window-start nil
                        (save-excursion
                          (goto-char (point-min))
                          (forward-line (1- .topLine))
                          (point))
                        'no-force))))

(defun baton--unfold ()
  "Show the text at point if it is folded, as searching does."
  (dolist (overlay (overlays-at (point)))
    (when-let ((open (overlay-get overlay 'isearch-open-invisible)))
      (funcall open overlay)))
  (run-hooks 'bookmark-after-jump-hook))

(defun baton--jump (text)
  "Show the place of the bookmark in TEXT."
  (let ((fields (baton--read text)))
    (unless fields
      (error "The other machine sent a place that Emacs cannot show"))
    (if (eq (alist-get 'handler fields) 'dired)
        (dired (alist-get 'dired-directory fields))
      (bookmark-jump (cons "baton" fields)))))

;;;; Commands

(defun baton--ready ()
  "Start the host, or say why that is not possible."
  (or (baton--start)
      (user-error (if (executable-find baton-program) "The host of Baton does not start" "Baton is not installed"))))

(defun baton--offer-text (offer)
  "Return a line for people about OFFER."
  (let-alist offer
    (format "%s  %s (%s)" (substring .id 0 8) .title .device)))

;;;###autoload
(defun baton-list ()
  "Show the texts that other machines offer."
  (interactive)
  (baton--ready)
  (baton--ask '((type . "list"))
              (lambda (offers)
                (baton--say (if offers (string-join (mapcar #'baton--offer-text offers) "\n")
                              "no other machine offers a text")))))

;;;###autoload
(defun baton-continue (&optional id)
  "Continue a text of another machine.
ID is the start of its ID; without it, you are asked if there are several."
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
        (baton--say "no other machine offers that")
      (let-alist offer
        (baton--send `((type . "continue") (request . "") (id . ,.id) (deviceID . ,.deviceID)))))))

;;;###autoload
(define-minor-mode baton-mode
  "Make the place where you are an activity that other machines can continue.
Without Baton, this does nothing."
  :global t
  (when baton--timer
    (cancel-timer baton--timer)
    (setq baton--timer nil))
  (remove-function after-focus-change-function #'baton--focus)
  (remove-hook 'after-delete-frame-functions #'baton--frame-gone)
  (cond
   (baton-mode
    (setq baton--timer (run-with-idle-timer baton-delay t #'baton--tell-idle))
    (add-hook 'after-delete-frame-functions #'baton--frame-gone)
    (add-function :after after-focus-change-function #'baton--focus))
   ((process-live-p baton--process)
    (delete-process baton--process))))

(provide 'baton)

;;; baton.el ends here

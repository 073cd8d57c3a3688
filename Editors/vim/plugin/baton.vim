" SPDX-License-Identifier: Apache-2.0
" baton.vim: continues editing on another machine. See :help baton.

if exists('g:loaded_baton')
  finish
endif
let g:loaded_baton = 1

" Without these, the commands and events are simply not there.
if !has('nvim-0.7') && !(v:version >= 900 && has('job') && has('channel') && has('timers'))
  finish
endif

let s:save_cpo = &cpo
set cpo&vim

command -bar BatonList call baton#List()
command -bar -nargs=? BatonContinue call baton#Continue(<q-args>)
command -bar -nargs=1 -complete=customlist,baton#CompleteShare BatonShare call baton#Share(<q-args>)

augroup baton
  autocmd!
  " When the text was read or written, so that others learn what unsaved text is based on.
  autocmd BufReadPost,BufWritePost *
        \ if resolve(expand('<afile>:p')) ==# resolve(expand('%:p')) | call baton#NoteFile() | endif
  autocmd BufNewFile,BufReadPost * call baton#NoteName()
  " What another program writes may be a secret, such as in `gpg -d x | vim -`.
  autocmd StdinReadPost * let b:baton_private = 1
  autocmd VimEnter,BufEnter,BufWritePost,WinEnter,InsertLeave,CursorHold * call baton#Note()
  autocmd CursorMoved,CursorMovedI,TextChanged,TextChangedI * call baton#Note()
  autocmd FocusGained * call baton#NoteReturn()
augroup END

let &cpo = s:save_cpo
unlet s:save_cpo

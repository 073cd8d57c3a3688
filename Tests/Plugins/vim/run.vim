" SPDX-License-Identifier: Apache-2.0
" Runs the tests of the script that $BATON_TEST names, in Vim or Neovim, and writes what it finds to $BATON_RESULT.
set nocompatible nomore shortmess+=I viminfo= hidden
let s:plugin = expand('<sfile>:p:h:h:h:h') . '/Editors/vim'
execute 'set runtimepath^=' . fnameescape(s:plugin)
let g:directory = $BATON_DIRECTORY
execute 'cd' fnameescape(g:directory)
filetype plugin on
" As a person has them.
set swapfile directory=.
" Only what a test does is told.
let g:baton_share = 0
runtime plugin/baton.vim
function! s:Source() abort
  execute 'source' fnameescape(s:plugin . '/autoload/baton.vim')
endfunction
call s:Source()
let s:number = matchstr(execute('scriptnames'), '\d\+\ze: [^\n]*autoload/baton\.vim')

" Calls a function of the script's own.
function! Call(name, ...) abort
  return call(printf('<SNR>%d_%s', s:number, a:name), a:000)
endfunction

" What was said since it was last asked.
function! Said() abort
  let said = filter(split(execute('messages'), "\n"), {_, line -> line =~# '^baton: '})
  messages clear
  return map(said, {_, line -> line[7:]})
endfunction

function! WaitFor(Condition) abort
  for turn in range(3000)
    if a:Condition()
      return 1
    endif
    sleep 10m
  endfor
  return 0
endfunction

" A file with these lines.
function! File(name, lines) abort
  let path = g:directory . '/' . a:name
  call mkdir(fnamemodify(path, ':h'), 'p')
  call writefile(a:lines, path, 'b')
  return path
endfunction

" A host that writes what it gets to a file, and says in pieces what it is given. Ends the one before.
let g:count = 0
function! Host(...) abort
  call End()
  " A host is started only so often.
  call s:Source()
  let g:count += 1
  let g:heard = g:directory . '/heard-' . g:count
  let pieces = join(map(copy(a:000), {_, piece -> 'printf %s ' . shellescape(piece) . '; sleep 0.03'}), '; ')
  let g:baton_command = ['sh', '-c', printf('echo $$ $# $1 >> %s; %s exec cat >> %s', g:heard, pieces ==# '' ? '' : pieces . ';', g:heard), 'host']
endfunction

" Ends the host, which the script then knows.
function! End() abort
  if exists('g:heard') && filereadable(g:heard) && Call('IsRunning')
    for line in filter(readfile(g:heard), {_, line -> line =~# '^\d\+ '})
      call system('kill ' . split(line)[0] . ' 2>/dev/null')
    endfor
    call WaitFor({-> !Call('IsRunning')})
  endif
endfunction

" The messages that the host has got, as soon as there are so many.
function! Heard(count) abort
  call WaitFor({-> filereadable(g:heard) && len(readfile(g:heard)) > a:count})
  return map(filter(readfile(g:heard), {_, line -> line[0] ==# '{'}), {_, line -> json_decode(line)})
endfunction

" Says to the script what a host would.
function! Hear(text) abort
  call Call('Received', 0, a:text)
endfunction

let s:results = []
let s:failed = 0
execute 'source' fnameescape($BATON_TEST)
for s:name in sort(filter(map(split(execute('function /^Test_'), "\n"), {_, line -> matchstr(line, 'Test_\w\+')}), {_, name -> name !=# ''}))
  call End()
  call s:Source()
  let v:errors = []
  let g:baton_exclude = []
  messages clear
  try
    call call(s:name, [])
  catch
    call add(v:errors, v:exception . ' at ' . v:throwpoint)
  endtry
  silent! %bwipeout!
  silent! only!
  if empty(v:errors)
    call add(s:results, 'passed  ' . s:name)
  else
    let s:failed += 1
    call extend(s:results, map(copy(v:errors), {_, error -> 'FAILED  ' . s:name . ': ' . strtrans(error)}))
  endif
endfor
call End()
call writefile(s:results, $BATON_RESULT)
execute s:failed || empty(s:results) ? 'cquit!' : 'qall!'

" SPDX-License-Identifier: Apache-2.0
" What Editors/vim/autoload/baton.vim does with places and texts of another machine.

function! Open(message) abort
  call Call('Handle', extend({'type': 'open', 'device': 'laptop', 'line': 1}, a:message))
  return Said()
endfunction

function! Test_a_place_is_shown() abort
  let file = File('place.txt', ['one', "\té日本x", 'three'])
  set virtualedit=onemore
  for [line, column, expected] in [[2, 3, [2, 4]], [2, 1, [2, 1]], [2, 999999999, [2, 11]], [3, 0, [3, 1]], [99, 2, [3, 2]], [1, -5, [1, 1]]]
    call assert_equal(['place.txt from laptop'], Open({'path': file, 'line': line, 'column': column}))
    call assert_equal(expected, [line('.'), col('.')], string([line, column]))
  endfor
  set virtualedit=
  call assert_equal([file, 0], [expand('%:p'), &modified])
endfunction

function! Test_numbers_of_a_view_do_no_harm() abort
  let file = File('view.txt', map(range(100), 'v:val'))
  for view in [{'topline': -5}, {'topline': 4000000000}, {'topline': '9'}, {'topline': []}, {'leftcol': -1, 'skipcol': -9}, {'leftcol': 99999999}, {'topfill': 99999999}, {'curswant': -7}, [], 5, 'x']
    call Open({'path': file, 'line': 50, 'view': {'org.vim.view': view}, 'topLine': 40})
    call assert_equal(50, line('.'), string(view))
  endfor
  call assert_true(empty(filter(Open({'path': file, 'line': 50, 'topLine': '40'}), {_, text -> text !~# 'from laptop'})))
endfunction

function! Test_names_of_other_machines_are_refused() abort
  for name in ['relative.txt', 'scp://host/a', 'ftp://host/a', '~/a', '.', 'a/../b']
    let before = bufnr('%')
    try
      call Open({'path': name})
      call assert_report(name . ' was opened')
    catch /not a file on this machine/
      call assert_equal(before, bufnr('%'), name)
    endtry
  endfor
endfunction

function! Test_a_missing_file_is_a_new_buffer() abort
  call assert_equal(['gone.txt from laptop'], Open({'path': g:directory . '/gone.txt', 'line': 7, 'column': 9}))
  call assert_equal([g:directory . '/gone.txt', [''], 1], [expand('%:p'), getline(1, '$'), line('.')])
endfunction

function! Test_odd_names_are_names() abort
  for name in ['a b.txt', 'a%b#c.txt', "it's.txt", '*.txt', '[a].txt', '$HOME.txt', '`id`.txt', '+1.txt', '| quit.txt', '{a,b}.txt', 'a\b.txt', '日本.txt', '~.txt', '^$.txt']
    let file = File('odd/' . name, ['text of ' . name])
    call Open({'path': file})
    call assert_equal([file, 'text of ' . name], [expand('%:p'), getline(1)])
    " It is found again, and no other.
    call assert_equal(bufnr('%'), Call('Buffer', file), name)
  endfor
endfunction

function! Test_a_file_is_the_same_behind_a_link() abort
  let file = File('target/x.txt', ['text'])
  call system('ln -sfn target ' . shellescape(g:directory . '/way') . '; ln -sf target/x.txt ' . shellescape(g:directory . '/y.txt'))
  execute 'edit' fnameescape(file)
  let buffer = bufnr('%')
  for name in ['way/x.txt', 'y.txt']
    call Open({'path': g:directory . '/' . name})
    call assert_equal(buffer, bufnr('%'), name)
  endfor
endfunction

function! Test_unsaved_text_replaces_the_text_and_can_be_undone() abort
  let [file, text] = [File('replaced.txt', ['old', '']), File('sent', ['new 1', 'new 2', ''])]
  let g:obeyed = 0
  call Open({'path': file, 'text': text, 'line': 2, 'fileTime': getftime(file), 'fileSize': getfsize(file)})
  call assert_equal([['new 1', 'new 2'], 1, ''], [getline(1, '$'), &modified, glob(text)])
  silent undo
  call assert_equal(['old'], getline(1, '$'))
endfunction

function! Test_programs_of_a_language_stop_before_the_text_is_there() abort
  let file = File('checked.py', ['old', ''])
  execute 'edit' fnameescape(file)
  setlocal filetype=python omnifunc=Evil
  let b:baton_seen = []
  autocmd TextChanged,FileType <buffer> call add(b:baton_seen, &filetype)
  call Open({'path': file, 'text': File('sent', ['new', '']), 'fileTime': getftime(file), 'fileSize': getfsize(file)})
  call assert_equal([['new'], '', '', 0, 1, []], [getline(1, '$'), &filetype, &omnifunc, b:ale_enabled, b:neomake_disabled, b:baton_seen])
endfunction

function! Test_another_version_is_shown_as_a_difference() abort
  let file = File('base.txt', ['old', ''])
  for more in [{'fileTime': 5, 'fileSize': getfsize(file)}, {'fileTime': getftime(file), 'fileSize': 99}, {'isConflict': v:true}]
    let text = File('sent', ['new', ''])
    let said = Open(extend({'path': file, 'text': text}, more))
    call assert_match('shown as a diff, and your copy is unchanged', said[0], string(more))
    call assert_equal([['old'], 0, 2], [getline(1, '$'), &modified, winnr('$')])
    call assert_equal([['new'], 'nofile', ''], [getbufline(winbufnr(2), 1, '$'), getbufvar(winbufnr(2), '&buftype'), glob(text)])
    only!
    diffoff!
  endfor
  call setline(1, 'my own')
  call Open({'path': file, 'text': File('sent', ['new', '']), 'fileTime': getftime(file), 'fileSize': getfsize(file)})
  call assert_equal(['my own'], getline(1, '$'), 'what is not saved here stays')
endfunction

function! Test_nothing_in_a_fetched_file_is_obeyed() abort
  set modeline modelines=5
  let g:obeyed = []
  augroup obeys
    autocmd!
    autocmd BufReadPre,BufReadPost,FileType,BufEnter * call add(g:obeyed, expand('<amatch>'))
  augroup END
  let file = File('fetched.sh', ['# vim: set tabstop=3 filetype=evil:', 'text', ''])
  call Open({'path': file, 'isFetched': v:true})
  autocmd! obeys
  call assert_equal([[], 0, '', 'sh', 0], [filter(copy(g:obeyed), {_, name -> name =~# 'evil\|fetched'}), &tabstop == 3, &filetype, &syntax, &l:modeline])
  call assert_equal(5, &modelines, 'the option is as it was')
  " Read again, it is still no more than text.
  edit!
  call assert_equal([0, '', ['# vim: set tabstop=3 filetype=evil:', 'text']], [&tabstop == 3, &filetype, getline(1, '$')])
  " A file of this machine is a person's own.
  call Open({'path': File('own.txt', ['# vim: set tabstop=3:', ''])})
  call assert_equal(3, &tabstop)
  set tabstop=8
endfunction

function! Test_text_without_a_file_is_a_buffer_that_stays_text() abort
  call Open({'text': File('sent', ['#!/bin/sh', '# vim: tabstop=3', '']), 'language': 'sh'})
  call assert_equal(['', ['#!/bin/sh', '# vim: tabstop=3'], 'sh', '', 1, 0], [bufname('%'), getline(1, '$'), &syntax, &filetype, &modified, &tabstop == 3])
  for language in ['2html', 'syntax', 'a b', "x'|quit", '../../evil', 'sh.2html']
    call Open({'text': File('sent', ['x', '']), 'language': language})
    call assert_equal('', &syntax, language)
  endfor
  try
    call Call('Open', {'device': 'd', 'line': 1})
    call assert_report('nothing was refused')
  catch /only Emacs can show it/
  endtry
endfunction

function! Test_an_empty_text_and_one_without_an_end() abort
  let file = File('end.txt', ['old', ''])
  let base = {'path': file, 'fileTime': getftime(file), 'fileSize': getfsize(file)}
  call Open(extend({'text': File('sent', [])}, base))
  call assert_equal([''], getline(1, '$'))
  edit!
  call Open(extend({'text': File('sent', ['one', 'two'])}, base))
  call assert_equal(['one', 'two'], getline(1, '$'))
endfunction

function! Test_a_file_with_a_swap_file_is_read_only() abort
  let file = File('swapped.txt', ['text', ''])
  let arguments = has('nvim') ? ['--headless'] : ['-N', '--not-a-term']
  let command = [v:progpath] + arguments + ['-u', 'NONE', '-i', 'NONE', '--cmd', 'set directory=.', '-c', 'call setline(1, "more") | preserve | sleep 20', file]
  let job = has('nvim') ? jobstart(command) : job_start(command, {'in_io': 'null', 'out_io': 'null', 'err_io': 'null'})
  " Until the text is in it, the file is only about to become one.
  call assert_true(WaitFor({-> !empty(filter(glob('.swapped.txt.sw?', 1, 1), {_, swap -> join(readfile(swap, 'b')) =~# 'more'}))}))
  call assert_equal(["swapped.txt from laptop; it has a swap file, so it's read-only (see :help :recover)"], Open({'path': file}))
  call assert_equal(1, &readonly)
  execute has('nvim') ? 'call jobstop(job)' : 'call job_stop(job, "kill")'
  call Open({'path': File('next.txt', ['text', ''])})
  call assert_equal(0, &readonly, 'the next file has none')
endfunction

function! Test_the_text_of_a_buffer_is_saved_without_a_trace() abort
  call Host()
  call Call('Start')
  execute 'edit' fnameescape(File('saved.txt', ['one']))
  call setline(1, ['one', 'zwei ä'])
  let [number, before] = [bufnr('%'), [&cpo, &backup, &writebackup, &patchmode, &fixendofline]]
  setlocal noendofline
  call Call('Save', {'request': '7', 'buffer': string(number), 'file': g:directory . '/out 1'})
  call assert_equal([['one', 'zwei ä'], 1, g:directory . '/saved.txt'], [readfile('out 1', 'b'), &modified, bufname('%')])
  enew
  call Call('Save', {'request': '8', 'buffer': string(number), 'file': g:directory . '/out2'})
  call assert_equal(['one', 'zwei ä'], readfile('out2', 'b'), 'a buffer that no window shows')
  call Call('Save', {'request': '9', 'buffer': '99999', 'file': g:directory . '/out3'})
  execute 'buffer' number
  call assert_equal([{'type': 'saved', 'request': '7', 'file': g:directory . '/out 1'}, {'type': 'saved', 'request': '8', 'file': g:directory . '/out2'},
        \ {'type': 'saved', 'request': '9'}], Heard(3))
  call assert_equal([before, ''], [[&cpo, &backup, &writebackup, &patchmode, &fixendofline], glob('out3')])
endfunction

function! Test_text_that_its_encoding_does_not_have_is_saved_whole() abort
  call Host()
  call Call('Start')
  for [encoding, text, isKept] in [['latin1', 'zwei ä ¿', 1], ['latin1', '日本', 0], ['latin1', 'a € b', 0], ['iso-8859-15', 'a € b', 1], ['iso-8859-15', '日本', 0],
        \ ['cp1252', 'ш', 0], ['koi8-r', 'ш', 1], ['utf-16', '日本', 1], ['', '日本', 1], ['euc-jp', '日本', 1], ['euc-jp', '😀', 0]]
    enew!
    call setline(1, text)
    execute 'setlocal fileencoding=' . encoding
    let out = g:directory . '/encoded'
    call Call('Save', {'request': '1', 'buffer': string(bufnr('%')), 'file': out})
    execute 'edit! ++enc=' . (isKept && encoding !=# '' ? encoding : 'utf-8') fnameescape(out)
    call assert_equal([text], getline(1, '$'), encoding . ' ' . text)
    bwipeout!
  endfor
endfunction

function! Test_one_of_the_offers_is_continued() abort
  call Host()
  call Call('Start')
  let offers = [{'id': 'aabbccddee', 'title': "a\x1bb", 'device': 'laptop', 'deviceID': 'D1'}, {'id': 'aaffccddee', 'title': 'b', 'device': 'tablet', 'deviceID': 'D2'}]
  call assert_equal('aabbccdd  a^[b (laptop)', Call('OfferText', offers[0]))
  call Call('ContinueOne', 'aaff', offers)
  call Call('ContinueOne', '', offers[:0])
  call Call('ContinueOne', 'zz', offers)
  call Call('ContinueOne', '', [])
  call Call('ContinueOffer', offers, 0)
  call Call('ContinueOffer', offers, -1)
  call Call('ContinueOffer', offers, 2)
  call Call('ShowOffers', [])
  call assert_equal(['no other machine is offering zz', 'no other machine is offering a file', 'no other machine is offering a file'], Said())
  call assert_equal([['aaffccddee', 'D2'], ['aabbccddee', 'D1'], ['aaffccddee', 'D2']], map(Heard(3), {_, message -> [message.id, message.deviceID]}))
endfunction

function! Test_the_choice_of_a_file_is_answered() abort
  call Host()
  call Call('Start')
  let message = {'request': '4', 'paths': ['/a', '/b']}
  call Call('Chosen', message, 2)
  call Call('Chosen', message, 0)
  call Call('Chosen', message, -1)
  call assert_equal([{'type': 'chosen', 'request': '4', 'path': '/b'}, {'type': 'chosen', 'request': '4'}, {'type': 'chosen', 'request': '4'}], Heard(3))
endfunction

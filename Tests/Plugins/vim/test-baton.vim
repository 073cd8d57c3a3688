" SPDX-License-Identifier: Apache-2.0
" The logic of Editors/vim/autoload/baton.vim, without batond. A host of the test's own stands for `baton editor-host`.

" The host. {{{1

function! Test_the_command_is_a_string_or_a_list() abort
  unlet! g:baton_command
  call assert_equal(['baton'], Call('Command'))
  let g:baton_command = '/opt/my baton'
  call assert_equal(['/opt/my baton'], Call('Command'))
  let g:baton_command = ['env', 'A=1', 'baton']
  call add(Call('Command'), 'editor-host')
  call assert_equal(['env', 'A=1', 'baton'], g:baton_command, 'the list stays as it is')
endfunction

function! Test_a_host_that_is_started_again_gets_the_same_arguments() abort
  call Host()
  for turn in [1, 2]
    call assert_equal(1, Call('Start'))
    call assert_equal(1, Call('Start'), 'one that runs is not started again')
    call assert_true(WaitFor({-> filereadable(g:heard) && len(readfile(g:heard)) == turn}))
    call End()
    call assert_equal(0, Call('IsRunning'))
  endfor
  call assert_equal(['1 editor-host', '1 editor-host'], map(readfile(g:heard), {_, line -> join(split(line)[1:])}))
endfunction

function! Test_what_is_not_installed_is_said() abort
  call End()
  let g:baton_command = ['/no/baton', 'x']
  call assert_equal(0, Call('Start'))
  call baton#List()
  call assert_equal(["/no/baton isn't installed"], Said())
endfunction

function! Test_a_host_that_ends_is_started_five_times_a_minute() abort
  call End()
  let starts = g:directory . '/starts'
  let command = printf('echo >> %s; exit 1', starts)
  let g:baton_command = ['sh', '-c', command]
  for turn in range(12)
    call Call('Start')
    call WaitFor({-> !Call('IsRunning')})
  endfor
  " One that has ended before Vim looks at it is never running.
  call WaitFor({-> filereadable(starts) && len(readfile(starts)) >= 5})
  call assert_equal(5, len(readfile(starts)))
  call baton#Continue('')
  call assert_equal([printf("can't start `sh -c %s editor-host`", command)], Said())
endfunction

function! Test_what_is_too_long_is_not_sent() abort
  call Host()
  call Call('Start')
  call Call('Send', {'type': 'long', 'text': repeat('x', 65000)})
  call Call('Send', {'type': 'fits', 'text': repeat('é', 32400)})
  call assert_equal(['fits'], map(Heard(1), {_, message -> message.type}))
endfunction

" Messages that arrive. {{{1

function! Test_messages_arrive_in_pieces() abort
  for piece in ['{"type":"mess', 'age","text":"one"}' . "\n" . '{"type":"message","text":"tw', "o\"}\n{\"type\":", '"message","text":"three"}']
    call Hear(piece)
  endfor
  call assert_equal(['one', 'two'], Said())
  call Hear("\n")
  call assert_equal(['three'], Said())
endfunction

function! Test_a_character_arrives_in_pieces() abort
  let line = "{\"type\":\"message\",\"text\":\"日本\"}\n"
  for byte in range(strlen(line))
    call Hear(strpart(line, byte, 1))
  endfor
  call assert_equal(['日本'], Said())
endfunction

function! Test_a_host_says_something_in_pieces() abort
  call Host('{"type":"mess', 'age","text":"one"}' . "\n" . '{"type":"message","te', 'xt":"two"}' . "\n")
  call assert_equal(1, Call('Start'))
  let said = []
  call WaitFor({-> len(extend(said, Said())) >= 2})
  call assert_equal(['one', 'two'], said)
endfunction

function! Test_the_rest_of_an_old_host_is_none_of_the_next() abort
  call Hear('{"type":"message","text":"ol')
  call Host()
  call Call('Start')
  call Hear("{\"type\":\"message\",\"text\":\"new\"}\n")
  call assert_equal(['new'], Said())
endfunction

function! Test_malformed_messages_stop_nothing() abort
  for line in ['', 'no JSON', '[1]', '5', 'null', '"text"', '{', '{}', '{"type":1}', '{"type":0}', '{"type":null}', '{"type":"unknown"}', '{"type":[]}',
        \ '{"type":{}}', '{"type":true}', '{"type":["open"]}', '{"a":1,"a":2}', repeat('[', 2000)]
    call Hear(line . "\n")
    call Said()
    call Hear("{\"type\":\"message\",\"text\":\"next\"}\n")
    call assert_equal(['next'], Said(), line)
  endfor
endfunction

function! Test_messages_without_their_parts_are_failures() abort
  let buffers = len(getbufinfo({'buflisted': 1}))
  for line in ['{"type":"open"}', '{"type":"open","path":5}', '{"type":"open","path":"relative","device":"d","line":1}', '{"type":"offers"}', '{"type":"choose"}',
        \ '{"type":"message"}', '{"type":"failed"}', '{"type":"open","device":"d","line":1}', '{"type":"open","path":"/x","text":[],"device":"d","line":1}']
    call Hear(line . "\n")
    call assert_notequal([], Said(), line)
  endfor
  call assert_equal('n', mode())
endfunction

function! Test_what_is_said_has_no_signs_that_terminals_obey() abort
  call Hear("{\"type\":\"message\",\"text\":\"a\\u001b]0;x\\u0007\\nb\"}\n")
  call assert_equal(['a^[]0;x^G^@b'], Said())
endfunction

function! Test_answers_belong_to_their_requests() abort
  call Host()
  call Call('Start')
  let g:answers = []
  call Call('Ask', {'type': 'list'}, {offers -> add(g:answers, ['first', offers])})
  call Call('Ask', {'type': 'list'}, {offers -> add(g:answers, ['second', offers])})
  call Call('Ask', {'type': 'list'}, {offers -> add(g:answers, ['third', offers])})
  let requests = map(Heard(3), {_, message -> message.request})
  call assert_equal(3, len(uniq(sort(copy(requests)))))
  call Hear(printf("{\"type\":\"offers\",\"request\":\"%s\",\"offers\":[2]}\n{\"type\":\"offers\",\"request\":\"%s\",\"offers\":[1]}\n", requests[1], requests[0]))
  call assert_equal([['second', [2]], ['first', [1]]], g:answers)
  " The same again, one that nobody waits for, and one that failed.
  call Hear(printf("{\"type\":\"offers\",\"request\":\"%s\",\"offers\":[9]}\n{\"type\":\"offers\",\"request\":\"99\",\"offers\":[9]}\n", requests[0]))
  call Hear(printf("{\"type\":\"failed\",\"request\":\"%s\",\"message\":\"no\"}\n{\"type\":\"offers\",\"request\":\"%s\",\"offers\":[9]}\n", requests[2], requests[2]))
  call assert_equal(2, len(g:answers))
  call assert_equal(['no'], Said())
endfunction

" Which text is for others. {{{1

function! Position(lines, ...) abort
  execute 'edit!' fnameescape(File(get(a:000, 0, 'a.txt'), a:lines))
  return Call('Position')
endfunction

function! Test_the_position_counts_characters() abort
  call Position(['one', "\té日本x", 'three'])
  for [column, expected] in [[1, 1], [2, 2], [4, 3], [7, 4], [10, 5]]
    call cursor(2, column)
    let position = Call('Position')
    call assert_equal([2, expected], [position.line, position.column])
  endfor
  call assert_equal(g:directory . '/a.txt', position.path)
  call assert_equal([getftime('a.txt'), getfsize('a.txt')], [position.fileTime, position.fileSize])
  call assert_false(has_key(position, 'isModified'))
  call setline(1, 'changed')
  call assert_equal(v:true, Call('Position').isModified)
endfunction

function! Test_what_is_no_text_of_the_person_is_not_offered() abort
  for setting in ['let b:baton_private = 1', 'setlocal buftype=nofile', 'setlocal buftype=help', 'setfiletype gitcommit', 'setfiletype mail', 'setlocal noswapfile',
        \ exists('+key') ? 'setlocal key=secret' : 'let b:baton_private = 1']
    call assert_notequal({}, Position(['text']))
    execute setting
    call assert_equal({}, Call('Position'), setting)
    bwipeout!
  endfor
  enew!
  call assert_equal({}, Call('Position'), 'an empty buffer')
  call setline(1, ['', 'a draft'])
  call assert_equal([v:true, 0], [Call('Position').isModified, has_key(Call('Position'), 'path')], 'a text without a file')
  execute 'edit' fnameescape(g:directory)
  call assert_equal({}, Call('Position'), 'a directory')
endfunction

function! Test_excluded_names_are_not_offered() abort
  for [pattern, name, isExcluded] in [['*.key', 'a.key', 1], ['*.key', 'a.keys', 0], ['secret*', 'dir/secret-1', 1], ['secret*', 'secret/a', 0], ['id_?', 'id_a', 1],
        \ [g:directory . '/dir/*', 'dir/deep/a', 1], [g:directory . '/dir/*', 'other/a', 0], ['[ab].txt', 'b.txt', 1], ['{a,b}.md', 'a.md', 1], ['$HOME', 'HOME', 0],
        \ ['~/x*', 'x1', 1], ['~/x*', 'a/x1', 0], ['A.KEY', 'a.key', 0], ['*', 'anything', 1]]
    let g:baton_exclude = ['no-such-name', pattern]
    call assert_equal(isExcluded, empty(Position(['text'], name)), pattern . ' ' . name)
  endfor
  " A link is excluded by what it leads to, and a change of the setting counts immediately.
  call File('keys/one', ['text'])
  call system('ln -sf ' . shellescape(g:directory . '/keys/one') . ' ' . shellescape(g:directory . '/link'))
  let g:baton_exclude = []
  execute 'edit' fnameescape(g:directory . '/link')
  call assert_notequal({}, Call('Position'))
  let g:baton_exclude = [g:directory . '/keys/*']
  call assert_equal({}, Call('Position'))
endfunction

function! Test_a_name_that_is_no_text_is_not_offered() abort
  call assert_equal({}, Position(['text'], "caf\xe9.txt"))
  call assert_notequal({}, Position(['text'], 'café 日本 #%*.txt'))
endfunction

function! Test_a_language_is_a_word() abort
  call Position(['text'])
  for [language, expected] in [['python', 'python'], ['objective-c', 'objective-c'], ['html.twig', '']]
    execute 'noautocmd setlocal filetype=' . language
    call assert_equal(expected, get(Call('Position'), 'language', ''), language)
  endfor
endfunction

function! Test_the_name_that_the_person_gave_is_told() abort
  call File('real/a.txt', ['text'])
  call system('ln -sfn real ' . shellescape(g:directory . '/linked'))
  execute 'edit' fnameescape(g:directory . '/linked/a.txt')
  call assert_equal(g:directory . '/linked/a.txt', Call('Position').path)
  bwipeout!
  execute 'edit' fnameescape(g:directory . '/linked/../real/a.txt')
  call assert_equal(g:directory . '/real/a.txt', Call('Position').path)
endfunction

function! Test_the_host_hears_of_what_changes_and_no_more() abort
  call Host()
  call Position(['one', 'two'])
  call Call('Tell', 0)
  call Call('Tell', 0)
  call cursor(2, 1)
  call Call('Tell', 0)
  let b:baton_private = 1
  call Call('Tell', 0)
  call Call('Tell', 0)
  call Call('Tell', 1)
  unlet b:baton_private
  call Call('Tell', 1)
  call Call('Tell', 1)
  let heard = map(Heard(6), {_, message -> [message.type, get(message, 'line', 0)]})
  call assert_equal([['current', 1], ['current', 2], ['resign', 0], ['resign', 0], ['current', 2], ['current', 2]], heard)
endfunction

function! Test_sharing_is_turned_off_and_on() abort
  call Host()
  call Position(['one'])
  call Call('Tell', 0)
  call baton#Share('maybe')
  call assert_equal(['use :BatonShare on or :BatonShare off'], Said())
  call baton#Share('off')
  call assert_equal(['current', 'resign'], map(Heard(2), {_, message -> message.type}))
  call baton#Share('on')
  call assert_equal(['on', 'off'], baton#CompleteShare('', '', 0))
endfunction

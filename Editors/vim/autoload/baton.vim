" SPDX-License-Identifier: Apache-2.0
" Speaks with `baton editor-host`, which speaks with the daemon. Each message is one line of JSON.

let s:save_cpo = &cpo
set cpo&vim

" How long changes are gathered before the host learns of them, in milliseconds.
let s:delay = 200
" The host is started at most so often in that many seconds.
let s:most_starts = 5
let s:starts_time = 60

" Texts that one program writes for another.
let s:exclude_types = ['gitcommit', 'gitrebase', 'hgcommit', 'svn', 'crontab', 'mail', 'netrw', 'help', 'qf']

let s:job = v:null
let s:rest = ''
let s:starts = []
let s:timer = -1
let s:sent = {}
let s:isMissing = 0
" Whether the person has come back to the editor since the host was told.
let s:isBack = 0
let s:isSharing = get(g:, 'baton_share', 1)
let s:request = 0
let s:requests = {}
let s:queue = []
" Whether the file that is opened has a swap file.
let s:hasSwap = 0

" The host. {{{1

function! s:Command() abort
  let command = get(g:, 'baton_command', 'baton')
  " A list is the person's own.
  return type(command) == v:t_list ? copy(command) : [command]
endfunction

function! s:IsRunning() abort
  return s:job isnot v:null
endfunction

" Starts the host. Returns whether it runs.
function! s:Start() abort
  if s:IsRunning()
    return 1
  endif
  let command = s:Command()
  let s:isMissing = !executable(command[0])
  call filter(s:starts, {_, start -> localtime() - start < s:starts_time})
  if s:isMissing || len(s:starts) >= s:most_starts
    return 0
  endif
  call add(s:starts, localtime())
  let s:rest = ''
  let s:sent = {}
  let command += ['editor-host']
  if has('nvim')
    let job = jobstart(command, {'on_stdout': function('s:NvimReceived'), 'on_exit': function('s:NvimEnded')})
    let s:job = job > 0 ? job : v:null
  else
    let job = job_start(command, {'in_mode': 'raw', 'out_mode': 'raw', 'err_io': 'null', 'noblock': 1,
          \ 'out_cb': function('s:Received'), 'exit_cb': function('s:Ended')})
    let s:job = job_status(job) ==# 'run' ? job : v:null
  endif
  return s:IsRunning()
endfunction

function! s:Ended(job, status) abort
  if s:job is a:job
    let s:job = v:null
  endif
endfunction

function! s:NvimEnded(job, status, event) abort
  call s:Ended(a:job, a:status)
endfunction

function! s:NvimReceived(job, lines, event) abort
  " The first is the rest of the line before, and the last is the start of the next.
  if s:job is a:job
    call s:Received(a:job, join(a:lines, "\n"))
  endif
endfunction

function! s:Received(channel, text) abort
  let lines = split(s:rest . a:text, "\n", 1)
  let s:rest = remove(lines, -1)
  for line in lines
    try
      let message = json_decode(line)
    catch
      continue
    endtry
    " To Vim, a number can be the same as a word.
    if type(message) == v:t_dict && type(get(message, 'type')) == v:t_string
      call add(s:queue, message)
    endif
  endfor
  call s:Work()
endfunction

function! s:Send(message) abort
  if !s:IsRunning()
    return
  endif
  let line = json_encode(a:message) . "\n"
  " The host ends if a line is longer.
  if strlen(line) > 65000
    return
  endif
  try
    if has('nvim')
      call chansend(s:job, line)
    else
      call ch_sendraw(s:job, line)
    endif
  catch
    let s:job = v:null
  endtry
endfunction

" Asks for something whose answer calls a function.
function! s:Ask(message, Function) abort
  let s:request += 1
  let s:requests[s:request] = a:Function
  call s:Send(extend({'request': string(s:request)}, a:message))
endfunction

" Where the person is. {{{1

" Called when the buffer and its file have the same text.
function! baton#NoteFile() abort
  let [b:baton_time, b:baton_size] = [getftime(expand('%:p')), getfsize(expand('%:p'))]
endfunction

" Called when a file is opened. The name is the person's; later, Vim says another one if links to directories are in it.
function! baton#NoteName() abort
  let name = bufname('%')
  let directory = resolve($PWD) ==# getcwd() ? $PWD : getcwd()
  let given = name[0] ==# '/' || name ==# '' ? name : directory . '/' . name
  " Above a link is another directory than its name says.
  let b:baton_name = given =~# '/\.\.\%(/\|$\)' ? '' : given
endfunction

" The name by which the person opened the file, or its name now.
function! s:Name() abort
  let [name, given] = [expand('%:p'), get(b:, 'baton_name', '')]
  " Links are rare, and reading them takes time.
  return given !=# '' && given !=# name && resolve(given) ==# resolve(name) ? given : name
endfunction

" Called when the person has come back to the editor: it is what they work with, whatever came in between.
function! baton#NoteReturn() abort
  let s:isBack = 1
  call baton#Note()
endfunction

" Called for each event, also while somebody types. So it does nothing but start a timer.
function! baton#Note() abort
  if s:timer < 0 && s:isSharing
    let s:timer = timer_start(s:delay, function('s:TellLater'))
  endif
endfunction

function! s:TellLater(timer) abort
  let s:timer = -1
  " The window of command lines is not a text of the person.
  if s:isSharing && getcmdwintype() ==# '' && s:IsSeen()
    call s:Tell(0)
  endif
endfunction

" Whether a person sees the editor: it is no script, and no server without a screen.
function! s:IsSeen() abort
  return has('nvim') ? !empty(nvim_list_uis()) : mode(1) !~# '^c[ev]'
endfunction

" Tells the host, which may have asked.
function! s:Tell(isAsked) abort
  let position = s:Position()
  if !empty(position)
    if s:IsRunning() ? a:isAsked || s:isBack || position != s:sent : s:Start()
      let [s:sent, s:isBack] = [position, 0]
      call s:Send(extend({'type': 'current'}, position))
    endif
  elseif get(s:sent, 'buffer', '') ==# string(bufnr('%'))
    let s:sent = {}
    call s:Send({'type': 'resign'})
  elseif a:isAsked
    " What was handed over last stays.
    call s:Send(empty(s:sent) ? {'type': 'resign'} : extend({'type': 'current'}, s:sent))
  endif
endfunction

" Empty if the buffer is not for others.
function! s:Position() abort
  let name = s:Name()
  if &buftype !=# '' || get(b:, 'baton_private', 0) || index(s:exclude_types, s:Language()) >= 0
        \ || exists('+key') && &key !=# ''
    return {}
  endif
  " Plugins for secrets turn the swap file off, for their buffers only.
  if !&l:swapfile && &g:swapfile
    return {}
  endif
  let position = {'line': line('.'), 'topLine': line('w0'), 'buffer': string(bufnr('%')),
        \ 'column': strchars(strpart(getline('.'), 0, col('.') - 1)) + 1,
        \ 'view': {'org.vim.view': winsaveview()}}
  if bufname('%') ==# ''
    if !&modified || line('$') == 1 && getline(1) ==# ''
      return {}
    endif
  elseif name[0] !=# '/' || s:IsExcluded(name)
    return {}
  else
    let position.path = name
    if get(b:, 'baton_time', -1) >= 0
      let position.fileTime = b:baton_time
      let position.fileSize = b:baton_size
    endif
  endif
  if &modified
    let position.isModified = v:true
  endif
  if s:Language() =~# '^[A-Za-z0-9_+-]\+$'
    let position.language = s:Language()
  endif
  return position
endfunction

" Whether a path is not for others: it is in g:baton_exclude, or is no text, or a directory. The host knows more private files. This is
" found out once for each name of a buffer.
function! s:IsExcluded(path) abort
  let key = [a:path, get(g:, 'baton_exclude', [])]
  if get(b:, 'baton_checked', []) !=# key
    let b:baton_checked = deepcopy(key)
    let b:baton_excluded = !s:IsText(a:path) || isdirectory(a:path) || s:Matches(a:path)
  endif
  return b:baton_excluded
endfunction

" Whether JSON can have it. Names of files can be anything.
function! s:IsText(name) abort
  try
    return json_decode(json_encode(a:name)) ==# a:name
  catch
    return 0
  endtry
endfunction

function! s:Matches(path) abort
  for path in [a:path, resolve(a:path)]
    for pattern in get(g:, 'baton_exclude', [])
      if (pattern =~# '/' ? path : fnamemodify(path, ':t')) =~# glob2regpat(expand(escape(pattern, '*?[]{}$`')))
        return 1
      endif
    endfor
  endfor
  return 0
endfunction

" Messages of the host. {{{1

" Carries out what the host wants, as soon as that does not disturb.
function! s:Work(...) abort
  while !empty(s:queue)
    if s:queue[0].type =~# '^\%(open\|choose\|offers\)$' && (getcmdwintype() !=# '' || mode(1) !~# '^n\?t\?$')
      if mode() =~# "^[iRvVsS\<C-V>\<C-S>]"
        call feedkeys("\<C-\>\<C-N>", 'n')
      endif
      call timer_start(50, function('s:Work'))
      return
    endif
    let message = remove(s:queue, 0)
    let cpo = &cpo
    set cpo&vim
    try
      call s:Handle(message)
    catch
      call s:Say(v:exception)
    finally
      let &cpo = cpo
    endtry
  endwhile
endfunction

function! s:Handle(message) abort
  let type = a:message.type
  if type ==# 'open'
    call s:Open(a:message)
  elseif type ==# 'locate'
    call s:Tell(1)
  elseif type ==# 'save'
    call s:Save(a:message)
  elseif type ==# 'choose'
    call s:Choose(a:message)
  elseif type ==# 'offers'
    call s:Answer(a:message, a:message.offers)
  elseif type ==# 'message'
    call s:Say(a:message.text)
  elseif type ==# 'failed'
    if type(get(a:message, 'request', '')) == v:t_string && has_key(s:requests, get(a:message, 'request', ''))
      call remove(s:requests, a:message.request)
    endif
    call s:Say(a:message.message)
  endif
endfunction

function! s:Answer(message, value) abort
  let request = get(a:message, 'request', '')
  if has_key(s:requests, request)
    call remove(s:requests, request)(a:value)
  endif
endfunction

function! s:Say(text) abort
  echomsg 'baton: ' . strtrans(a:text)
endfunction

" Writes a buffer's text as :write would, without any trace in the editor.
function! s:Save(message) abort
  let answer = {'type': 'saved', 'request': a:message.request}
  let buffer = str2nr(get(a:message, 'buffer', ''))
  let saved = [&cpo, &backup, &writebackup, &patchmode]
  try
    if bufloaded(buffer)
      set cpo-=A cpo-=F cpo-=+ nobackup nowritebackup patchmode=
      let command = printf('call baton#Write(%s)', string(a:message.file))
      if bufwinid(buffer) >= 0
        call win_execute(bufwinid(buffer), command)
      elseif has('nvim')
        call luaeval('vim.api.nvim_buf_call(_A[1], function() vim.cmd(_A[2]) end)', [buffer, command])
      else
        let popup = popup_create(buffer, {'hidden': 1})
        call win_execute(popup, command)
        call popup_close(popup)
      endif
      let answer.file = a:message.file
    endif
  finally
    let [&cpo, &backup, &writebackup, &patchmode] = saved
    call s:Send(answer)
  endtry
endfunction

" Whether the encoding of the buffer has all of its text. For some, Vim writes other characters instead of failing.
function! s:IsEncodable() abort
  let [encoding, text] = [&l:fileencoding, join(getline(1, '$'), "\n")]
  return encoding ==# '' || encoding =~? '^u' || iconv(iconv(text, &encoding, encoding), encoding, &encoding) ==# text
endfunction

function! baton#Write(file) abort
  let fixendofline = &l:fixendofline
  setlocal nofixendofline
  try
    try
      execute 'silent noautocmd lockmarks keepalt write!' (s:IsEncodable() ? '' : '++enc=utf-8') fnameescape(a:file)
    catch /E513/
      " The text has characters that its encoding does not have.
      execute 'silent noautocmd lockmarks keepalt write! ++enc=utf-8' fnameescape(a:file)
    endtry
  finally
    let &l:fixendofline = fixendofline
  endtry
endfunction

" Lets the person choose one of the lines. The function gets its number, which is below 1 for none.
function! s:Pick(title, lines, Function) abort
  if exists('*popup_menu')
    call popup_menu(a:lines, {'title': ' ' . a:title . ' ', 'callback': {_, number -> a:Function(number)}})
  else
    let number = inputlist([a:title] + map(copy(a:lines), {index, line -> (index + 1) . '. ' . line}))
    redraw
    call a:Function(number <= len(a:lines) ? number : 0)
  endif
endfunction

function! s:Choose(message) abort
  let title = 'Which file? ' . strtrans(get(a:message, 'found', 'More than one matches'))
  call s:Pick(title, map(copy(a:message.paths), {_, path -> strtrans(path)}), function('s:Chosen', [a:message]))
endfunction

function! s:Chosen(message, number) abort
  let answer = {'type': 'chosen', 'request': a:message.request}
  if a:number >= 1
    let answer.path = a:message.paths[a:number - 1]
  endif
  call s:Send(answer)
endfunction

" Opening a place. {{{1

function! s:Open(message) abort
  let path = get(a:message, 'path', '')
  let text = get(a:message, 'text', '')
  let s:hasSwap = 0
  try
    if path ==# ''
      call s:OpenText(a:message)
    elseif path[0] !=# '/'
      throw 'not a file on this machine: ' . path
    else
      call s:OpenFile(path, get(a:message, 'isFetched', v:false))
      if text ==# ''
      elseif &modified || get(a:message, 'isConflict', v:false) || !&modifiable || &readonly || s:IsOther(a:message)
        call s:ShowDifference(a:message)
      else
        call s:Read(text)
      endif
    endif
    call s:Go(a:message)
  finally
    if text !=# ''
      call delete(text)
    endif
  endtry
  let where = get(a:message, 'found', '')
  call s:Say(printf('%s from %s%s%s', path ==# '' ? 'text' : fnamemodify(path, ':t'), a:message.device,
        \ where ==# '' ? '' : ': ' . where, s:hasSwap ? "; it has a swap file, so it's read-only (see :help :recover)" : ''))
  call baton#Note()
endfunction

" Whether the file is another version than the one that the text was compared with. It may have been a while ago.
function! s:IsOther(message) abort
  return has_key(a:message, 'fileTime')
        \ && [getftime(a:message.path), getfsize(a:message.path)] != [a:message.fileTime, a:message.fileSize]
endfunction

" The buffer of a file, or -1. To Vim, a file is the same whatever links lead to it.
function! s:Buffer(path) abort
  " Names of buffers are without links to directories.
  let path = resolve(fnamemodify(a:path, ':h')) . '/' . fnamemodify(a:path, ':t')
  let buffer = bufnr('^' . escape(path, '*?[]{},\$^~.') . '$')
  if buffer >= 0
    return buffer
  endif
  let path = resolve(path)
  let same = filter(getbufinfo({'bufloaded': 1}), {_, info -> info.name !=# '' && resolve(info.name) ==# path})
  return empty(same) ? -1 : same[0].bufnr
endfunction

" Goes from a window of another kind, such as a list of files at the side, to one with a text if there is one.
function! s:LeaveList() abort
  if &l:buftype !=# ''
    let texts = filter([winnr('#')] + range(1, winnr('$')), {_, number -> number > 0
          \ && getbufvar(winbufnr(number), '&buftype') ==# '' && win_gettype(number) ==# ''})
    if !empty(texts)
      execute texts[0] . 'wincmd w'
    endif
  endif
endfunction

" Shows a file, in a window that shows it if there is one.
function! s:OpenFile(path, isFetched) abort
  let buffer = s:Buffer(a:path)
  if a:isFetched && buffer >= 0 && !getbufvar(buffer, '&modified')
    " It is for a file that is gone: a fetched file has a new name.
    execute 'silent bwipeout' buffer
    let buffer = -1
  endif
  let windows = buffer >= 0 ? win_findbuf(buffer) : []
  if !empty(windows)
    call win_gotoid(windows[0])
    return s:Update()
  endif
  call s:LeaveList()
  let command = &modified && !&hidden && !&autowriteall || &l:buftype !=# '' ? 'split' : 'edit'
  let name = fnameescape(a:path)
  if a:isFetched && buffer < 0
    " The file comes from elsewhere: neither its modelines nor plugins that look into archives may run.
    let [modelines, shortmess] = [&modelines, &shortmess]
    " A swap file of a file that is gone must not lead to a question.
    set modelines=0 shortmess+=A
    try
      execute 'noautocmd' command name
    finally
      let [&modelines, &shortmess] = [modelines, shortmess]
    endtry
    call s:ShowFetched()
    call s:StayText()
    call s:StayForeign()
    return
  endif
  augroup baton_open
    autocmd!
    " Another program edits it. A question would stop the editor.
    autocmd SwapExists * let [v:swapchoice, s:hasSwap] = ['o', 1]
  augroup END
  try
    execute command name
  finally
    autocmd! baton_open
  endtry
  call s:Update()
endfunction

" The buffers in which nothing is the person's own.
let s:foreign = {}

" Vim reads a buffer again that was left, unless 'hidden' is set. It stays the text of another machine.
function! s:StayForeign() abort
  let s:foreign[bufnr('%')] = 1
  autocmd! baton_fetched * <buffer>
  autocmd baton_fetched BufReadCmd <buffer> call s:ReadAgain()
endfunction

augroup baton_fetched
augroup END

" What is the same each time that a file of another machine was read.
function! s:ShowFetched() abort
  setlocal nomodeline
  call baton#NoteFile()
  call s:ShowLanguage(s:LanguageOfName())
endfunction

" Reads the file again, and nothing else: no event is for its language, and its modelines do not count.
function! s:ReadAgain() abort
  execute 'silent noautocmd keepalt keepjumps 0read ++edit' fnameescape(expand('<afile>:p'))
  " :delete would take all of a closed fold.
  call deletebufline('%', '$')
  setlocal nomodified
  call s:ShowFetched()
endfunction

" Lets the buffer be text under any name that it gets: where 'filetype' is empty, :saveas turns the language on, and so
" does :write if there was no name. To Vim, the buffer without a name is wiped out then, with its autocommands.
function! s:StayText() abort
  autocmd! baton_stay * <buffer>
  autocmd baton_stay BufWipeout,BufFilePost <buffer> call s:IgnoreLanguage(str2nr(expand('<abuf>')))
endfunction

augroup baton_stay
augroup END

" Ignores the language that the command which runs finds out for the buffer.
function! s:IgnoreLanguage(buffer) abort
  if a:buffer == bufnr('%') && &filetype ==# '' && index(split(&eventignore, ','), 'FileType') < 0
    let eventignore = &eventignore
    set eventignore+=FileType
    call timer_start(0, {-> s:HeedLanguages(a:buffer, eventignore)})
  endif
endfunction

function! s:HeedLanguages(buffer, eventignore) abort
  if bufexists(a:buffer)
    call setbufvar(a:buffer, '&filetype', '')
  endif
  let &eventignore = a:eventignore
  if bufnr('%') == a:buffer
    call s:StayText()
    if has_key(s:foreign, a:buffer)
      call s:StayForeign()
    endif
  endif
endfunction

" The language that the name of the file says. Its plugins do not run: those for Perl, Ruby and Zig start these
" programs, and those of the person check, compile and format.
function! s:LanguageOfName() abort
  let eventignore = &eventignore
  set eventignore+=FileType
  try
    if exists('#filetypedetect')
      doautocmd <nomodeline> filetypedetect BufReadPost
    endif
    return &l:filetype
  finally
    noautocmd setlocal filetype=
    let &eventignore = eventignore
  endtry
endfunction

" Scripts in the folder of the languages that do something else than colouring.
let s:no_languages = ['2html', 'colortest', 'hitest', 'manual', 'nosyntax', 'syncolor', 'synload', 'syntax']

" The size in bytes from which text of another machine has no colours. To colour a part of a text, some languages parse
" all that is before it, again and again.
let s:large_text = 65536

" Colours text of another machine, and does nothing else.
function! s:ShowLanguage(language) abort
  let scripts = filter(split(a:language, '\.'), {_, part -> index(s:no_languages, part) >= 0})
  if a:language =~# '^[A-Za-z0-9_+.-]\+$' && empty(scripts) && line2byte(line('$') + 1) <= s:large_text
    " In these languages, the text or the name of its file chooses another script.
    let [b:eruby_subtype, b:liquid_subtype] = ['html', 'html']
    let &l:syntax = a:language
    unlet b:eruby_subtype b:liquid_subtype
  endif
endfunction

" The language of the buffer, which text of another machine has only as its colours.
function! s:Language() abort
  return &filetype ==# '' ? &syntax : &filetype
endfunction

" Stops what gives the text of the buffer to programs of its language, or runs a part of it to complete a word: text of
" another machine is about to be in it. How the buffer is indented stays.
function! s:StopCheckers() abort
  noautocmd setlocal filetype= omnifunc=
  let [b:ale_enabled, b:syntastic_mode, b:syntastic_skip_checks, b:neomake_disabled, b:coc_enabled] =
        \ [0, 'passive', 1, 1, 0]
  if has('nvim')
    lua for _, client in pairs(vim.lsp.get_clients and vim.lsp.get_clients({bufnr = 0}) or vim.lsp.buf_get_clients(0)) do
          \ pcall(vim.lsp.buf_detach_client, 0, client.id) end
  endif
endfunction

" Reads the file again if it has changed on the disk, unless the buffer has changes, too.
function! s:Update() abort
  let autoread = &l:autoread
  if !&modified
    setlocal autoread
    try
      execute 'silent checktime' bufnr('%')
    finally
      let &l:autoread = autoread
    endtry
  endif
endfunction

" Replaces the text of the buffer, which can be undone, and its encoding and format. Nothing in the text is obeyed.
function! s:Read(file) abort
  call s:StopCheckers()
  setlocal nomodeline
  call s:StayText()
  silent keepjumps %delete _
  if getfsize(a:file) > 0
    execute 'silent noautocmd keepalt keepjumps 0read ++edit' fnameescape(a:file)
    " :delete would take all of a closed fold.
    call deletebufline('%', '$')
  endif
  setlocal modified
endfunction

function! s:New(command) abort
  execute 'noautocmd keepalt' a:command
  setlocal nomodeline
endfunction

function! s:OpenText(message) abort
  if get(a:message, 'text', '') ==# ''
    throw "this isn't a file, and only Emacs can show it"
  endif
  call s:LeaveList()
  call s:New(&modified && !&hidden || &buftype !=# '' ? 'new' : 'enew')
  call s:Read(a:message.text)
  call s:StayForeign()
  call s:ShowLanguage(get(a:message, 'language', ''))
endfunction

" Shows the text beside the buffer, which stays as it is.
function! s:ShowDifference(message) abort
  let window = win_getid()
  let language = s:Language()
  diffthis
  call s:New('rightbelow vertical new')
  setlocal buftype=nofile bufhidden=wipe noswapfile
  call s:Read(a:message.text)
  setlocal nomodified
  execute 'silent! noautocmd keepalt file' fnameescape(printf('baton://%s/%s', substitute(a:message.device, '/', '-', 'g'),
        \ fnamemodify(a:message.path, ':t')))
  call s:ShowLanguage(language)
  diffthis
  call win_gotoid(window)
  let a:message.found = get(a:message, 'found', '') . '; its unsaved text is shown as a diff, and your copy is unchanged'
endfunction

function! s:Go(message) abort
  let view = {}
  let other = get(get(a:message, 'view', {}), 'org.vim.view', {})
  if type(other) == v:t_dict
    for key in ['topline', 'topfill', 'leftcol', 'skipcol']
      " Neovim ends itself at some numbers that no window has.
      if type(get(other, key, '')) == v:t_number
        let view[key] = max([0, min([other[key], key ==# 'topfill' ? &lines : 1000000])])
      endif
    endfor
  endif
  let top = get(a:message, 'topLine', 0)
  if type(top) == v:t_number && top > 0
    let view.topline = top
  endif
  let line = min([a:message.line, line('$')])
  let column = get(a:message, 'column', 1)
  let byte = byteidxcomp(getline(line), min([column, strchars(getline(line)) + 1]) - 1)
  let view.topline = max([1, min([get(view, 'topline', 1), line])])
  let view.lnum = line
  " Lines that only the other text has can be above the first one here.
  if &diff && view.topline == 1
    let view.topfill = min([diff_filler(1), winheight(0) / 2])
  endif
  call winrestview(view)
  " This also says in which column of the screen the cursor stays when it moves up and down.
  call cursor(line, max([byte, 0]) + 1)
  " The window may be smaller here.
  normal! zv
  redraw
endfunction

" Commands. {{{1

function! s:IsReady() abort
  if s:Start()
    return 1
  endif
  call s:Say(s:isMissing ? s:Command()[0] . " isn't installed" : "can't start `" . join(s:Command()) . ' editor-host`')
  return 0
endfunction

function! baton#List() abort
  if s:IsReady()
    call s:Ask({'type': 'list'}, function('s:ShowOffers'))
  endif
endfunction

function! s:ShowOffers(offers) abort
  if empty(a:offers)
    return s:Say('no other machine is offering a file')
  endif
  echo join(map(copy(a:offers), {_, offer -> s:OfferText(offer)}), "\n")
endfunction

function! s:OfferText(offer) abort
  return printf('%s  %s (%s)', a:offer.id[:7], strtrans(a:offer.title), strtrans(a:offer.device))
endfunction

function! baton#Continue(id) abort
  if s:IsReady()
    call s:Ask({'type': 'list'}, function('s:ContinueOne', [a:id]))
  endif
endfunction

function! s:ContinueOne(id, offers) abort
  let offers = filter(copy(a:offers), {_, offer -> stridx(offer.id, a:id) == 0})
  if empty(offers)
    return s:Say(a:id ==# '' ? 'no other machine is offering a file' : 'no other machine is offering ' . a:id)
  endif
  if len(offers) == 1
    return s:ContinueOffer(offers, 1)
  endif
  let lines = map(copy(offers), {_, offer -> s:OfferText(offer)})
  call s:Pick('Continue which file?', lines, function('s:ContinueOffer', [offers]))
endfunction

function! s:ContinueOffer(offers, number) abort
  if a:number >= 1
    let offer = a:offers[a:number - 1]
    call s:Send({'type': 'continue', 'request': '', 'id': offer.id, 'deviceID': offer.deviceID})
  endif
endfunction

function! baton#Share(state) abort
  if a:state !=# 'on' && a:state !=# 'off'
    return s:Say('use :BatonShare on or :BatonShare off')
  endif
  let s:isSharing = a:state ==# 'on'
  if s:isSharing
    call baton#Note()
  else
    let s:sent = {}
    call s:Send({'type': 'resign'})
  endif
endfunction

function! baton#CompleteShare(...) abort
  return ['on', 'off']
endfunction

let &cpo = s:save_cpo
unlet s:save_cpo
" vim: foldmethod=marker

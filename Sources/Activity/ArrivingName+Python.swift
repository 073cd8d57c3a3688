extension ArrivingName {
  /// The modules of Python itself, and what its tools import. `python3 -m http.server` looks for all of them in the
  /// folder that it is started in first. In lowercase, as the names of files are compared.
  static let pythonModules: Set<[UInt8]> = Set(
    """
    abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
    builtins bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent
    configparser contextlib contextvars copy copyreg cprofile crypt csv ctypes curses dataclasses datetime dbm
    decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput
    fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq
    hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache
    locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc
    nis nntplib nt ntpath nturl2path numbers numpy opcode operator optparse os ossaudiodev pathlib pdb pickle
    pickletools pip pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile
    pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib requests resource rlcompleter runpy sched
    secrets select selectors setuptools shelve shlex shutil signal site sitecustomize smtpd smtplib sndhdr socket
    socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct
    subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this
    threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types
    typing unicodedata unittest urllib usercustomize uu uuid venv warnings wave weakref webbrowser winreg winsound
    wsgiref xdrlib xml xmlrpc yaml zipapp zipfile zipimport zlib zoneinfo
    """.utf8.split { $0 == 0x20 || $0 == 0x0A }.map { Array($0) }
  )
}

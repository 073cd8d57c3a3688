// SPDX-License-Identifier: Apache-2.0

extension ArrivingName {
  /// The modules of Python itself, which are always there. `python3 -m http.server` looks for all of them in the folder
  /// that it is started in first. A folder is one of them if it has an `__init__.py`. In lowercase, as the names of
  /// files are compared.
  static let pythonModules = words(
    """
    __future__ _abc _aix_support _android_support _apple_support _ast _ast_unparse _asyncio _bisect _blake2
    _bootlocale _bootsubprocess _bz2 _codecs _codecs_cn _codecs_hk _codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw
    _collections _collections_abc _colorize _compat_pickle _compression _contextvars _crypt _csv _ctypes _curses
    _curses_panel _datetime _dbm _decimal _elementtree _frozen_importlib _frozen_importlib_external _functools _gdbm
    _hashlib _heapq _hmac _imp _interpchannels _interpqueues _interpreters _io _ios_support _json _locale _lsprof
    _lzma _markupbase _md5 _missing_stdlib_info _msi _multibytecodec _multiprocessing _opcode _opcode_metadata
    _operator _osx_support _overlapped _pickle _posixshmem _posixsubprocess _py_abc _py_warnings _pydatetime
    _pydecimal _pyio _pylong _pyrepl _queue _random _remote_debugging _scproxy _sha1 _sha2 _sha256 _sha3 _sha512
    _signal _sitebuiltins _socket _sqlite3 _sre _ssl _stat _statistics _string _strptime _struct _suggestions
    _symtable _sysconfig _thread _threading_local _tkinter _tokenize _tracemalloc _types _typing _uuid _warnings
    _weakref _weakrefset _winapi _wmi _zoneinfo _zstd abc annotationlib antigravity argparse array ast asyncio
    atexit base64 bdb binascii binhex bisect builtins bz2 calendar cmath cmd code codecs codeop collections colorsys
    compileall compression concurrent configparser contextlib contextvars copy copyreg cprofile csv ctypes curses
    dataclasses datetime dbm decimal difflib dis doctest email encodings enum errno faulthandler fcntl filecmp
    fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip
    hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools json keyword linecache locale
    logging lzma mailbox marshal math mimetypes mmap modulefinder msvcrt multiprocessing netrc nt ntpath nturl2path
    numbers opcode operator optparse os pathlib pdb pickle pickletools pkgutil platform plistlib poplib posix
    posixpath pprint profile profiling pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random
    re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site
    sitecustomize smtplib socket socketserver sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string
    stringprep struct subprocess symtable sys sysconfig syslog tabnanny tarfile tempfile termios textwrap this
    threading time timeit token tokenize tomllib trace traceback tracemalloc tty types typing unicodedata unittest
    urllib usercustomize uuid warnings wave weakref webbrowser winsound wsgiref xml xmlrpc zipapp zipfile zipimport
    zlib zoneinfo
    """
  )

  /// What programs import if it is there: modules of other packages, and those that Python or a distribution has left
  /// out. Python takes any folder for one that is not there, and for a part of one that has no `__init__.py`, such as
  /// `google`.
  static let pythonPackages = words(
    """
    _brotli _cffi_backend _dbus_bindings _dbus_glib_bindings _distutils_hack _pytest _smbc _yaml aifc aiohttp anyio
    apport apt apt_inst apt_pkg aptdaemon aptsources argcomplete asynchat asyncore attr attrs audioop babel
    backports bcrypt blinker bluetooth bottle brotli bs4 cairo certifi cffi cgi cgitb chardet charset_normalizer
    chunk click colorama coverage crypt cryptography cssselect cups cupshelpers curio cython dateutil dbus debconf
    debian debian_bundle decorator defusedxml distro distutils django dns docker docutils ensurepip evdev fabfile
    fastapi feedparser flask fuse gdbm gi git google gpg greenlet gst hpack html5lib httplib2 httpx hypothesis
    idlelib idna imghdr imp importlib_metadata importlib_resources ipykernel ipython ipython_genutils isodate
    itsdangerous jedi jeepney jinja2 jsonschema jupyter jwt keyring launchpadlib lazr lib2to3 libvirt libxml2
    libxml2mod louis lxml magic mailcap mako markdown markupsafe matplotlib mpl_toolkits mpmath msgpack msilib
    multidict mutagen mypy nacl networkx nis nntplib nose numpy oauthlib odf olefile openssl org orjson ossaudiodev
    packaging pandas paramiko parso pathspec pep517 pexpect pil pip pipes pkg_resources platformdirs pluggy ply
    problem_report prompt_toolkit psutil psycopg2 ptyprocess py pyasn1 pyatspi pycparser pycurl pygments pygtkcompat
    pyinotify pymysql pyparsing pyqt5 pyqt6 pyside2 pyside6 pytest pytz pyuno qrcode redis regex reportlab requests
    rich ruamel scipy secretstorage selinux serial setuptools simplejson sip six sklearn smbc smtpd sndhdr sniffio
    socks softwareproperties sortedcontainers soupsieve sphinx spwd sqlalchemy sunau sympy systemd tasks telnetlib
    tensorflow termcolor tkinter toml tomli torch tornado tqdm traitlets trio turtle turtledemo twisted
    typing_extensions tzdata tzlocal ujson unidiff uno unohelper uritemplate urllib3 urllib3_secure_extra usb uu
    uvloop venv vobject wcwidth webencodings websocket websockets werkzeug wheel winreg wrapt wx xapp xattr xdg
    xdrlib xlrd xmltodict yaml yarl zipp zmq zope zstandard
    """
  )

  static func words(_ text: String) -> Set<[UInt8]> {
    Set(text.utf8.split { $0 == 0x20 || $0 == 0x0A }.map { Array($0) })
  }
}

# make                    builds both programs for use, Swift linked in
# make demo               shows a hand-off between two daemons on this machine
# make test               checks, builds and tests everything, also under sanitizers
# make install            installs below PREFIX (/usr/local); DESTDIR= is for packagers
# make uninstall          removes what install put there, but not the configuration
# make deb                builds Debian packages of both and of the library into .build/deb
# make documentation      builds the library's documentation into .build/documentation, and checks it
# make bench              measures streams and waits, against socat, and waits beside attacks
# make faults             every cut, kill and failing call that the state directory can meet; takes hours
# make fuzz               gives each fuzzer 20 s: SECONDS= for others, TARGET= for one of them
# make soak               moves a GiB both ways over a bad network, for as long as that takes
# make interface          writes the Varlink interface into the Swift source that serves it
# make format, make check

SHELL := /bin/bash
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=
SWIFT ?= swift
INSTALL ?= install

# For builds that are to leave the processors to tests and to the programs' build. nice(1) does not do: the compilers take it back.
IDLE := $(if $(shell command -v chrt),chrt --idle 0)

RELEASE := .build/release
bin := $(DESTDIR)$(PREFIX)/bin
sbin := $(DESTDIR)$(PREFIX)/sbin
units := $(DESTDIR)$(PREFIX)/lib/systemd
sysusers := $(DESTDIR)$(PREFIX)/lib/sysusers.d
applications := $(DESTDIR)$(PREFIX)/share/applications
man := $(DESTDIR)$(PREFIX)/share/man
share := $(DESTDIR)$(PREFIX)/share
completions := $(share)/bash-completion/completions/baton $(share)/zsh/site-functions/_baton $(share)/fish/vendor_completions.d/baton.fish
# firewalld reads /usr/lib and /etc, and nothing below /usr/local.
firewalld := $(DESTDIR)$(if $(filter /usr,$(PREFIX)),$(PREFIX)/lib,$(SYSCONFDIR))/firewalld/services/baton.xml
ufw := $(DESTDIR)$(SYSCONFDIR)/ufw/applications.d/baton
config := $(DESTDIR)$(SYSCONFDIR)/baton

# The targets whose tests need nothing but memory, sockets of this machine and a D-Bus of their own.
SANITIZED := ^(Activity|Baton|BatonAgent|BatonCommand|BatonDaemon|Continuation|ContinuationStreams|ControlInterface|DesktopEntries|Diagnosis|Discovery|EventLoop|JSONCoding|Notifications|PeerProtocol|Reachability|Systemd|TLS|Teams|Varlink|VarlinkService)Tests\.
# Of these the ones that have threads.
THREADED := ^(Baton|BatonAgent|BatonDaemon|ContinuationStreams|Discovery|EventLoop|Systemd|VarlinkService)Tests\.
UNSANITIZED := aPeerThatGoesOnTalkingAfterItWasToldToLeaveCostsNothing|aHundredThousandEvents|mutatedMessagesDoNoHarm

.PHONY: all install uninstall deb demo documentation bench soak faults test packages check format interface unit integration service installation
.PHONY: state sanitize address thread fuzz fuzzers

all:
	$(SWIFT) build -c release --static-swift-stdlib --product batond
	$(SWIFT) build -c release --static-swift-stdlib --product baton

# Builds nothing: `sudo make install` after `make` leaves no files of root in .build.
install:
	@test -x $(RELEASE)/batond -a -x $(RELEASE)/baton || { echo "Run make first."; exit 1; }
	$(INSTALL) -D -m 755 $(RELEASE)/baton $(bin)/baton
	$(INSTALL) -D -m 755 $(RELEASE)/batond $(sbin)/batond
	$(INSTALL) -d $(units)/system $(units)/user
	sed 's|@prefix@|$(PREFIX)|' systemd/batond.service > $(units)/system/batond.service
	sed 's|@prefix@|$(PREFIX)|' systemd/batond.user.service > $(units)/user/batond.service
	chmod 644 $(units)/system/batond.service $(units)/user/batond.service
	sed 's|@prefix@|$(PREFIX)|' systemd/baton-agent.service > $(units)/user/baton-agent.service
	chmod 644 $(units)/user/baton-agent.service
	$(INSTALL) -D -m 644 Config/io.baton.Agent.desktop $(applications)/io.baton.Agent.desktop
	$(INSTALL) -m 644 systemd/batond.socket systemd/batond-retry.timer $(units)/system
	$(INSTALL) -m 644 systemd/batond.user.socket $(units)/user/batond.socket
	$(INSTALL) -D -m 644 systemd/batond.preset $(units)/system-preset/80-batond.preset
	$(INSTALL) -D -m 644 systemd/batond.user.preset $(units)/user-preset/80-batond.preset
	$(INSTALL) -D -m 644 systemd/batond.sysusers.conf $(sysusers)/batond.conf
	test -e $(config)/batond.conf || $(INSTALL) -D -m 644 Config/batond.conf $(config)/batond.conf
	$(INSTALL) -D -m 644 Documentation/man/baton.1 $(man)/man1/baton.1
	$(INSTALL) -D -m 644 Documentation/man/batond.8 $(man)/man8/batond.8
	$(INSTALL) -D -m 644 Documentation/man/batond.conf.5 $(man)/man5/batond.conf.5
	$(INSTALL) -D -m 644 Config/completions/baton.bash $(word 1,$(completions))
	$(INSTALL) -D -m 644 Config/completions/_baton $(word 2,$(completions))
	$(INSTALL) -D -m 644 Config/completions/baton.fish $(word 3,$(completions))
	$(INSTALL) -D -m 644 Config/firewalld/baton.xml $(firewalld)
	$(INSTALL) -D -m 644 Config/ufw/baton $(ufw)

uninstall:
	rm -f $(bin)/baton $(sbin)/batond $(sysusers)/batond.conf
	rm -f $(addprefix $(units)/system/,batond.service batond.socket batond-retry.timer) $(units)/system-preset/80-batond.preset
	rm -f $(addprefix $(units)/user/,batond.service batond.socket) $(units)/user-preset/80-batond.preset
	rm -f $(units)/user/baton-agent.service $(applications)/io.baton.Agent.desktop
	rm -f $(man)/man1/baton.1 $(man)/man8/batond.8 $(man)/man5/batond.conf.5
	rm -f $(completions) $(firewalld) $(ufw)

# Of a copy, so that the work tree stays as it is; with the programs that `make` builds here.
deb: packages all
	Scripts/build-packages $(RELEASE) .build/deb

demo: packages
	$(MAKE) all
	Scripts/demo $(RELEASE)

bench: packages all
	$(SWIFT) build -c release --static-swift-stdlib --product benchmark
	Benchmarks/run
	Benchmarks/under-attack

soak: packages all
	Scripts/run-soak

# With the kills of streams in the same measure.
faults: packages all
	status=0; Scripts/run-faults --all || status=1; \
	[ ! -e Tests/Integration/test_stream_kills.py ] || STREAM_ROUNDS=1000 Scripts/run-integration stream_kills || status=1; \
	exit $$status

packages:
	Scripts/install-packages

format:
	$(SWIFT) format format -i -r Package.swift Sources Examples Tests Benchmarks

interface:
	Scripts/embed-interface

check:
	Scripts/check-pure-targets
	Scripts/check-decoders
	Scripts/check-identity
	Scripts/check-security
	Scripts/check-file-length
	Scripts/embed-interface --check
	Scripts/check-units
	Scripts/check-manuals
	Scripts/check-english
	$(SWIFT) format lint --strict -r Package.swift Sources Examples Tests Benchmarks

# At once, and each in a directory of its own, as a build locks it: the tests mostly wait, and the sanitizers mostly build.
test: packages check
	rm -f .build/failures
	$(MAKE) -k -j8 unit integration service installation state address thread fuzzers || { cat .build/failures; exit 1; }
	Scripts/note-failures Scripts/run-fuzz --quiet

# One test at a time: beside one that computes, others would miss their deadlines.
unit: export SCRATCH := .build/tests
unit:
	$(IDLE) $(SWIFT) build --build-tests --scratch-path $(SCRATCH) --explicit-target-dependency-import-check error
	Scripts/note-failures $(SWIFT) test --scratch-path $(SCRATCH) --skip-build --disable-xctest --no-parallel
	Scripts/note-failures Scripts/run-discovery
	SWIFT=$(SWIFT) Scripts/check-documentation

documentation:
	SWIFT=$(SWIFT) Scripts/check-documentation

# The programs as users get them, with real Avahi and clients of others.
integration: all
	$(SWIFT) build -c release --static-swift-stdlib --product MonkeyBrowser
	$(SWIFT) build -c release --static-swift-stdlib --product handoff-app
	$(SWIFT) build -c release --static-swift-stdlib --product stream-app
	Scripts/note-failures Tests/Varlink/run
	Scripts/note-failures Scripts/run-integration

# The state directory, harmed in every way that is known: a sample of what `make faults` tries.
state: all
	Scripts/note-failures Scripts/run-faults

# On machines that are booted.
service: all
	Scripts/note-failures Scripts/run-systemd

# On others, with the packages.
installation: all
	Scripts/note-failures Scripts/run-package

# Left out: a test that looks at the process's memory, which the sanitizers keep, and two long simulations of values.
sanitize: address thread

address:
	$(IDLE) $(SWIFT) build --build-tests --sanitize=address --scratch-path .build/address
	ASAN_OPTIONS=detect_leaks=0 Scripts/note-failures $(SWIFT) test --skip-build --sanitize=address \
	  --scratch-path .build/address --disable-xctest --no-parallel --filter '$(SANITIZED)' --skip '$(UNSANITIZED)'

thread:
	$(IDLE) $(SWIFT) build --build-tests --sanitize=thread --scratch-path .build/thread
	Scripts/note-failures $(SWIFT) test --skip-build --sanitize=thread \
	  --scratch-path .build/thread --disable-xctest --no-parallel --filter '$(THREADED)' --skip '$(UNSANITIZED)'

# What decodes and decides, with inputs that nobody would think of. CONTRIBUTING.md says more.
fuzz: SECONDS = 20
fuzz:
	SWIFT=$(SWIFT) SECONDS_EACH=$(SECONDS) Scripts/run-fuzz $(TARGET)

fuzzers:
	SWIFT=$(SWIFT) Scripts/note-failures $(IDLE) Scripts/run-fuzz --build

# SPDX-License-Identifier: Apache-2.0
# make                    builds the programs for use, with Swift linked in
# make demo               shows a handoff between two daemons on this machine
# make check              checks the formatting, and the rules that CONTRIBUTING.md lists
# make format             formats the code
# make test               runs what continuous integration runs: the check, and the parts below, at the same time, without the
#                         tests of Tests/long-ring; CHANGED=1 takes what depends on your changes since the branch BASE=main
# make test-all           runs everything: also those tests, the thread sanitizer and the fuzzers; PARTS="unit thread" takes some
#   make unit               unit tests, those of code with C and descriptors under the address sanitizer
#   make plugins            unit tests of the browsers' extension, the Vim script and the Emacs package, in Node, Vim and Emacs
#   make discovery          discovery with real Avahi
#   make replay             the inputs that the fuzzers have found
#   make thread             the suites of code with threads, under the thread sanitizer; TESTS= takes some of them
#   make integration        the programs, in networks of their own, with real Avahi
#   make varlink            Varlink clients that others wrote
#   make everyday           pages, terminals, editors and files, with real browsers, shells, editors and file managers
#   make state              a sample of what can happen to the state directory
#   make costs              the instructions and allocations of what the daemon does most, which are counted, not timed
#   make service            the installed service, on booted machines
#   make installation       the Debian packages, on fresh Debians
#   make distribution       everything that a release publishes, on systems that have nothing of Baton
#   make documentation      the library's documentation, in .build/documentation, which must be complete
#   make fuzz               each fuzzer for 20 s; SECONDS= sets the time, TARGET= names one fuzzer
#   make twice              builds the programs again in another folder, and compares; only in `make test-all`
#   make debian             builds the programs on a fresh Debian 13; only in `make test-all`
# make test-times         shows where the time of the last tests went: their parts, and the slowest tests
# make desktop            searches in GNOME Shell and KRunner, on a booted machine; downloads 550 MB the first time
# make faults             everything that can happen to the state directory; takes hours
# make soak               moves a GiB each way over a bad network
# make bench              compares Baton with ssh, stunnel, socat, nginx and others, in five minutes; TABLES= takes some
#                         tables, FULL=1 all of them, QUICK=1 little of each, and DOCUMENT=1 all of them and renews
#                         Documentation/reference/Performance.md; BASE= compares with the programs of a commit or of a
#                         folder instead, and fails if the present ones are worse
# make order              finds out which functions batond runs most, and writes Linking/functions.order, by which
#                         the linker places them together; needs the networks of the tests, and takes a minute
# make deb                builds Debian packages of both programs and of the library into .build/deb
# make dist               makes everything that a release publishes in .build/dist, without signatures: see Releasing.md
# make install            installs below PREFIX (/usr/local); DESTDIR= is for packagers
# make install-strip      does the same, without the symbols that debuggers need: 12 instead of 38 MB a program
# make install-editors    installs what Vim, Neovim and Emacs need to hand over texts
# make install-desktop    installs the menus of file managers
# make install-rendezvous  installs what runs the servers where machines meet, on a machine that may have nothing else
# make install-webextension  installs the extension for Chromium and Firefox, where Debian's browsers look for it
# make install-webextension-chrome   installs it for Chrome, Brave, Edge, Vivaldi and Chromium from elsewhere, by policy;
#                         CRX_KEY= names the key that signs it
# make install-webextension-firefox  installs it for Mozilla's own builds of Firefox; FIREFOX_XPI= names the file that Mozilla signed
# make uninstall          removes what install put there, but not the configuration
# make interface          writes the Swift types of the local interfaces, and Reasons.md, from Documentation/reference/*.varlink
# make translations       collects the texts for translators, in po

SHELL := /bin/bash
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=
SWIFT ?= swift
INSTALL ?= install
INSTALL_PROGRAM ?= $(INSTALL)
# Here, warnings are errors. An app that depends on a checkout builds without this (see Package.swift).
export BATON_STRICT := 1
# Programs of unit tests count lines (see Package.swift). Only Scripts/run-units wants to know.
export LLVM_PROFILE_FILE := /dev/null

# Each function has a section of its own, so that the linker can leave it out, and place it (see Package.swift).
# Package.swift says where programs look for libraries.
BUILD_RELEASE := $(SWIFT) build -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -Xfrontend -Xswiftc -function-sections

# A program holds no path of the folder in which it was built, so two builds give the same bytes. Debuggers look for the
# sources from where they are started. Paths of the cache of C modules are left out.
BUILD_RELEASE += -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xswiftc -file-compilation-dir -Xswiftc . \
  -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs -Xcc -ffile-prefix-map=$(CURDIR)=.

# Swift's runtime needs the C++ library. Loading it would take a tenth of the time of a short command, so the programs
# contain what they need of it, if this machine has it as an archive.
cxx_archive := $(lastword $(sort $(wildcard /usr/lib/gcc/*/*/libstdc++.a)))
ifneq ($(cxx_archive),)
$(shell mkdir -p .build/static && ln -sf $(cxx_archive) .build/static/libstdc++.a)
BUILD_RELEASE += -Xlinker -L$(abspath .build/static)
endif

RELEASE := .build/release
bin := $(DESTDIR)$(PREFIX)/bin
sbin := $(DESTDIR)$(PREFIX)/sbin
units := $(DESTDIR)$(PREFIX)/lib/systemd
sysusers := $(DESTDIR)$(PREFIX)/lib/sysusers.d
applications := $(DESTDIR)$(PREFIX)/share/applications
entries := $(addprefix io.baton.,Agent.desktop Search.desktop Terminal.desktop TextEditor.desktop)
man := $(DESTDIR)$(PREFIX)/share/man
# baton-rendezvous(8) is for the servers.
manuals := $(filter-out %/baton-rendezvous.8,$(wildcard Documentation/reference/man/*.[1-9]))
# The names of the manual page $$page, which the line below .SH NAME lists. All but the first become links to it.
manual_names := sed -n '/^\.SH NAME/{n;s/ \\- .*//;s/\\-/-/g;s/,//g;p}' "$$page"
share := $(DESTDIR)$(PREFIX)/share
# Where desktops look for programs to search with.
dbus := $(share)/dbus-1/services/io.baton.Search.service
# The bus reads these two folders.
buspolicy := $(if $(filter /usr,$(PREFIX)),$(share),$(DESTDIR)$(SYSCONFDIR))/dbus-1/system.d/io.baton.Handoff.conf
provider := $(share)/gnome-shell/search-providers/io.baton.Search.search-provider.ini
icon := $(share)/icons/hicolor/scalable/apps/io.baton.Agent.svg
# What software centres show.
metainfo := $(share)/metainfo/io.baton.Agent.metainfo.xml
catalogs := $(foreach language,$(shell cat po/LINGUAS),$(share)/locale/$(language)/LC_MESSAGES/baton.mo)
krunner := $(share)/krunner/dbusplugins/io.baton.Search.desktop
completions := $(share)/bash-completion/completions/baton $(share)/zsh/site-functions/_baton $(share)/fish/vendor_completions.d/baton.fish
# Where Debian's Vim, Neovim and Emacs look for plugins of packages. Those of other systems look below /usr/share, too.
vim := $(share)/vim/vimfiles/pack/dist-bundle/start/baton
neovim := $(share)/nvim/site/pack/dist-bundle/start/baton
emacs := $(share)/emacs/site-lisp/elpa/baton-$(shell sed -n 's/^;; Version: //p' Editors/emacs/baton.el)
# Where file managers look for what they show in their menus. Nemo's plugins are always below /usr/share.
sendfiles := $(DESTDIR)$(PREFIX)/lib/baton/send-files
plugins := $(share)/nautilus-python/extensions/baton_menu.py $(share)/nemo-python/extensions/baton_menu.py
sendentries := $(applications)/io.baton.Send.desktop $(share)/Thunar/sendto/io.baton.Send.desktop $(share)/kio/servicemenus/io.baton.Send.desktop
icons := $(addprefix $(share)/icons/hicolor/,$(foreach size,16 32 48 128,$(size)x$(size)/apps/baton.png) scalable/apps/baton.svg)
# firewalld reads /usr/lib and /etc, and nothing below /usr/local.
firewalld := $(DESTDIR)$(if $(filter /usr,$(PREFIX)),$(PREFIX)/lib,$(SYSCONFDIR))/firewalld/services/baton.xml
ufw := $(DESTDIR)$(SYSCONFDIR)/ufw/applications.d/baton
# What runs servers. Debian's systemd and firewalld look for it in the same places as for the rest.
servers := $(sbin)/baton-rendezvous $(units)/system/baton-rendezvous.service $(units)/system/baton-relay.service \
  $(sysusers)/baton-rendezvous.conf $(man)/man8/baton-rendezvous.8 \
  $(share)/bash-completion/completions/baton-rendezvous $(dir $(firewalld))baton-rendezvous.xml $(ufw)-rendezvous \
  $(units)/system-preset/80-baton-rendezvous.preset
config := $(DESTDIR)$(SYSCONFDIR)/baton
# Debian's browsers read /usr and /etc, whatever PREFIX is.
firefox := $(DESTDIR)/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/handoff@baton.io
firefoxpreferences := $(DESTDIR)$(SYSCONFDIR)/firefox-esr/baton.js
chromium := $(DESTDIR)/usr/share/chromium/extensions/baton
# The agent looks for it beside its own program.
clipboardhelper := $(DESTDIR)$(PREFIX)/lib/baton/clipboard-helper
browserhost := $(DESTDIR)$(PREFIX)/lib/baton/browser-host
hosts := $(DESTDIR)$(SYSCONFDIR)/chromium/native-messaging-hosts $(DESTDIR)/usr/lib/mozilla/native-messaging-hosts
# LibreWolf looks for hosts in a folder of its own.
librewolfhosts := $(DESTDIR)/usr/lib/librewolf/native-messaging-hosts
# What browsers of Chromium's family take by policy. Each looks for policies and hosts in a folder of its own, and some look for
# hosts in that of Chrome or Chromium (see BrowserProduct+All.swift). Nothing says whether Opera reads its folder. The policy's
# name sorts before others, because of two policies the last one counts.
CRX_KEY ?= Packaging/extension/development-key.pem
crx := $(PREFIX)/share/baton/browser
families := brave chromium chromium-browser opera opt/chrome opt/edge vivaldi
policies := $(foreach family,$(families),$(DESTDIR)$(SYSCONFDIR)/$(family)/policies/managed/!baton.json)
chromehosts := $(foreach family,$(filter-out chromium,$(families)),$(DESTDIR)$(SYSCONFDIR)/$(family)/native-messaging-hosts/io.baton.browser.json)
# Puts the extension into the policies of Firefox.
firefoxpolicy := $(DESTDIR)$(crx)/firefox-policy
chromiumflags := $(DESTDIR)$(SYSCONFDIR)/chromium.d/extensions-baton

# Continuous integration builds these from scratch each time. The default, one compiler process for each few files, takes a
# quarter longer. A separate process that emits each module's interface early takes another eighth, and so does debug
# information; without it, a trap names its function, and no line. The index stays, because SwiftPM looks for XCTest's
# tests in it, and fails without it.
CHEAP := -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -no-emit-module-separately-wmo
UNIT := --scratch-path .build/unit -debug-info-format none $(CHEAP)
THREAD := --scratch-path .build/thread --sanitize=thread $(CHEAP) -Xswiftc -gline-tables-only
# What runs at the same time, because most tests mostly wait.
GATE := unit plugins discovery replay integration varlink everyday state costs service installation distribution documentation
# Those that need the programs.
INSTALLED := integration varlink everyday state costs service installation distribution firewall upgrade
PARTS ?= $(if $(filter test-all,$(MAKECMDGOALS)),$(GATE) thread fuzz twice debian firewall upgrade,$(GATE))
# The names that `Scripts/changed-tests` finds: of unit tests' targets, and of files of integration and everyday tests.
UNITS ?=
INTEGRATION ?=
EVERYDAY ?=

.PHONY: all order help install install-strip install-webextension install-webextension-chrome install-webextension-firefox install-editors install-desktop install-rendezvous uninstall deb dist demo documentation bench soak faults test check
.PHONY: format interface translations unit thread integration service installation desktop everyday state fuzz packages programs build-programs costs previous
.PHONY: firewall upgrade twice debian distribution fresh-debian varlink plugins discovery replay unit-build thread-build test-all test-parts test-times checked

all:
	@# The package manager does not know what else the linker reads.
	@find Linking -newer $(RELEASE)/batond -exec rm -f $(RELEASE)/batond $(RELEASE)/baton ';' 2>/dev/null || true
	$(BUILD_RELEASE) --product batond
	$(BUILD_RELEASE) --product baton
	$(BUILD_RELEASE) --product baton-clipboard

help:
	@sed -n '/^# make/,/^$$/s/^# //p' Makefile

# Builds nothing, so that `sudo make install` after `make` leaves no files in .build that belong to root.
install:
	@test -x $(RELEASE)/batond -a -x $(RELEASE)/baton -a -x $(RELEASE)/baton-clipboard || { echo "Run make first."; exit 1; }
	$(INSTALL_PROGRAM) -D -m 755 $(RELEASE)/baton $(bin)/baton
	$(INSTALL_PROGRAM) -D -m 755 $(RELEASE)/batond $(sbin)/batond
	$(INSTALL_PROGRAM) -D -m 755 $(RELEASE)/baton-clipboard $(clipboardhelper)
	$(INSTALL) -d $(units)/system $(units)/user
	sed 's|@prefix@|$(PREFIX)|g' systemd/batond.service > $(units)/system/batond.service
	sed 's|@prefix@|$(PREFIX)|g' systemd/batond.user.service > $(units)/user/batond.service
	chmod 644 $(units)/system/batond.service $(units)/user/batond.service
	sed 's|@prefix@|$(PREFIX)|g' systemd/baton-agent.service > $(units)/user/baton-agent.service
	chmod 644 $(units)/user/baton-agent.service
	$(INSTALL) -d $(applications)
	$(INSTALL) -m 644 $(addprefix Config/,$(entries)) $(applications)
	$(INSTALL) -D -m 644 WebExtension/icons/baton.svg $(icon)
	$(INSTALL) -D -m 644 Config/io.baton.Agent.metainfo.xml $(metainfo)
	for language in $$(cat po/LINGUAS); do \
	  $(INSTALL) -d $(share)/locale/$$language/LC_MESSAGES || exit; \
	  msgfmt -o $(share)/locale/$$language/LC_MESSAGES/baton.mo po/$$language.po || exit; \
	done
	$(INSTALL) -d $(dir $(dbus))
	sed 's|@prefix@|$(PREFIX)|g' Config/dbus/io.baton.Search.service > $(dbus)
	chmod 644 $(dbus)
	$(INSTALL) -D -m 644 Config/dbus/io.baton.Handoff.conf $(buspolicy)
	$(INSTALL) -D -m 644 Config/gnome-shell/io.baton.Search.search-provider.ini $(provider)
	$(INSTALL) -D -m 644 Config/krunner/io.baton.Search.desktop $(krunner)
	$(INSTALL) -m 644 systemd/batond.socket systemd/batond-retry.timer $(units)/system
	$(INSTALL) -m 644 systemd/batond.user.socket $(units)/user/batond.socket
	$(INSTALL) -m 644 systemd/baton-agent.socket $(units)/user
	$(INSTALL) -D -m 644 systemd/batond.preset $(units)/system-preset/80-batond.preset
	$(INSTALL) -D -m 644 systemd/batond.user.preset $(units)/user-preset/80-batond.preset
	$(INSTALL) -D -m 644 systemd/batond.sysusers.conf $(sysusers)/batond.conf
	for file in batond.conf agent.conf; do \
	  test -e $(config)/$$file || $(INSTALL) -D -m 644 Config/$$file $(config)/$$file || exit; \
	done
	for page in $(manuals); do \
	  file=$${page##*/} section=$${page##*.}; \
	  $(INSTALL) -D -m 644 "$$page" $(man)/man$$section/$$file || exit; \
	  for name in $$($(manual_names)); do \
	    [ $$name.$$section = $$file ] || ln -sf $$file $(man)/man$$section/$$name.$$section || exit; \
	  done; \
	done
	$(INSTALL) -D -m 644 Config/completions/baton.bash $(word 1,$(completions))
	$(INSTALL) -D -m 644 Config/completions/_baton $(word 2,$(completions))
	$(INSTALL) -D -m 644 Config/completions/baton.fish $(word 3,$(completions))
	$(INSTALL) -D -m 644 Config/firewalld/baton.xml $(firewalld)
	$(INSTALL) -D -m 644 Config/ufw/baton $(ufw)

install-strip: INSTALL_PROGRAM += -s
install-strip: install

install-editors:
	for directory in $(vim) $(neovim); do \
	  for file in plugin/baton.vim autoload/baton.vim doc/baton.txt doc/tags; do \
	    $(INSTALL) -D -m 644 Editors/vim/$$file $$directory/$$file || exit; \
	  done; \
	done
	$(INSTALL) -d $(emacs)
	$(INSTALL) -m 644 Editors/emacs/baton.el Editors/emacs/baton-pkg.el Editors/emacs/baton-autoloads.el $(emacs)

install-desktop:
	$(INSTALL) -D -m 755 FileManagers/send-files $(sendfiles)
	$(INSTALL) -d $(dir $(plugins) $(sendentries) $(icons))
	for plugin in $(plugins); do sed 's|@prefix@|$(PREFIX)|g' FileManagers/baton_menu.py > $$plugin || exit; done
	sed 's|@prefix@|$(PREFIX)|g' FileManagers/io.baton.Send.desktop > $(word 1,$(sendentries))
	sed 's|@prefix@|$(PREFIX)|g' FileManagers/thunar/io.baton.Send.desktop > $(word 2,$(sendentries))
	sed 's|@prefix@|$(PREFIX)|g' FileManagers/dolphin/io.baton.Send.desktop > $(word 3,$(sendentries))
	chmod 644 $(plugins) $(sendentries)
	for size in 16 32 48 128; do \
	  $(INSTALL) -m 644 WebExtension/icons/baton-$$size.png $(share)/icons/hicolor/$${size}x$$size/apps/baton.png || exit; \
	done
	$(INSTALL) -m 644 WebExtension/icons/baton.svg $(lastword $(icons))

install-rendezvous:
	$(INSTALL) -D -m 755 Servers/baton-rendezvous $(word 1,$(servers))
	$(INSTALL) -D -m 644 -t $(units)/system systemd/baton-rendezvous.service systemd/baton-relay.service
	$(INSTALL) -D -m 644 systemd/baton-rendezvous.sysusers.conf $(word 4,$(servers))
	$(INSTALL) -D -m 644 Documentation/reference/man/baton-rendezvous.8 $(word 5,$(servers))
	$(INSTALL) -D -m 644 Config/completions/baton-rendezvous.bash $(word 6,$(servers))
	$(INSTALL) -D -m 644 Config/firewalld/baton-rendezvous.xml $(word 7,$(servers))
	$(INSTALL) -D -m 644 Config/ufw/baton-rendezvous $(word 8,$(servers))
	$(INSTALL) -D -m 644 systemd/baton-rendezvous.preset $(word 9,$(servers))

# Each browser has a copy of the files, because Chromium follows no links out of an extension.
install-webextension:
	$(INSTALL) -d "$(firefox)/icons" "$(chromium)" $(hosts) $(librewolfhosts)
	$(INSTALL) -m 644 WebExtension/*.js WebExtension/*.html WebExtension/*.css "$(firefox)"
	$(INSTALL) -m 644 WebExtension/icons/* "$(firefox)/icons"
	for locale in WebExtension/_locales/*; do \
	  $(INSTALL) -D -m 644 $$locale/messages.json "$(firefox)/_locales/$${locale##*/}/messages.json" || exit; \
	done
	$(INSTALL) -m 644 WebExtension/manifest.firefox.json "$(firefox)/manifest.json"
	$(INSTALL) -D -m 644 Config/firefox/baton.js $(firefoxpreferences)
	cp -r "$(firefox)/." "$(chromium)"
	$(INSTALL) -m 644 WebExtension/manifest.chromium.json "$(chromium)/manifest.json"
	id=$$(Scripts/pack-extension id --key $(CRX_KEY)) && \
	  sed "s|@prefix@|$(PREFIX)|g;s|@id@|$$id|" WebExtension/native-messaging/io.baton.browser.chromium.json \
	  > $(word 1,$(hosts))/io.baton.browser.json
	sed 's|@prefix@|$(PREFIX)|g' WebExtension/native-messaging/io.baton.browser.firefox.json > $(word 2,$(hosts))/io.baton.browser.json
	chmod 644 $(addsuffix /io.baton.browser.json,$(hosts))
	ln -sfn ../../mozilla/native-messaging-hosts/io.baton.browser.json $(librewolfhosts)/io.baton.browser.json
	$(INSTALL) -d $(dir $(browserhost))
	sed 's|@prefix@|$(PREFIX)|g' WebExtension/native-messaging/browser-host > $(browserhost)
	chmod 755 $(browserhost)

# The policies are links, because a package's files in /etc stay when it is removed, and the extension with them.
install-webextension-chrome:
	$(INSTALL) -d $(DESTDIR)$(crx) $(dir $(policies) $(chromehosts) $(chromiumflags))
	Scripts/pack-extension crx $(DESTDIR)$(crx)/baton.crx --key $(CRX_KEY) --update-url file://$(crx)/updates.xml
	$(INSTALL) -m 644 Packaging/extension/chromium-flags $(DESTDIR)$(crx)
	id=$$(Scripts/pack-extension id --key $(CRX_KEY)) && \
	version=$$(sed -n 's/^  "version": "\(.*\)",$$/\1/p' WebExtension/manifest.chromium.json) && \
	for file in Packaging/extension/policy.json Packaging/extension/updates.xml \
	  WebExtension/native-messaging/io.baton.browser.chromium.json; do \
	  sed "s|@prefix@|$(PREFIX)|;s|@id@|$$id|;s|@folder@|$(crx)|;s|@version@|$$version|" $$file > $(DESTDIR)$(crx)/$${file##*/} || exit; \
	done
	chmod 644 $(DESTDIR)$(crx)/*
	for link in $(foreach policy,$(policies),'$(policy)'); do ln -sfn $(crx)/policy.json "$$link" || exit; done
	for link in $(chromehosts); do ln -sfn $(crx)/io.baton.browser.chromium.json $$link || exit; done
	ln -sfn $(crx)/chromium-flags $(chromiumflags)

install-webextension-firefox:
	@test -f "$(FIREFOX_XPI)" || { echo "FIREFOX_XPI must name the signed extension."; exit 1; }
	$(INSTALL) -D -m 644 "$(FIREFOX_XPI)" "$(DESTDIR)$(crx)/handoff@baton.io.xpi"
	sed 's|@folder@|$(crx)|' Packaging/extension/firefox-policy > $(firefoxpolicy)
	chmod 755 $(firefoxpolicy)
	test -n "$(DESTDIR)" || $(firefoxpolicy) add

uninstall:
	test -n "$(DESTDIR)" || test ! -x $(firefoxpolicy) || $(firefoxpolicy) remove
	rm -rf $(vim) $(neovim) $(emacs)
	rm -rf "$(firefox)" "$(chromium)"
	rm -f $(sendfiles) $(plugins) $(sendentries) $(icons)
	rm -f $(browserhost) $(firefoxpreferences) $(addsuffix /io.baton.browser.json,$(hosts) $(librewolfhosts))
	[ ! -d $(librewolfhosts) ] || rmdir -p --ignore-fail-on-non-empty $(librewolfhosts)
	rm -rf $(DESTDIR)$(crx)
	[ ! -d $(dir $(DESTDIR)$(crx)) ] || rmdir --ignore-fail-on-non-empty $(dir $(DESTDIR)$(crx))
	rm -f $(foreach policy,$(policies),'$(policy)') $(chromehosts) $(chromiumflags)
	rm -f $(clipboardhelper)
	for directory in $(sort $(dir $(browserhost) $(sendfiles) $(clipboardhelper))); do \
	  [ ! -d $$directory ] || rmdir --ignore-fail-on-non-empty $$directory || exit; \
	done
	rm -f $(bin)/baton $(sbin)/batond $(sysusers)/batond.conf
	rm -f $(addprefix $(units)/system/,batond.service batond.socket batond-retry.timer) $(units)/system-preset/80-batond.preset
	rm -f $(addprefix $(units)/user/,batond.service batond.socket) $(units)/user-preset/80-batond.preset
	rm -f $(addprefix $(units)/user/baton-agent.,service socket)
	rm -f $(addprefix $(applications)/,$(entries)) $(icon) $(metainfo) $(catalogs) $(dbus) $(buspolicy) $(provider) $(krunner)
	for page in $(manuals); do \
	  for name in $$($(manual_names)); do rm -f $(man)/man$${page##*.}/$$name.$${page##*.} || exit; done; \
	done
	rm -f $(completions) $(firewalld) $(ufw) $(servers)

# Builds the packages in a copy of the work tree, which stays as it is, with the programs that `make` builds here.
deb:
	Scripts/install-packages build package
	$(MAKE) all
	Scripts/build-packages $(RELEASE) .build/deb

# What a release publishes. `Scripts/release` also signs it.
dist:
	Scripts/install-packages build package dist
	$(MAKE) all
	Packaging/make-dist $(RELEASE) .build/dist

order:
	Scripts/install-packages build lab order
	$(MAKE) all
	Scripts/order-functions Linking/functions.order
	$(MAKE) all

demo:
	Scripts/install-packages build lab
	$(MAKE) all
	Scripts/demo $(RELEASE)

# Installs and builds what this run needs. What compares with old programs needs no others.
bench_all := $(FULL)$(QUICK)$(DOCUMENT)$(TABLES)
bench: all
	Scripts/install-packages build lab $(if $(BASE),pairs,$(if $(bench_all),comparison,brief)) $(if $(DOCUMENT),plots)
	$(BUILD_RELEASE) --product benchmark
	$(if $(BASE),,$(if $(bench_all),$(BUILD_RELEASE) --product peers))
	Benchmarks/bench $(if $(FULL),--full) $(if $(QUICK),--quick) $(if $(DOCUMENT),--document) \
	  $(if $(BASE),--base $(BASE)) $(TABLES)

soak: packages all
	Scripts/run-soak

# Also kills streams a thousand times.
faults: packages all
	status=0; Scripts/run-faults --all || status=1; \
	[ ! -e Tests/Integration/test_stream_kills.py ] || STREAM_ROUNDS=1000 Scripts/run-integration stream_kills || status=1; \
	exit $$status

previous:
	Scripts/run-part previous Scripts/build-previous

packages:
	Scripts/install-packages

format:
	$(SWIFT) format format -i -r Package.swift Sources Examples Tests Benchmarks

translations:
	Scripts/make-translations

interface:
	Scripts/make-interfaces

check:
	Scripts/check-pure-targets
	Scripts/check-targets
	Scripts/check-decoders
	Scripts/check-bytes
	Scripts/check-identity
	Scripts/check-root
	Scripts/check-sudo
	Scripts/check-teams
	Scripts/check-messages
	Scripts/check-security
	Scripts/check-file-length
	Tests/Scripts/test_make_interfaces.py
	Tests/Scripts/test_benchmarks.py
	Tests/Scripts/test_extension.py
	Tests/Scripts/test_profile.py
	Tests/Scripts/test_check_symbols.py
	Tests/Scripts/test_merge_dist.py
	Tests/Scripts/test_make_debian_root.py
	Scripts/make-interfaces --check
	Scripts/check-units
	Scripts/check-manuals
	Scripts/check-version
	Scripts/check-english
	Scripts/check-documents
	Scripts/check-licenses
	Scripts/make-translations --check
	appstreamcli validate --no-net --no-color Config/io.baton.Agent.metainfo.xml
	Scripts/check-paths
	Tests/Lab/ring.py check
	BATON_THREADED=1 $(SWIFT) package --scratch-path .build/check dump-package >/dev/null
	env -u BATON_STRICT $(SWIFT) package --scratch-path .build/check dump-package | { ! grep -i treatAllWarnings; }
	$(SWIFT) format lint --strict -r Package.swift Sources Examples Tests Benchmarks

test: export RING := gate
test-all: export RING := all
test test-all:
	Scripts/run-part --first packages Scripts/install-packages build lab package dist gate $(if $(filter test-all,$@),long)
	$(if $(CHANGED),plan=$$(Scripts/changed-tests $(BASE)) && eval "$$plan" && )$(MAKE) --no-print-directory test-parts PARTS="$${PARTS-$(PARTS)}"

# With -k, a part that fails does not hide what others find.
test-parts:
	$(if $(strip $(PARTS)),,@echo "Nothing that the tests look at has changed.")
	$(MAKE) --no-print-directory -k -j12 BEFORE_UNITS="$(if $(wildcard $(RELEASE)/batond),,$(filter programs,$(foreach part,$(PARTS),$(if $(filter $(part),$(INSTALLED)),programs))))" checked $(PARTS) || { cat .build/tests/failures; exit 1; }

checked:
	Scripts/run-part check env -u MAKEFLAGS $(MAKE) --no-print-directory check

test-times:
	@Scripts/test-times $(COUNT)

# Noting who allocated each block would take almost half of the time. To learn it, run the test that fails without this.
unit: export ASAN_OPTIONS := detect_leaks=0:malloc_context_size=1
unit: unit-build
	Scripts/run-part unit Scripts/run-units .build/unit $(UNITS)

# What is not Swift, and runs in browsers and editors.
plugins:
	Scripts/run-part --inputs plugins plugins Scripts/run-plugins

# Discovery with real Avahi.
discovery: export ASAN_OPTIONS := detect_leaks=0:malloc_context_size=1
discovery: unit-build
	Scripts/run-part --inputs DiscoveryTests discovery Scripts/run-discovery

replay: unit-build
	PROGRAM=.build/unit/debug/fuzz Scripts/run-part --inputs fuzz replay Scripts/run-fuzz --replay

# The two halves share a build directory, so what both need is built once. In `make test`, this waits for the first build of
# the programs, which more tests need.
unit-build: $(BEFORE_UNITS)
	Scripts/run-part unit-build Scripts/build-units $(UNIT)

thread: thread-build
	Scripts/run-part thread Scripts/run-units .build/thread $(TESTS)

thread-build:
	BATON_THREADED=1 Scripts/run-part thread-build $(SWIFT) build --product batonPackageTests $(THREAD)

# Compiles what the unit tests compiled, if they are there.
documentation: unit-build
	BATON_SUITES=edge BUILD_OPTIONS="$(UNIT)" SWIFT=$(SWIFT) Scripts/run-part documentation Scripts/check-documentation

# The programs as users get them, and those that the tests and benchmarks also use.
programs:
	Scripts/run-part programs env -u MAKEFLAGS $(MAKE) --no-print-directory build-programs

build-programs: all
	set -e; for product in MonkeyBrowser handoff-app stream-app varlink-certification benchmark costs; do \
	  $(BUILD_RELEASE) --product $$product; \
	done

# Uses real Avahi.
integration: programs $(if $(filter gate,$(RING)),,$(if $(INTEGRATION),$(if $(filter previous%,$(INTEGRATION)),previous),previous))
	LABS=4 Scripts/run-part --inputs programs integration Scripts/run-integration $(INTEGRATION)

varlink: programs
	Scripts/run-part --inputs programs varlink Tests/Varlink/run

# Uses real browsers, shells, editors and file managers, on two machines. Saves pictures of them in .build/everyday.
everyday: programs
	Scripts/run-part --inputs programs everyday Scripts/run-everyday $(EVERYDAY)

# Damages the state directory in every known way: a sample of what `make faults` tries.
state: programs
	Scripts/run-part --inputs programs state Scripts/run-faults

# Counts what a change could make slower. For what to do then, see CONTRIBUTING.md.
costs: programs
	Scripts/run-part --inputs programs costs Scripts/check-costs

# Boots machines to test on.
service: programs
	Scripts/run-part --inputs programs service Scripts/run-systemd

# Boots other machines, and installs the packages there.
installation: programs fresh-debian
	Scripts/run-part installation Scripts/run-package

# Makes a release with throw-away keys, and installs it.
distribution: programs fresh-debian
	Scripts/run-part distribution Scripts/run-distribution

# Upgrades two machines from a repository, while a stream and a transfer run. Also only in `make test-all`.
upgrade: programs
	Scripts/run-part --inputs programs upgrade Scripts/run-upgrade

# Boots machines with real firewalls, and opens them. Only `make test-all` does that, because it downloads their systems.
firewall: programs
	Scripts/run-part --inputs programs firewall Scripts/run-firewall

# Downloads while the programs are built.
fresh-debian:
	Scripts/run-part fresh-debian Scripts/run-package --roots

# Boots a machine with desktops. Saves pictures of them in .build/desktop.
desktop: all
	Scripts/run-desktop

# Programs that others build from the same sources have the same bytes.
twice: programs
	Scripts/run-part twice Scripts/check-reproducible

debian:
	Scripts/run-part debian Scripts/run-debian

# Tests decoders and state machines with inputs that nobody would think of. See CONTRIBUTING.md.
fuzz: SECONDS = 20
fuzz:
	SWIFT=$(SWIFT) SECONDS_EACH=$(SECONDS) Scripts/run-part fuzz Scripts/run-fuzz $(TARGET)

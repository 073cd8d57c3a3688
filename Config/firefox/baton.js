// SPDX-License-Identifier: Apache-2.0
// Looks for extensions that packages install (scope 8) at each start. Otherwise, a profile that is older than the
// package gets the extension at the first start, but runs it only from the second.
pref("extensions.startupScanScopes", 8);

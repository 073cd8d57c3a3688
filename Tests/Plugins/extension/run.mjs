// SPDX-License-Identifier: Apache-2.0

// run.mjs [FILE...]: the unit tests of the extension, in Node.
import fs from "node:fs";
import { end } from "./checks.mjs";

const here = new URL(".", import.meta.url);
const names = process.argv.slice(2);
const files = fs.readdirSync(here).filter((name) => /^test-.*\.mjs$/.test(name) && (names.length === 0 || names.includes(name.slice(5, -4))));
for (const name of files) await import(new URL(name, here));
process.exit(end() ? 0 : 1);

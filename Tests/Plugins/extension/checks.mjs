// SPDX-License-Identifier: Apache-2.0

// Counts what is checked, and says at the end of each file what was wrong.
import { isDeepStrictEqual, inspect } from "node:util";

const files = [];
let current = null;

export function begin(name) {
  current = { name, count: 0, faults: [], began: performance.now() };
  files.push(current);
}

// Objects of a page have other prototypes than those here.
const own = (value) => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

export function check(name, whatIsFound, whatIsExpected) {
  const [found, expected] = [whatIsFound, whatIsExpected].map(own);
  current.count += 1;
  if (!isDeepStrictEqual(found, expected)) current.faults.push(`${name}: ${inspect(found, { depth: 6 })} instead of ${inspect(expected, { depth: 6 })}`);
}

// Returns whether nothing was wrong.
export function end() {
  for (const { name, count, faults, began } of files) {
    for (const fault of faults) console.log(`FAILED  ${name}: ${fault}`);
    if (faults.length === 0) console.log(`passed  ${name} (${count} cases)`);
    if (count === 0) console.log(`FAILED  ${name}: there are no cases`);
  }
  const bad = files.reduce((sum, { faults }) => sum + faults.length, 0);
  const all = files.reduce((sum, { count }) => sum + count, 0);
  console.log(`${all - bad} cases passed, ${bad} failed`);
  return bad === 0 && files.every(({ count }) => count > 0);
}

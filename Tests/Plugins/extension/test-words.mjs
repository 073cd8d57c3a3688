// SPDX-License-Identifier: Apache-2.0

// What words and numbers mean, without a page.
import { begin, check } from "./checks.mjs";
import { cases, secrets } from "./extension.mjs";

const { isNamed, isNumber, isYear, namesIn, inDigits, hasCardNumber } = secrets();

begin("numbers of cards");
for (const { text, expect } of cases("numbers")) check(text, hasCardNumber(text), expect);
// Of each issuer, one digit less, or another last one, is no number. The most common are also found before other digits.
for (const number of ["4111111111111111", "5555555555554444", "378282246310005", "6011000990139424", "30569309025904", "3530111333300000", "2223003122003222", "6759649826438453", "2200000000000004"]) {
  const others = [number.slice(1), `${number}0`, number.slice(0, -1) + ((Number(number.at(-1)) + 1) % 10)];
  const isCommon = /^(4|5[1-5]|222|37)/.test(number);
  check(number, [number, ...others].map(hasCardNumber), [true, false, isCommon, false]);
}

begin("digits of all scripts");
for (const [text, digits] of [["٤٨٢", "482"], ["۴۸۲", "482"], ["४८२", "482"], ["๔๘๒", "482"], ["４８２", "482"], ["482 a", "482 a"], ["𝟒𝟖𝟐", "482"], ["೪೮೨", "482"]]) {
  check(text, inDigits(text), digits);
}

begin("what a name, a label and a text beside it say");
for (const [hints, expected] of [
  [{ names: ["pin"] }, true], [{ labels: ["PIN"] }, true], [{ others: ["PIN"] }, false], [{ others: ["my password"] }, true],
  [{ labels: ["Code"], isOneLine: false }, false], [{ labels: ["Code"] }, true], [{ labels: ["Passport number"], isOneLine: false }, true],
  [{ labels: ["Tell us what your passport and your taxes say of you"], isOneLine: false }, false],
  [{ labels: ["Tell us what your passport and your taxes say of you"] }, true], [{}, false], [{ names: [""], labels: ["", " "] }, false],
  [{ labels: ["Max tokens"] }, false], [{ labels: ["token"] }, true], [{ labels: ["ZIP code or PIN code"] }, true], [{ labels: ["ＰＡＳＳＷＯＲＤ"] }, true],
  [{ labels: ["pass\u0301word"] }, false], [{ names: ["XMLParser"] }, false], [{ names: ["userPIN2"] }, true],
]) check(JSON.stringify(hints), isNamed(hints), expected);

begin("numbers and years that are no codes");
for (const [text, expected] of [["ZIP", true], ["PLZ", true], ["Quantity", true], ["Telefon", true], ["PIN", false], ["", false], ["shipping", false], ["ages", false], ["Age", true]]) {
  check(text, isNumber([text]), expected);
}
for (const [text, value, expected] of [
  ["Year", "1998", true], ["Year", "2031", true], ["Year", "0998", false], ["Year", "2231", false], ["Year", "199", false], ["Geburtsjahr", " 1998 ", true],
  ["PIN", "1998", false], ["years", "1998", false], ["an", "1998", true], ["an order", "1998", false], ["出生年", "1998", true],
]) check(`${text} ${value}`, isYear([text], value), expected);

begin("what a sentence asks for");
for (const [text, expected] of [
  ["Private key", "private key"], ["Never share your password.", ""], ["Recovery phrase. Never share it.", "recovery phrase"],
  ["Secret key - do not share", "secret key do"], ["Passwords are safe with us here.", ""], ["What is your recovery phrase?", "what is your recovery phrase"],
  ["Seed phrase, no commas", "seed phrase"], ["Non-custodial wallet seed phrase", "custodial wallet seed phrase"], ["", ""], ["Kein Passwort eingeben!", ""],
  ["Forgot your PIN, use recovery phrase", "use recovery phrase"], ["Enter your seed phrase.", "enter your seed phrase"],
]) check(text, namesIn(text), expected);

import { isPasswordOf, isVariable } from './passwords.ts';
import { changes, isMadeUp } from './placeholders.ts';
import type { FoundToken } from './tokenScanner.ts';

/** Characters of the user, the password and the host of an address. */
const charsMax = 512;
/** A user name alone is a token when it is at least this long and looks random. */
const tokenCharsMin = 16;

/** Passwords and tokens in addresses: `postgres://user:password@host`, `https://token@host`. */
export function* findInAddresses(text: string): Generator<FoundToken> {
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const start = at + 3;
    if (!isLetter(text.charCodeAt(at - 1))) continue;
    const userInfo = userInfoAt(text, start);
    if (userInfo === undefined) continue;
    const colon = userInfo.indexOf(':');
    const user = colon < 0 ? userInfo : userInfo.slice(0, colon);
    const password = colon < 0 ? '' : userInfo.slice(colon + 1);
    if (isPasswordOf(user, password)) {
      yield { index: start + colon + 1, value: password, service: 'password in an address' };
    } else if (isToken(user)) {
      yield { index: start, value: user, service: 'token in an address' };
    }
  }
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** What stands before the last `@` of the authority; undefined if there is none. */
function userInfoAt(text: string, start: number): string | undefined {
  const authority = /^[^\s/?#"'<>`\\]*/.exec(text.slice(start, start + charsMax))?.[0] ?? '';
  const end = authority.lastIndexOf('@');
  // Something that can be a host, or stand for one, has to follow.
  return end > 0 && /^[\w[{$-]/.test(authority.slice(end + 1)) ? authority.slice(0, end) : undefined;
}

function isToken(user: string): boolean {
  if (user.length < tokenCharsMin || !/^[\w.~%-]+$/.test(user) || isVariable(user) || isMadeUp(user)) return false;
  return /\d/.test(user) && changes(user) >= 0.2 * user.length;
}

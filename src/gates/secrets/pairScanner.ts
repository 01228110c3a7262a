import { isToken } from './assignmentScanner.ts';
import { isPassword, isPasswordOf } from './passwords.ts';
import { kindOfName } from './secretNames.ts';
import type { FoundToken } from './tokenScanner.ts';

/**
 * `auth=("name", "password")`, `HTTPBasicAuth("name", "password")`, `Credentials("name", "password")`,
 * `login("name", "password")`: the second of two texts.
 */
const pairPattern =
  /(?:auth|credentials?|login)(?:::new)?(?:["']?[ \t]{0,4}[=:][ \t]{0,4})?\(\s{0,16}[a-z]?["']([^"'\n]{1,64})["']\s{0,16},\s{0,16}(?:Some\()?[a-z]?["']([^"'\s]{6,128})["']/gi;

/** Passwords that stand beside the name of their user in a call or a tuple. */
export function* findInPairs(text: string): Generator<FoundToken> {
  for (const { 0: whole, 1: user = '', 2: password = '', index } of text.matchAll(pairPattern)) {
    if (!isPasswordOf(user, password)) continue;
    // Calls of these names take other texts as well.
    if (!whole.toLowerCase().startsWith('auth') && !isPassword(password, /^login/i.test(whole) ? 'ambiguous' : 'named'))
      continue;
    yield { index: index + whole.length - 1 - password.length, value: password, service: 'password of a user' };
  }
}

/** `<add key="NAME" value="…"/>`, `<property name="NAME" value="…"/>`, `<entry key="NAME">…</entry>`. */
const attributePattern =
  /<(?:property|add|entry|param|parameter|setting|env|arg|constant|environmentVariable)\s{1,8}(?:name|key|id)="([\w.-]{1,64})"(?:\s{1,8}value="|>)([^"<>\n]{6,256})["<]/gi;

/** Secrets whose name is the value of another attribute. */
export function* findInAttributes(text: string): Generator<FoundToken> {
  for (const { 0: whole, 1: name = '', 2: value = '', index } of text.matchAll(attributePattern)) {
    const kind = kindOfName(name);
    if (kind === undefined || /\s/.test(value)) continue;
    const isMachineMade = kind === 'token' || kind === 'key' || kind === 'uuid';
    if (!(isMachineMade ? isToken(value, 'quoted', 16) : isPassword(value, kind === 'pass' ? 'ambiguous' : 'given')))
      continue;
    yield { index: index + whole.length - 1 - value.length, value, service: 'secret, by its name' };
  }
}

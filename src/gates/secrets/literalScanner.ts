import { isToken } from './assignmentScanner.ts';
import { isPassword } from './passwords.ts';
import { isMadeUp } from './placeholders.ts';
import { kindOfName } from './secretNames.ts';
import type { FoundToken } from './tokenScanner.ts';

/** `--from-literal=NAME=VALUE` of kubectl, and `NAME <- "VALUE"` of R. */
const literals: readonly RegExp[] = [
  /--from-literal[= ]["']?([\w.-]{1,64})=["']?([^\s"'`\\]{6,256})/g,
  /(?<![\w.])([\w.]{1,64})[ \t]{0,4}<{1,2}-[ \t]{0,4}["']([^"'\s]{6,256})["']/g,
];

/** The lines of a file of passwords that web servers read; a hash of one can be tried out. */
const hashPattern = /^[\w.@-]{1,64}:(\$(?:apr1|2[aby])\$[\w./$]{24,80})(?=:|\r?$)/gm;

/** The key of `openssl enc`. */
const keyPattern = /\bopenssl[ \t]{1,4}enc\b[^\n|;&]{0,200}[ \t]-k[ \t]{1,4}["']?([^\s"'`-][^\s"'`]{5,127})/g;

/** Secrets in forms that no other rule reads. */
export function* findInLiterals(text: string): Generator<FoundToken> {
  for (const literal of literals) {
    for (const { 0: whole, 1: name = '', 2: value = '', index } of text.matchAll(literal)) {
      if (!isSecret(name, value)) continue;
      yield { index: index + whole.lastIndexOf(value), value, service: 'secret, by its name' };
    }
  }
  for (const { 0: whole, 1: value = '', index } of text.matchAll(hashPattern)) {
    if (!isMadeUp(value)) yield { index: index + whole.lastIndexOf(value), value, service: 'hash of a password' };
  }
  for (const { 0: whole, 1: value = '', index } of text.matchAll(keyPattern)) {
    if (!isPassword(value, 'given')) continue;
    yield { index: index + whole.lastIndexOf(value), value, service: 'password of a command' };
  }
}

function isSecret(name: string, value: string): boolean {
  const kind = kindOfName(name);
  if (kind === undefined) return false;
  const isMachineMade = kind === 'token' || kind === 'key' || kind === 'uuid';
  return isMachineMade ? isToken(value, 'quoted', 16) : isPassword(value, kind === 'pass' ? 'ambiguous' : 'named');
}

import { describe, expect, test } from 'vitest';
import { redactGitConfig } from '../../../src/harness/confinement/redactGitConfig.ts';

const secret = 'CANARY';

describe('a configuration of git is shown without', () => {
  const lines: Readonly<Record<string, readonly [line: string, shown: string]>> = {
    'a user and a password in an address': [`url = https://ada:${secret}@example.org/a`, 'url = https://example.org/a'],
    'a token in the place of a user': [`url = https://${secret}@example.org/a`, 'url = https://example.org/a'],
    'a password with a quote in it': [`url = https://ada:it's${secret}@example.org/a`, 'url = https://example.org/a'],
    'a password of another scheme': [`url = ssh://git:${secret}@example.org/a`, 'url = ssh://git@example.org/a'],
    'a login in the name of a section': [`[url "https://ada:${secret}@example.org/"]`, '[url "https://example.org/"]'],
    'a login of a proxy': [`proxy = http://ada:${secret}@proxy.example`, 'proxy = http://proxy.example'],
    'a header': [`\textraHeader = Authorization: Basic ${secret}`, '\textraHeader = redacted'],
    'a header behind its section': [
      `[http "https://x.example/?a=b"] extraHeader = ${secret}`,
      '[http "https://x.example/?a=b"] extraHeader = redacted',
    ],
    'a header behind a section with a bracket': [
      `[http "a]b\\"]c"]cookie=${secret}`,
      '[http "a]b\\"]c"]cookie= redacted',
    ],
    'a token': [`oauth-token = ${secret}`, 'oauth-token = redacted'],
    'a password for mail': [`smtpPass = ${secret}`, 'smtpPass = redacted'],
    'a password without a blank': [`sslKeyPassword=${secret}`, 'sslKeyPassword= redacted'],
    'a helper that says a password': [`helper = "!f() { echo password=${secret}; }; f"`, 'helper = redacted'],
    'a value that goes on in the next lines': [
      `token = "a\\\n${secret}\\\n${secret}"\nname = Ada`,
      'token = redacted\nname = Ada',
    ],
    'one with other ends of lines': [`token = a\\\r\n${secret}\r\nname = Ada`, 'token = redacted\nname = Ada'],
  };
  test.each(Object.entries(lines))('%s', (_name, [line, shown]) => expect(redactGitConfig(line)).toBe(shown));
});

describe('a configuration of git is shown as it is with', () => {
  test.each([
    'url = https://example.org/a',
    'url = git@example.org:a.git',
    'url = ssh://git@example.org/a',
    'email = ada@example.org',
    'askPass = /usr/bin/ssh-askpass',
    'helper = store',
    'helper = "!f() { echo username=ada; }; f"',
    '# token = of old',
    '[remote "token"]',
    '[remote "token"] fetch = a',
    'isBare',
  ])('%s', (line) => expect(redactGitConfig(`${line}\n`)).toBe(undefined));
});

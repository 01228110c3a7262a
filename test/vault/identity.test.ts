import { rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { isRavelError } from '../../src/base/errors.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { formatIdentity, loadIdentity } from '../../src/vault/identity.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

let layout: VaultLayout;

beforeEach(async () => {
  layout = new VaultLayout(await makeTemporaryDirectory());
});

async function load(text: string | Uint8Array | undefined) {
  rmSync(layout.identity, { force: true });
  if (text !== undefined) writeFileSync(layout.identity, text);
  try {
    return await loadIdentity(nodeDisk, layout);
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return error.diagnostic;
  }
}

describe('loadIdentity', () => {
  test('reads the identity that a new vault is given', async () => {
    const text = formatIdentity({ name: 'My "vault"', created: '2026-11-20T10:00:00Z', version: '0.1.0' });
    expect(await load(text)).toEqual({
      schemaVersion: 1,
      name: 'My "vault"',
      created: '2026-11-20T10:00:00Z',
      createdByVersion: '0.1.0',
    });
  });

  test('accepts unknown keys, TOML dates and missing optional keys', async () => {
    const text =
      '\uFEFFtop = 1\r\n[vault]\r\nschema_version = 1\r\ncreated = 2026-11-20T10:00:00Z\r\nmood = "good"\r\n[x]\r\n';
    expect(await load(text)).toMatchObject({ schemaVersion: 1, created: '2026-11-20T10:00:00.000Z' });
  });

  test.each([
    [undefined, 'vault/none', undefined],
    ['[vault\n', 'vault/unreadable', 0],
    ['[vault]\nschema_version = \n', 'vault/unreadable', 1],
    ['', 'vault/unreadable', undefined],
    ['[vault]\nname = "x"\n', 'vault/unreadable', undefined],
    ['[vault]\nschema_version = "1"\n', 'vault/unreadable', 1],
    ['[vault]\nschema_version = 0\n', 'vault/unreadable', 1],
    ['[vault]\nschema_version = 1\nname = ""\n', 'vault/unreadable', 2],
    ['[vault]\nschema_version = 2\ncreated_by_version = "9.0"\n', 'vault/newerSchema', undefined],
    [Buffer.from([0x5b, 0xff]), 'yaml/encoding', 0],
  ])('refuses %j with %s', async (text, code, line) => {
    const result = await load(text);
    expect(result).toMatchObject({ code, severity: 'error' });
    expect('range' in result ? result.range?.start.line : undefined).toBe(line);
  });

  test('names the version that made a newer vault', async () => {
    expect(await load('[vault]\nschema_version = 7\ncreated_by_version = "9.0"\n')).toMatchObject({
      message: `The vault ${layout.root}, made by Ravel 9.0, has schema version 7; this Ravel reads up to 1.`,
    });
  });
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/commandHere.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

test('ravel init makes no vault if no expert of a wanted name comes with Ravel, and ravel knowledge add names the kinds', async () => {
  const root = await makeTemporaryDirectory();
  const vault = join(root, 'vault');
  const environment = { HOME: root, PATH: process.env['PATH'] ?? '' };
  const refused = await runHere(['init', vault, '--experts', 'rust', 'cobol'], { environment });
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect(refused.stderr).toMatch(/No expert "cobol" comes with Ravel\.[\s\S]*research, rust/);
  expect(existsSync(vault)).toBe(false);
  expect(await runHere(['init', vault, '--experts', 'rust'], { environment })).toMatchObject({ code: 0 });
  expect(existsSync(join(vault, 'experts/rust.md'))).toBe(true);

  const inVault = { environment: { ...environment, RAVEL_VAULT: vault } };
  const add = (kind: string) =>
    runHere(['knowledge', 'add', 'Ports are numbers', '--body', 'Up to 65535.', '--kind', kind], inVault);
  const bad = await add('nope');
  expect(bad.code).toBe(2);
  expect(bad.stderr.split(/\s+/).join(' ')).toContain(
    '"nope" is not possible there; use directive, preference, decision, reference, heuristic, session, config, bug.',
  );
  expect((await add('Config')).code).toBe(0);
});

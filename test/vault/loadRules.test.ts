import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { checkTargets, loadRules } from '../../src/vault/loadRules.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

const text = `rules:
  - id: crashes # kept
    on: dispatch
    any: [crash, panic]
    target: Demo/project-root
  - { id: unsafe, target: "expert:rust" }
  - { id: docs, target: Demo }
  - { id: old, target: Gone/project-root }
  - { id: off, target: Gone, enabled: false }
`;

test('checkTargets reports an enabled rule whose target does not exist', async () => {
  const { layout, write } = await makeVaultFolder();
  write('vault/routing.yaml', text);
  const { rules, diagnostics } = await loadRules(nodeDisk, layout);
  expect(diagnostics).toEqual([]);
  const names = new Set(['Demo', 'Demo/project-root', 'expert:rust']);
  expect(checkTargets(layout, rules, names)).toMatchObject([
    { code: 'rule/unknownTarget', message: expect.stringContaining('"old"'), file: layout.routing },
  ]);
});

test('loadRules returns no rules for a new vault or a missing file, and reports bad content', async () => {
  const { layout, write } = await makeVaultFolder();
  expect(await loadRules(nodeDisk, layout)).toEqual({ rules: [], diagnostics: [] });
  for (const empty of ['', '# none yet\n']) {
    write('vault/routing.yaml', empty);
    expect(await loadRules(nodeDisk, layout)).toEqual({ rules: [], diagnostics: [] });
  }
  rmSync(layout.routing);
  expect(await loadRules(nodeDisk, layout)).toEqual({ rules: [], diagnostics: [] });
  write('vault/routing.yaml', 'rules:\n  - { id: a, target: 3 }\n');
  expect((await loadRules(nodeDisk, layout)).diagnostics).toMatchObject([{ code: 'yaml/schema' }]);
});

import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { verifyVault } from '../../src/vault/verify.ts';
import { verifyNames } from '../../src/vault/verifyNames.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

test('verifyNames and verifyVault report experts and rules that name what does not exist', async () => {
  const { layout, write } = await makeVaultFolder(['Demo']);
  write(
    'vault/experts/rust.md',
    '---\nactor-type: expert\nexpert-id: rust\ndescription: Knows Rust\npersona: Precise.\nknowledge-scope: [tools/none]\ntags: [rust]\n---\n',
  );
  write('vault/experts/bad.md', '---\nexpert-id: bad\n---\n');
  const targets = ['Demo', 'Demo/project-root', '"expert:rust"', '"expert:bad"', 'Gone'];
  write('vault/routing.yaml', `rules:\n${targets.map((target, n) => `- { id: r${n}, target: ${target} }\n`).join('')}`);
  const found = await verifyNames(nodeDisk, layout, [toQualifiedId('Demo/project-root')]);
  expect([...new Set(found.map(({ code, message }) => `${code} ${/"r\d"/.exec(message)?.[0] ?? ''}`.trim()))]).toEqual([
    'expert/badDeclaration',
    'expert/unknownScope',
    'rule/unknownTarget "r3"',
    'rule/unknownTarget "r4"',
  ]);
  expect((await verifyVault(nodeDisk, layout)).diagnostics).toEqual(found);
});

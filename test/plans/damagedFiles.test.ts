import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { loadContext, loadTools } from '../../src/harness/sessionContext.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { redoLastCall } from '../../src/plans/proposals/callJournal.ts';
import { loadIntent } from '../../src/plans/proposals/copyBack.ts';
import { loadResolution } from '../../src/plans/proposals/resolution.ts';
import { loadTransaction, stagingPaths } from '../../src/plans/transaction.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const plan = toQualifiedId('Demo/project-root');
const zeroes = '\0'.repeat(40);

async function makeStaging() {
  const root = await makeTemporaryDirectory();
  return { root, paths: stagingPaths(root), ports: { disk: nodeDisk, layout: new VaultLayout(root) } };
}

describe.each([
  ['zeroes', zeroes],
  ['half of it', '{"changes":[{"fi'],
  ['another value', '7'],
])('a file that holds %s is named, and no defect of Ravel:', (_name, text) => {
  async function check(path: string, load: () => Promise<unknown>): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    await expect(load()).rejects.toMatchObject({ diagnostic: { code: 'disk/damaged', file: path } });
  }

  test('transaction.json', async () => {
    const { paths } = await makeStaging();
    await check(paths.transaction, () => loadTransaction(nodeDisk, paths, plan));
  });

  test('copy-back.json', async () => {
    const { paths, ports } = await makeStaging();
    await check(paths.copyBack, () => loadIntent(ports, paths));
  });

  test('resolution.json', async () => {
    const { root, paths } = await makeStaging();
    await check(join(root, 'resolution.json'), () => loadResolution(nodeDisk, paths));
  });

  test('redo.json', async () => {
    const { root, paths } = await makeStaging();
    await writeFile(join(root, 'calls.jsonl'), '{"call":"1"}\n');
    await check(paths.redo, () => redoLastCall(nodeDisk, paths, root));
  });

  test('tools.json', async () => {
    const { root } = await makeStaging();
    await check(join(root, 'tools.json'), () => loadTools(nodeDisk, root));
  });
});

test('what a session was given is unknown where its file is damaged', async () => {
  const root = await makeTemporaryDirectory();
  await writeFile(join(root, 'context.json'), zeroes);
  expect(await loadContext(nodeDisk, root)).toBeUndefined();
});

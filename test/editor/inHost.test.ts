import { describe, expect, test } from 'vitest';
import { type HostTest, suiteNames } from './inHost/index.ts';
import { buildHostSuite } from './support/buildHostSuite.mjs';
import { EditorWorld } from './support/editorWorld.ts';
import { runHostSuite } from './support/hostSuite.ts';

/** The suites run before the tests are named, so that each of theirs is one of ours. */
const results = await runSuites();

describe('inside the extension host', () => {
  test.each(results)('$title', ({ error }) => expect(error).toBeUndefined());
});

/** Each in a window of its own, on the vault of the demo; `RAVEL_SUITE` names one to run alone. */
async function runSuites(): Promise<HostTest[]> {
  const only = process.env['RAVEL_SUITE'];
  const tests: HostTest[] = [];
  for (const name of suiteNames) {
    if (only === undefined || only === name) tests.push(...(await runOne(name)));
  }
  return tests;
}

async function runOne(name: string): Promise<HostTest[]> {
  const editor = new EditorWorld();
  try {
    await editor.start({ host: { underTest: true, extension: 'none' } });
    const { browser, host, folder } = editor;
    return await runHostSuite(browser, { host, folder, suite: await buildHostSuite(name) });
  } finally {
    await editor.stop();
  }
}

import { describe, expect, test } from 'vitest';
import { type HostTest, suiteNames } from './inHost/index.ts';
import { buildHostSuite } from './support/buildHostSuite.mjs';
import type { EditorHost } from './support/editorHost.ts';
import { EditorWorld } from './support/editorWorld.ts';
import { runHostSuite } from './support/hostSuite.ts';

/** The suites run before the tests are named, so that each of theirs is one of ours. */
const results = await runSuites();

describe('in the extension host', () => {
  test.each(results)('$title', ({ error }) => expect(error).toBeUndefined());
});

/** Each in a window and on a vault of its own, in one host; `RAVEL_SUITE` names one to run alone. */
async function runSuites(): Promise<HostTest[]> {
  const only = process.env['RAVEL_SUITE'];
  const names = suiteNames.filter((name) => only === undefined || only === name);
  const first = new EditorWorld();
  try {
    await first.start({ content: 'none', host: { underTest: true, extension: 'none' } });
    const tests: HostTest[] = [];
    for (const name of names) tests.push(...(await runOne(name, first.host)));
    return tests;
  } finally {
    await first.stop();
  }
}

async function runOne(name: string, on: EditorHost): Promise<HostTest[]> {
  const editor = new EditorWorld();
  try {
    await editor.start({ on, settings: { 'chat.disableAIFeatures': name !== 'agents' } });
    const { browser, host, folder } = editor;
    return await runHostSuite(browser, { host, folder, suite: await buildHostSuite(name) });
  } finally {
    await editor.stop();
  }
}

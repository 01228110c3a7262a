import { describe, expect, test } from 'vitest';
import { buildHostSuite } from './support/buildHostSuite.mjs';
import { EditorWorld } from './support/editorWorld.ts';
import { runHostSuite } from './support/hostSuite.ts';

/** The suites run before the tests are named, so that each of theirs is one of ours. */
const results = await runSuites();

describe('inside the extension host', () => {
  test.each(results)('$title', ({ error }) => expect(error).toBeUndefined());
});

/** On the vault of the demo; `RAVEL_SUITE` names one suite to run alone. */
async function runSuites() {
  const only = process.env['RAVEL_SUITE'];
  const environment = only === undefined ? {} : { RAVEL_SUITE: only };
  const editor = new EditorWorld();
  try {
    await editor.start({ host: { underTest: true, extension: 'none', environment } });
    const { browser, host, folder } = editor;
    return await runHostSuite(browser, { host, folder, suite: await buildHostSuite() });
  } finally {
    await editor.stop();
  }
}

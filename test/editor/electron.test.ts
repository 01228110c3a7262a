import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const script = fileURLToPath(new URL('./electron.mjs', import.meta.url));

test('the desktop run says that no VS Code could be downloaded, and which command runs the suites without one', async () => {
  const nowhere = 'http://127.0.0.1:9';
  const started = promisify(execFile)(process.execPath, [script], {
    env: { ...process.env, XDG_CACHE_HOME: await makeTemporaryDirectory(), https_proxy: nowhere, HTTPS_PROXY: nowhere },
  });
  await expect(started).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/No VS Code could be downloaded: .+\n.*run without a download in npm test/),
  });
});

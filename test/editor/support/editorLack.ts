import { existsSync } from 'node:fs';
import { hostParts } from '../../../packaging/installHost.mjs';
import { findBrowser } from './installBrowser.mjs';

/** What the tests of the editor need and this machine lacks, in words that follow “needs”; undefined if all is there. */
export function editorLack(): string | undefined {
  if (!existsSync(hostParts.codeServer)) return 'a VS Code (node test/support/prepare.mjs host)';
  try {
    return findBrowser().isInstalled ? undefined : 'a Chromium (node test/support/prepare.mjs browser)';
  } catch {
    return 'a Chromium (see node test/support/prepare.mjs browser)';
  }
}

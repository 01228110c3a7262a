import { existsSync } from 'node:fs';
import { findBrowser } from './installBrowser.mjs';
import { hostParts } from './installHost.mjs';

export function editorLack() {
  if (!existsSync(hostParts.codeServer)) return 'a VS Code (node test/support/prepare.mjs browser)';
  try {
    return findBrowser().isInstalled ? undefined : 'a Chromium (node test/support/prepare.mjs browser)';
  } catch {
    return 'a Chromium (see node test/support/prepare.mjs browser)';
  }
}

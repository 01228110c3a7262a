import type { makeRehearsal, openVault } from '../src/library.ts';

export function makeDemoVault(
  folder: string,
  library: { readonly makeRehearsal: typeof makeRehearsal; readonly openVault: typeof openVault },
): Promise<string>;

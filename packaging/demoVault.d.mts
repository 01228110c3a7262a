import type { makeDemo, openVault } from '../src/library.ts';

export function makeDemoVault(
  folder: string,
  library: { readonly makeDemo: typeof makeDemo; readonly openVault: typeof openVault },
): Promise<string>;

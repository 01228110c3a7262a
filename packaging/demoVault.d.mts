import type { makeVault, openVault } from '../src/library.ts';
import type { QualifiedId } from '../src/model/id.ts';
import type { Api } from '../src/model/protocol.ts';

export interface DemoPlan {
  readonly tasks: readonly Readonly<Record<string, unknown>>[];
  readonly memory: readonly Readonly<Record<string, unknown>>[];
}

export function makeDemoVault(
  folder: string,
  library: { readonly makeVault: typeof makeVault; readonly openVault: typeof openVault },
): Promise<string>;
export function fillDemoPlan(api: Api, plan: QualifiedId, given: DemoPlan): Promise<void>;

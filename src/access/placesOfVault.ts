import { join } from 'node:path';
import type { QualifiedId, Ulid } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import { VaultLayout } from '../vault/layout.ts';

/** Files of a vault that a person opens. Absolute paths; whether a file is still there is not asked. */
export interface VaultPlaces {
  backlog(plan: QualifiedId): string;
  transcript(session: Ulid): string;
  approval(approval: Ulid): string;
}

export function placesOfVault(vault: string): VaultPlaces {
  const layout = new VaultLayout(vault);
  return {
    backlog: (plan) => join(layout.plan(plan), planFiles.backlog),
    transcript: (session) => layout.transcript(session),
    approval: (approval) => layout.approval(approval),
  };
}

import { assert } from '../base/assert.ts';
import { exists } from '../base/files.ts';
import { isCodePhase } from '../model/phase.ts';
import type { CallRecord } from '../plans/proposals/callJournal.ts';
import { readCalls } from '../plans/proposals/callJournal.ts';
import { loadTransaction, type StagingPaths, stagingPaths, type Transaction } from '../plans/transaction.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';
import type { Asked } from './decisionHandler.ts';

/** What a session of a waiting phase had staged, and what it had called. */
export interface WaitingProposal {
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
  readonly calls: readonly CallRecord[];
}

export async function loadProposal(services: VaultPorts, { location, waiting }: Asked): Promise<WaitingProposal> {
  const { disk, layout } = services;
  const { phase, session } = waiting;
  assert(!isCodePhase(phase), `${phase} has no proposal`);
  const staging = layout.stagingOf(location.id, phase, session);
  const root = (await exists(disk, staging)) ? staging : layout.interruptedOf(location.id, phase, session);
  const paths = stagingPaths(root);
  const transaction = await loadTransaction(disk, paths, location.id);
  return { transaction, paths, calls: await readCalls(disk, layout.session(session)) };
}

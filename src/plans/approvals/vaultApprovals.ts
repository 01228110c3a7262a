import {
  type Approval,
  compareAge,
  type Decision,
  isVaultApproval,
  optionsOf,
  type VaultApprovalKind,
} from '../../model/approval.ts';
import type { Ulid } from '../../model/id.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import type { PlanServices } from '../services.ts';
import { listApprovals, loadUndamaged, openApproval, removeApproval } from './approvals.ts';
import { commitDecision } from './decisionCommits.ts';
import { emitDecision, listDecisions, loadDecision, recordDecision } from './decisions.ts';

/** Approvals of the vault, for the rooms that ask them: those above this one or beside it. */
export interface VaultApprovals {
  /** Asks a person; it is on disk when this resolves. With `id` it is asked once, however often this is called. */
  open(question: VaultApproval): Promise<Ulid>;
  /** Asks unless a question of this kind about the same is open already; then its id. */
  openUnlessAsked(question: VaultApproval, isSame: (details: unknown) => boolean): Promise<Ulid>;
  /** Open approvals of one kind, oldest first, without those that are decided but not carried out yet. */
  pending(kind: VaultApprovalKind): Promise<readonly Approval[]>;
  /** Decisions of one kind, oldest first, with all that `isStillInForce`. Reads all of `decisions/`. */
  decided(kind: VaultApprovalKind): Promise<readonly Decision[]>;
  /** Takes a question back because another decision settled it; the record says which. Done again it changes nothing. */
  supersede(approval: Ulid, reason: string): Promise<void>;
}

export interface VaultApproval {
  readonly kind: VaultApprovalKind;
  readonly subject: string;
  readonly details: unknown;
  readonly id?: Ulid;
}

export function createVaultApprovals(services: PlanServices): VaultApprovals {
  const approvals: VaultApprovals = {
    async open({ kind, subject, details, id }) {
      if (id !== undefined && (await isKnown(services, id))) return id;
      return openApproval(services, { kind, subject, details, options: optionsOf(kind, details) }, id);
    },

    async openUnlessAsked(question, isSame) {
      const same = (await approvals.pending(question.kind)).find(({ details }) => isSame(details));
      return same?.id ?? approvals.open(question);
    },

    async pending(kind) {
      const found: Approval[] = [];
      for (const id of await listApprovals(services)) {
        const approval = await loadUndamaged(services, id);
        if (approval?.kind === kind && (await loadDecision(services, id)) === undefined) found.push(approval);
      }
      return found.sort(compareAge);
    },

    decided: (kind) => listDecisions(services, kind),

    async supersede(id, reason) {
      const approval = await loadUndamaged(services, id);
      if (approval === undefined || !isVaultApproval(approval.kind)) return;
      const made = await recordDecision(services, approval, { decision: 'superseded', reason });
      // If it was decided meanwhile, carrying out the decision closes it.
      if (made === undefined && (await loadDecision(services, id))?.decision !== 'superseded') return;
      await removeApproval(services, id);
      if (made === undefined) return;
      emitDecision(services, made);
      await commitDecision(services, made);
    },
  };
  return approvals;
}

async function isKnown(services: VaultPorts, id: Ulid): Promise<boolean> {
  return (await loadUndamaged(services, id)) !== undefined || (await loadDecision(services, id)) !== undefined;
}

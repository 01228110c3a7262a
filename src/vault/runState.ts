import { stringify } from 'yaml';
import * as z from 'zod';
import { ensureDirectory, readTextIfExists, writeAtomic } from '../base/files.ts';
import { approvalKinds } from '../model/approval.ts';
import { failure } from '../model/codes.ts';
import type { Confinement } from '../model/confinement.ts';
import { harnessNames } from '../model/harnesses.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import { phases, reasoningPhases } from '../model/phase.ts';
import { executorNames } from '../model/settings.ts';
import { readYaml } from '../yaml/yaml.ts';
import { forgetUnderWay, recordUnderWay } from './underWay.ts';
import type { ReadingPorts, VaultPorts } from './vaultPorts.ts';

const ulid = z.string().transform((text) => text as Ulid);
const qualifiedId = z.string().transform((text) => text as QualifiedId);

/**
 * What a phase that is under way has reached. `session`: the harness works on the staged copy. `applying`: the proposal
 * was accepted, and its files are being copied back. `committing`: a code phase makes commits.
 */
const runSteps = ['session', 'applying', 'committing'] as const;

/** With what an unfinished phase was run, for its retry. */
const howItRan = { harness: z.enum(executorNames).optional(), scenario: z.string().optional() };

const confinementSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('confined') }),
  z.object({ state: z.literal('unconfined'), reason: z.string(), fix: z.string().optional() }),
]) satisfies z.ZodType<Confinement>;

const runningSchema = z.object({
  phase: z.enum(phases),
  step: z.enum(runSteps),
  session: ulid,
  harness: z.enum(executorNames).optional(),
  task: z.string().optional(),
  scenario: z.string().optional(),
  startedAt: z.string(),
  /** What the session may cost, in US dollars; set aside until it ends. */
  costUsd: z.number().optional(),
  /** Hash of the token that the session's own calls must carry. */
  tokenHash: z.string().optional(),
  /** Whether what a work session runs is in a sandbox. */
  confinement: confinementSchema.optional(),
});

/** A run over whole cycles that has not ended; after a restart it is paused until a person continues it. */
const cycleRunSchema = z.object({
  /** Wanted, and known to be done. */
  cycles: z.number().int().positive(),
  done: z.number().int().nonnegative(),
  /** The plan's own count of cycles when the run began. */
  cycleBefore: z.number().int(),
  harness: z.enum(harnessNames).optional(),
  scenario: z.string().optional(),
  startedAt: z.string(),
  paused: z.boolean(),
});

/** Where the working tree stood when work began: what analysis compares with, and what no commit may sweep in. */
const workBaselineSchema = z.object({
  /** Absent on a branch without commits. */
  commit: z.string().optional(),
  branch: z.string().optional(),
  /** Paths relative to the project that were dirty already, with the hash of their content; null if it was missing. */
  dirty: z.array(z.object({ path: z.string(), hash: z.string().nullable() })),
  /** The session that work began with, if copies of dirty files were kept under its name. */
  copies: ulid.optional(),
  /** Paths that were dirty already and that a person wants to be committed with this work. */
  included: z.array(z.string()).optional(),
});

export const earlierNameSchema = z.object({
  plan: qualifiedId,
  /** HEAD of the project when the plan got its next name: what was committed by then is under this one. */
  head: z.string().optional(),
});

/**
 * Run state of a plan, `runtime/plans/<id>.yaml`: everything that changes with every run, kept out of the project's
 * tree.
 */
export const runStateSchema = z.object({
  cycle: z.number().int().nonnegative().default(0),
  /** What the plan was called before, oldest first: its past is in the history under these names. */
  earlierNames: z.array(earlierNameSchema).optional(),
  baselines: z
    .object({
      work: workBaselineSchema.optional(),
      reflect: z.string().optional(),
      dream: z.string().optional(),
      triage: z.string().optional(),
    })
    .default({}),
  /** The work session whose transcript the next analysis digests. */
  workSession: ulid.optional(),
  /** The task that it was given. */
  workTask: z.string().optional(),
  /** The record of the last cycle's session, as text, while new work is under way: a work phase that is dropped puts it back. */
  earlierRecord: z.string().optional(),
  /** What sessions of the phase asked, and a person answered, until the phase is finished. */
  answers: z.array(z.object({ phase: z.enum(reasoningPhases), question: z.string(), answer: z.string() })).optional(),
  /** Decisions that let the repository's own programs run, with the hash of what they were then; the newest last. */
  hooks: z.array(z.object({ approval: ulid, hash: z.string() })).optional(),
  running: runningSchema.optional(),
  cycleRun: cycleRunSchema.optional(),
  waiting: z
    .object({
      phase: z.enum(phases),
      session: ulid,
      approval: ulid,
      kind: z.enum(approvalKinds),
      reason: z.string(),
      ...howItRan,
    })
    .optional(),
  interrupted: z
    .object({
      phase: z.enum(phases),
      session: ulid,
      reason: z.string(),
      failed: z.boolean(),
      at: z.string(),
      /** Whether nothing went wrong: it asked something, and the answer waits for its next session. */
      answered: z.literal(true).optional(),
      ...howItRan,
    })
    .optional(),
  last: z
    .object({
      phase: z.enum(reasoningPhases),
      session: ulid,
      end: z.enum(['finished', 'interrupted', 'failed', 'waiting']),
      at: z.string(),
      summary: z.string(),
    })
    .optional(),
});

export type RunState = z.infer<typeof runStateSchema>;
export type CycleRun = NonNullable<RunState['cycleRun']>;
export type Running = NonNullable<RunState['running']>;
export type EarlierName = z.infer<typeof earlierNameSchema>;
export type WorkBaseline = z.infer<typeof workBaselineSchema>;

/** The run state of a plan; one that was never run has the empty state. */
export async function loadRunState({ disk, layout }: ReadingPorts, plan: QualifiedId): Promise<RunState> {
  const file = layout.runState(plan);
  const text = await readTextIfExists(disk, file);
  if (text === undefined) return runStateSchema.parse({});
  const { value, diagnostics } = readYaml(runStateSchema, text, { file, subject: plan });
  if (value === undefined) {
    const problem = diagnostics[0]?.message ?? 'it is empty';
    throw failure('plan/badState', plan, `The run state of ${plan} cannot be read: ${problem}`, {
      file,
      help: 'Restore the file, or move it away; the plan then starts without baselines.',
    });
  }
  return value;
}

/** What is under way is in the index before the run state says so: the next owner looks there first. */
export async function saveRunState(ports: VaultPorts, plan: QualifiedId, state: RunState): Promise<void> {
  if (isUnderWay(state)) await recordUnderWay(ports, plan);
  await writeAtomic(ports.disk, ports.layout.runState(plan), stringify(state, { lineWidth: 0 }));
}

/** Changes the run state on disk. Only the owner of the vault writes it, one phase of a plan at a time. */
export async function updateRunState(
  ports: VaultPorts,
  plan: QualifiedId,
  change: (old: RunState) => RunState,
): Promise<RunState> {
  const state = change(await loadRunState(ports, plan));
  await saveRunState(ports, plan, state);
  return state;
}

/** Whether the next owner has something to finish, to take over or to tell here. */
export function isUnderWay({ running, cycleRun }: RunState): boolean {
  return running !== undefined || cycleRun !== undefined;
}

/** Brings the index of work under way in line with the run state, once all that follows from it is done. */
export async function settleUnderWay(ports: VaultPorts, plan: QualifiedId): Promise<void> {
  if (isUnderWay(await loadRunState(ports, plan))) await recordUnderWay(ports, plan);
  else await forgetUnderWay(ports, plan);
}

/** The newest that are kept. */
const earlierNamesMax = 100;

/** Notes in the run state, which has to lie under the new name already, what the plan was called; again it changes nothing. */
export async function recordEarlierName(ports: VaultPorts, plan: QualifiedId, earlier: EarlierName): Promise<void> {
  const { disk, layout } = ports;
  const file = layout.runState(plan);
  const text = (await readTextIfExists(disk, file)) ?? '{}';
  const state = readYaml(runStateSchema, text, { file, subject: plan }).value;
  // One that cannot be read knows no baseline that would need it, and must not hold a rename up.
  if (state === undefined) return;
  const names = state.earlierNames ?? [];
  const last = names.at(-1);
  if (last?.plan === earlier.plan && last.head === earlier.head) return;
  await ensureDirectory(disk, layout.plans, 0o700);
  await saveRunState(ports, plan, { ...state, earlierNames: [...names, earlier].slice(-earlierNamesMax) });
}

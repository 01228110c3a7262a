import { join } from 'node:path';
import { defined } from '../../base/defined.ts';
import type { Disk } from '../../base/disk.ts';
import { isRavelError } from '../../base/errors.ts';
import { maskStored } from '../../gates/secrets/maskSecrets.ts';
import type { ToolVerdict } from '../../gates/tools/toolGate.ts';
import type { AskingConsultation } from '../../harness/consultations.ts';
import type { Confinement } from '../../model/confinement.ts';
import type { EventActor } from '../../model/event.ts';
import { shortCall } from '../../model/eventText.ts';
import type { Ulid } from '../../model/id.ts';
import type { PolicyAsker, PolicySource } from '../../model/policy.ts';
import type { PermitArgs } from '../../model/sessionTools.ts';
import type { StoredValues } from '../../model/storedValues.ts';
import type { ToolRequest } from '../../model/verdict.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { emitFor, type PlanServices } from '../services.ts';
import type { StagingPaths, Transaction } from '../transaction.ts';
import { judgeToolOnDisk, realAsFarAsItExists } from './judgeToolOnDisk.ts';

interface JudgedSession {
  readonly services: PlanServices;
  readonly transaction: Transaction;
  readonly location: PlanLocation;
  readonly paths: Pick<StagingPaths, 'plan'>;
  /** Whether its programs run in a sandbox; absent if they do not. */
  readonly confinement?: Confinement['state'];
}

/** Where a session of this phase runs; absolute. */
export function workingDirectory({
  transaction,
  location,
  paths,
}: Omit<JudgedSession, 'services' | 'confinement'>): string {
  return transaction.phase === 'work' ? location.projectDirectory : paths.plan;
}

/** What the gates say of a tool that a session is about to use; emitted as an event. `paths` is given those it would use. */
export async function judgeToolRequest(
  session: JudgedSession,
  request: PermitArgs,
  paths = new Map<string, string>(),
): Promise<ToolVerdict> {
  const { services, transaction, location, confinement = 'unconfined' } = session;
  const runsIn = workingDirectory(session);
  const astray = await goneAstray(services.disk, runsIn, request);
  const stored = await storedSecretsFor(services);
  const asked = {
    purpose: transaction.phase,
    confinement,
    network: services.settings.sandbox.network,
    workingDirectory: runsIn,
    projectDirectory: location.projectDirectory,
    ravelDirectory: location.ravelDirectory,
    request,
    passedVariables: services.settings.environment.pass,
    ...(await services.policies.forRequest(location, askerOf(services, transaction), location.projectDirectory)),
    ...stored,
  } as const;
  const judged = astray ?? (await judgeToolOnDisk(services.disk, asked, paths));
  const verdict = withoutSecrets(judged, stored);
  const about = { actor: transaction.plan, session: transaction.session, project: location.projectDirectory, stored };
  emitVerdict(services, about, request, verdict);
  return verdict;
}

/** The same for a session that belongs to no phase. */
export async function judgeForConsultation(
  services: Pick<PlanServices, 'disk' | 'clock' | 'emit' | 'policies' | 'storedSecrets'>,
  { session, purpose, actor, workingDirectory: runsIn, projectDirectory = runsIn }: AskingConsultation,
  request: PermitArgs,
): Promise<ToolVerdict> {
  const stored = await storedSecretsFor(services);
  const judged = await judgeToolOnDisk(services.disk, {
    ...{ purpose, request, projectDirectory, workingDirectory: runsIn },
    confinement: 'unconfined',
    ravelDirectory: join(projectDirectory, 'ravel'),
    ...(await services.policies.forRequest(undefined, { actor, phase: purpose }, projectDirectory)),
    ...stored,
  });
  const verdict = withoutSecrets(judged, stored);
  emitVerdict(services, { actor, session, project: projectDirectory, stored }, request, verdict);
  return verdict;
}

/** The values of the person's secrets as a request is judged by them, or why they are not known. */
export async function storedSecretsFor({
  storedSecrets,
}: Pick<PlanServices, 'storedSecrets'>): Promise<StoredForRequest> {
  try {
    return { storedSecrets: await storedSecrets() };
  } catch (error) {
    // What is not known cannot be looked for: the gate refuses, and the session is told why.
    if (!isRavelError(error)) throw error;
    return { secretsProblem: `Your secrets cannot be looked for, so nothing is allowed meanwhile: ${error.message}` };
  }
}

type StoredForRequest = Pick<ToolRequest, 'storedSecrets' | 'secretsProblem'>;

/** A gate that is asked before the one on secrets may repeat words of the request. */
function withoutSecrets(verdict: ToolVerdict, { storedSecrets }: StoredForRequest): ToolVerdict {
  if (!('reason' in verdict)) return verdict;
  return { ...verdict, reason: maskStored(verdict.reason, storedSecrets) };
}

interface JudgedFor {
  readonly actor: EventActor;
  readonly session: Ulid;
  readonly project: string;
  readonly stored: StoredForRequest;
}

function emitVerdict(
  services: Pick<PlanServices, 'clock' | 'emit' | 'policies'>,
  { actor, session, project, stored: { storedSecrets } }: JudgedFor,
  { tool_name: subject, input }: PermitArgs,
  verdict: ToolVerdict,
): void {
  const about = {
    session,
    gate: verdict.gate ?? 'tool',
    subject,
    outcome: outcomeOf(verdict),
    ...defined({ rule: verdict.rule && withLine(services, verdict.rule) }),
  };
  const why = 'reason' in verdict && {
    call: shortCall(subject, maskInput(input, storedSecrets), project),
    reason: verdict.reason,
  };
  emitFor(services, actor, { type: 'gate.judged', ...about, ...why });
}

/** A rule is found again after its file has changed by the line that it had. */
function withLine({ policies }: Pick<PlanServices, 'policies'>, rule: PolicySource): PolicySource {
  return { ...rule, ...defined({ line: policies.lineOf(rule) }) };
}

/** Masked before it is shortened: the beginning of a value is not one that the mask would know. */
function maskInput(input: PermitArgs['input'], stored: StoredValues | undefined): PermitArgs['input'] {
  const masked = Object.entries(input).map(([key, value]) => [
    key,
    typeof value === 'string' ? maskStored(value, stored) : value,
  ]);
  return Object.fromEntries(masked);
}

/** Whom rules may name. */
export function askerOf(
  { settings: { harnesses } }: Pick<PlanServices, 'settings'>,
  { plan, phase, harness }: { readonly plan: string; readonly phase: string; readonly harness: string },
): PolicyAsker {
  const own = Object.entries(harnesses).find(([name]) => name === harness)?.[1] ?? {};
  const models: Readonly<Record<string, string | undefined>> = 'models' in own ? own.models : {};
  return { actor: plan, phase, harness, ...defined({ model: models[phase] ?? models['default'] }) };
}

function outcomeOf(verdict: ToolVerdict): 'accept' | 'modify' | 'redirect' | 'reject' | 'needs-approval' {
  if (verdict.decision === 'allow') return verdict.input === undefined ? 'accept' : 'modify';
  if (verdict.decision === 'ask') return 'needs-approval';
  return verdict.instead === undefined ? 'reject' : 'redirect';
}

/** A program that has left the folder of its session would use every relative path elsewhere than it was judged. */
async function goneAstray(disk: Disk, runsIn: string, { cwd }: PermitArgs): Promise<ToolVerdict | undefined> {
  if (cwd === undefined || cwd === runsIn) return undefined;
  if ((await realAsFarAsItExists(disk, cwd)) === (await realAsFarAsItExists(disk, runsIn))) return undefined;
  return {
    decision: 'deny',
    reason: `The program is in ${cwd}, and its session is in ${runsIn}. Start the session again.`,
  };
}

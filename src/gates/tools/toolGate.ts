import { defined } from '../../base/defined.ts';
import { messageOf } from '../../base/errors.ts';
import type { PolicySource } from '../../model/policy.ts';
import type { SessionPurpose } from '../../model/sessionPurpose.ts';
import type { PermitArgs } from '../../model/sessionTools.ts';
import type { ToolRequest } from '../../model/verdict.ts';
import { judgeCommandLine } from './commandLine.ts';
import { type Examined, judgeFileUse, toolsOnFiles } from './fileTools.ts';
import { type ToolGateName, toolGateNames } from './gateTable.ts';
import { type Objection, objectionOfRule } from './objection.ts';
import { judgeSecretsInTool } from './secretsGate.ts';

/** What one gate says of a request. */
export type ToolGateVerdict =
  | { readonly outcome: 'accept'; readonly rule?: PolicySource }
  /** The gates after it judge the new input. */
  | { readonly outcome: 'modify'; readonly input: PermitArgs['input']; readonly reason: string }
  /** Another way that does what the session wants. */
  | { readonly outcome: 'redirect'; readonly instead: string; readonly reason: string; readonly rule?: PolicySource }
  | { readonly outcome: 'reject'; readonly reason: string; readonly retryable: boolean; readonly rule?: PolicySource }
  | {
      readonly outcome: 'needs-approval';
      readonly reason: string;
      readonly needsNetwork?: true;
      readonly rule?: PolicySource;
    };

/** A request, and what one walk through its command or its paths finds. */
export interface GatedUse {
  readonly request: ToolRequest;
  readonly examined: () => Examined;
}

export type ToolGate = (use: GatedUse) => ToolGateVerdict;

/** What is answered to a harness that asks; `ask` means that a person decides. */
export type ToolVerdict = {
  /** The gate that decided, if one had anything to say, and its rule. */
  readonly gate?: ToolGateName;
  readonly rule?: PolicySource;
} & (
  | { readonly decision: 'allow'; readonly notes?: readonly string[]; readonly input?: PermitArgs['input'] }
  | { readonly decision: 'deny'; readonly reason: string; readonly instead?: string; readonly retryable?: boolean }
  | { readonly decision: 'ask'; readonly reason: string; readonly needsNetwork?: true }
);

/** Which tools a session has beside the session tools. */
const rightsOf: Readonly<Record<SessionPurpose, 'everything' | 'reading' | 'sessionTools'>> = {
  work: 'everything',
  'analyse-work': 'reading',
  reflect: 'sessionTools',
  dream: 'sessionTools',
  triage: 'sessionTools',
  route: 'reading',
  check: 'sessionTools',
  answer: 'sessionTools',
  facts: 'sessionTools',
  absorb: 'sessionTools',
  horizon: 'sessionTools',
  plan: 'sessionTools',
};

/** Each gate that is asked; `sandbox` is the program that a command is started through, and asks nothing here. */
export const toolGates: Readonly<Partial<Record<ToolGateName, ToolGate>>> = {
  token: judgeRights,
  protected: (use) => partOf(use, 'protected'),
  policy: judgePolicy,
  secrets: judgeSecretsInTool,
  command: (use) => partOf(use, 'command'),
  network: (use) => partOf(use, 'network'),
};

/**
 * Judges one question of a harness by all gates in their order; what is not known is denied. The first refusal ends it,
 * a question waits for whether a later gate refuses, and a gate that throws refuses.
 *
 * This is a seat belt, not a sandbox. It keeps a session that means well inside its project and away from what is not its
 * business; a program that it may run, a test for instance, can still do whatever the account can do.
 */
export function judgeTool(request: ToolRequest, table: typeof toolGates = toolGates): ToolVerdict {
  if (request.request.tool_name.startsWith('mcp__ravel__')) return { decision: 'allow' };
  let question: ToolVerdict | undefined;
  let allowed: ToolVerdict = { decision: 'allow' };
  let current = useOf(request);
  for (const name of toolGateNames) {
    const verdict = askGate(name, table[name], current);
    switch (verdict.outcome) {
      case 'accept':
        if (verdict.rule !== undefined) allowed = { ...allowed, gate: name, rule: verdict.rule };
        break;
      case 'modify':
        current = useOf({ ...request, request: { ...request.request, input: verdict.input } });
        allowed = { ...allowed, gate: name, input: verdict.input } as ToolVerdict;
        break;
      case 'needs-approval': {
        const { outcome: _outcome, ...asked } = verdict;
        question ??= { decision: 'ask', gate: name, ...asked };
        if (verdict.needsNetwork === true) question = { ...question, needsNetwork: true } as ToolVerdict;
        break;
      }
      default: {
        const { outcome: _outcome, ...refused } = verdict;
        return { decision: 'deny', gate: name, ...refused };
      }
    }
  }
  return question ?? allowed;
}

function askGate(name: ToolGateName, gate: ToolGate | undefined, use: GatedUse): ToolGateVerdict {
  try {
    return gate?.(use) ?? { outcome: 'accept' };
  } catch (error) {
    return { outcome: 'reject', reason: `The gate ${name} failed: ${messageOf(error)}.`, retryable: false };
  }
}

function judgeRights({
  request: {
    purpose,
    request: { tool_name: tool },
  },
}: GatedUse): ToolGateVerdict {
  const rights = rightsOf[purpose];
  if (rights === 'sessionTools') return reject(`A session for ${purpose} uses the session tools alone.`);
  const row = toolsOnFiles.get(tool);
  if (row !== undefined) {
    return row.access !== 'read' && rights !== 'everything'
      ? reject(`Only a session for work changes files; this one is for ${purpose}.`)
      : { outcome: 'accept' };
  }
  if (tool !== 'Bash') return reject(`The tool ${tool} is not one that a session has.`);
  return rights === 'everything'
    ? { outcome: 'accept' }
    : reject(`Only a session for work runs commands; this one is for ${purpose}.`);
}

/** Rules on the tool as a whole come first, then what the walk through a command or a path met. */
function judgePolicy(use: GatedUse): ToolGateVerdict {
  const { request } = use;
  const { policy, policyProblem } = request;
  if (policyProblem !== undefined) return { outcome: 'reject', reason: policyProblem, retryable: false };
  if (policy === undefined) return { outcome: 'accept' };
  const { tool_name: tool, input } = request.request;
  const ruled = policy.tool(tool, input);
  const objection = objectionOfRule(`The tool ${tool}`, ruled);
  const inner = partOf(use, 'policy');
  if (objection?.decision === 'deny' || (objection !== undefined && inner.outcome === 'accept'))
    return verdictOf(objection);
  if (inner.outcome !== 'accept') return inner;
  return ruled === undefined ? inner : { outcome: 'accept', rule: ruled.rule };
}

/**
 * What one gate says of a file or a command, in which one walk finds what concerns protected files, the policy, the
 * network and the command itself.
 */
function partOf(use: GatedUse, gate: 'protected' | 'policy' | 'command' | 'network'): ToolGateVerdict {
  const found = use.examined();
  if (found.decision === 'allow') {
    return found.input !== undefined && gate === 'protected'
      ? { outcome: 'modify', input: found.input, reason: 'What may hold secrets is left out of the search.' }
      : { outcome: 'accept' };
  }
  return (found.gate ?? 'command') === gate ? verdictOf(found) : { outcome: 'accept' };
}

function verdictOf({ decision, reason, needsNetwork, ruled }: Exclude<Objection, undefined>): ToolGateVerdict {
  const rule = defined({ rule: ruled?.rule });
  if (decision === 'ask') return { outcome: 'needs-approval', reason, ...defined({ needsNetwork }), ...rule };
  const instead = ruled?.instead;
  return instead === undefined
    ? { outcome: 'reject', reason, retryable: true, ...rule }
    : { outcome: 'redirect', reason, instead, ...rule };
}

/** A request is examined once, however many gates look at it. */
function useOf(request: ToolRequest): GatedUse {
  let found: Examined | undefined;
  return { request, examined: () => (found ??= examine(request)) };
}

function examine(request: ToolRequest): Examined {
  const { tool_name: tool, input } = request.request;
  const row = toolsOnFiles.get(tool);
  if (row !== undefined) return judgeFileUse(request, row);
  const command = input['command'];
  if (typeof command !== 'string') return { decision: 'deny', reason: 'The command is missing.' };
  const objection = judgeCommandLine(request, command);
  if (objection?.needsNetwork !== true) return objection ?? { decision: 'allow' };
  return { ...objection, reason: `${objection.reason} ${openedNetwork}` };
}

const openedNetwork =
  'If a person accepts, it runs once with the network of this machine: the internet, servers on this machine, and sockets without a file. Files stay as they are in the sandbox.';

function reject(reason: string): ToolGateVerdict {
  return { outcome: 'reject', reason, retryable: false };
}

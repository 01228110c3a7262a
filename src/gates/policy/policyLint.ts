import { nearestNames } from '../../model/nearest.ts';
import { policyRuleName } from '../../model/policy.ts';
import { judgedTools } from './ruleString.ts';
import type { CompiledLayer, PolicyEntry } from './toolPolicy.ts';

/** What would make a finding go away: the rule string itself is left out or replaced. */
export type PolicyRemedy = { readonly kind: 'remove' } | { readonly kind: 'replace'; readonly text: string };

/** What is doubtful about a rule that can be read. */
export interface PolicyFinding {
  readonly rule: PolicyEntry;
  readonly message: string;
  readonly remedy?: PolicyRemedy;
}

type Doubt = Omit<PolicyFinding, 'rule'>;

const order = { deny: 0, ask: 1, allow: 2 } as const;

/** Tools that agent programs have and sessions do not: a rule that forbids one is fine. */
const otherTools: ReadonlySet<string> = new Set([
  ...['Agent', 'AskUserQuestion', 'BashOutput', 'EnterPlanMode', 'ExitPlanMode', 'KillBash', 'KillShell', 'Monitor'],
  ...['PowerShell', 'Skill', 'SlashCommand', 'Task', 'TaskOutput', 'TaskStop', 'TodoWrite', 'ToolSearch'],
  ...['WebFetch', 'WebSearch'],
]);

/** Programs that take options before the word that says what they do, each with one of those. */
const optionBefore: Readonly<Record<string, string>> = {
  cargo: '+nightly',
  docker: '--context x',
  gcloud: '--project x',
  gh: '-R x',
  git: '-C x',
  helm: '-n x',
  kubectl: '-n x',
  npm: '--prefix x',
  pnpm: '-C x',
  podman: '--log-level x',
  systemctl: '--user',
  terraform: '-chdir=x',
  yarn: '--cwd x',
};

/** Rules that do nothing, or not what they seem to, in the order of the layers. */
export function lintPolicy(layers: readonly CompiledLayer[]): readonly PolicyFinding[] {
  const rules = layers.flatMap((layer) => layer.rules);
  const strictest = new Map<string, PolicyEntry>();
  // A rule for some plans or phases covers only those, so it makes none other superfluous.
  for (const rule of rules.filter(isForAll)) {
    const known = strictest.get(keyOf(rule));
    if (known === undefined || order[rule.action] < order[known.action]) strictest.set(keyOf(rule), rule);
  }
  return rules.flatMap((rule) => doubtsOn(rule, strictest).map((doubt) => ({ rule, ...doubt })));
}

function doubtsOn(rule: PolicyEntry, strictest: ReadonlyMap<string, PolicyEntry>): readonly Doubt[] {
  const { text, action, parsed } = rule;
  const { tool } = parsed;
  const found: Doubt[] = [];
  const covering = [strictest.get(keyOf(rule)), strictest.get(tool)].find(
    (one) => one !== undefined && one !== rule && order[one.action] <= order[action],
  );
  if (covering !== undefined) {
    const word =
      covering.action === action ? 'says the same already' : `decides first: it is one that says ${covering.action}`;
    const message = `${text} never decides, since ${policyRuleName(covering)} of the ${covering.layer} ${word}.`;
    found.push({ message, remedy: { kind: 'remove' } });
  }
  found.push(...doubtsOnTool(rule));
  if (/[^\x20-\x7e]/.test(text))
    found.push({
      message: `${text} holds a letter outside of ASCII, or one that is not seen; one that only looks alike matches nothing.`,
    });
  if (action !== 'allow') found.push(...doubtsOnCommand(rule));
  return found;
}

function doubtsOnTool({ text, action, parsed: { tool } }: PolicyEntry): readonly Doubt[] {
  if (tool.startsWith('mcp__ravel'))
    return [{ message: `${text} does nothing: the session tools are not judged.`, remedy: { kind: 'remove' } }];
  if (tool.includes('*') || judgedTools.has(tool)) return [];
  const does = action === 'allow' ? 'allows nothing' : 'protects nothing';
  if (action !== 'allow' && (otherTools.has(tool) || tool.startsWith('mcp__'))) return [];
  const [near] = nearestNames(tool, [...judgedTools, ...otherTools], 1);
  const message = `${text} ${does}: no session has the tool ${tool}.`;
  if (near === undefined || otherTools.has(tool)) return [{ message, remedy: { kind: 'remove' } }];
  return [{ message: `${message} Did you mean ${near}?`, remedy: { kind: 'replace', text: near } }];
}

/** Other ways to write the same command, which a rule that forbids it does not meet. */
function doubtsOnCommand({ text, parsed: { subject } }: PolicyEntry): readonly Doubt[] {
  if (subject.kind !== 'command') return [];
  const { encoded, literals } = subject.pattern;
  const [program = '', verb] = literals;
  const option = Object.hasOwn(optionBefore, program) ? optionBefore[program] : undefined;
  const isSplit = option !== undefined && verb !== undefined;
  // The star stands for options, or for nothing.
  const spread = isSplit ? `${program} *${encoded.slice(program.length + 1)}` : encoded;
  if (/ -\S/.test(encoded)) {
    const message = `${text} names an option, so the same command with its arguments in another order is not met.`;
    const parts = /^((?:[^-\s]\S* )+)(-\S+)(?: \*)?$/.exec(spread);
    if (parts === null) return [{ message }];
    const loose = `Bash(${parts[1]}*${parts[2]}*)`;
    return [{ message: `${message} ${loose} meets it.`, remedy: { kind: 'replace', text: loose } }];
  }
  if (!isSplit) return [];
  const message = `${text} does not meet the same command with an option between its words, such as ${program} ${option} ${verb}; Bash(${spread}) meets it.`;
  return [{ message, remedy: { kind: 'replace', text: `Bash(${spread})` } }];
}

function isForAll({ rule }: PolicyEntry): boolean {
  return rule === undefined || [rule.actors, rule.phases, rule.harnesses, rule.models].every((list) => list == null);
}

function keyOf({ parsed: { tool, subject }, text }: PolicyEntry): string {
  if (subject.kind === 'command') return `${tool}(${subject.pattern.encoded})`;
  return subject.kind === 'tool' ? tool : text.replace(/\s+/g, '');
}

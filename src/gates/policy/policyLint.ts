import { policyRuleName } from '../../model/policy.ts';
import { judgedTools } from './ruleString.ts';
import type { CompiledLayer, PolicyEntry } from './toolPolicy.ts';

/** What is doubtful about a rule that can be read. */
export interface PolicyFinding {
  readonly rule: PolicyEntry;
  readonly message: string;
}

const order = { deny: 0, ask: 1, allow: 2 } as const;

/** Rules that do nothing, or not what they seem to, in the order of the layers. */
export function lintPolicy(layers: readonly CompiledLayer[]): readonly PolicyFinding[] {
  const rules = layers.flatMap((layer) => layer.rules);
  const strictest = new Map<string, PolicyEntry>();
  // A rule for some plans or phases covers only those, so it makes none other superfluous.
  for (const rule of rules.filter(isForAll)) {
    const known = strictest.get(keyOf(rule));
    if (known === undefined || order[rule.action] < order[known.action]) strictest.set(keyOf(rule), rule);
  }
  return rules.flatMap((rule) => messagesOn(rule, strictest).map((message) => ({ rule, message })));
}

function messagesOn(rule: PolicyEntry, strictest: ReadonlyMap<string, PolicyEntry>): readonly string[] {
  const { text, action, parsed } = rule;
  const { tool, subject } = parsed;
  const found: string[] = [];
  const covering = [strictest.get(keyOf(rule)), strictest.get(tool)].find(
    (one) => one !== undefined && one !== rule && order[one.action] <= order[action],
  );
  if (covering !== undefined) {
    const word =
      covering.action === action ? 'says the same already' : `decides first: it is one that says ${covering.action}`;
    found.push(`${text} never decides, since ${policyRuleName(covering)} of the ${covering.layer} ${word}.`);
  }
  if (tool.startsWith('mcp__ravel')) found.push(`${text} does nothing: the session tools are not judged.`);
  else if (action === 'allow' && !tool.includes('*') && !judgedTools.has(tool))
    found.push(`${text} allows nothing: no session has the tool ${tool}.`);
  if (/[^\x20-\x7e]/.test(text))
    found.push(
      `${text} holds a letter outside of ASCII, or one that is not seen; one that only looks alike matches nothing.`,
    );
  if (action !== 'allow' && subject.kind === 'command' && / -\S/.test(subject.pattern.encoded)) {
    found.push(`${text} names an option, so the same command with its arguments in another order is not met.`);
  }
  return found;
}

function isForAll({ rule }: PolicyEntry): boolean {
  return rule === undefined || [rule.actors, rule.phases, rule.harnesses, rule.models].every((list) => list == null);
}

function keyOf({ parsed: { tool, subject }, text }: PolicyEntry): string {
  if (subject.kind === 'command') return `${tool}(${subject.pattern.encoded})`;
  return subject.kind === 'tool' ? tool : text.replace(/\s+/g, '');
}

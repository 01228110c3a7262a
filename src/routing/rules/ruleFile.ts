import { defined } from '../../base/defined.ts';
import { isRavelError } from '../../base/errors.ts';
import { failure } from '../../model/codes.ts';
import type { Json } from '../../model/json.ts';
import type { SuggestedRule } from '../../model/routing.ts';
import type { Rule } from '../../model/rule.ts';
import { parseRules } from '../../vault/loadRules.ts';
import { editYaml, formatYaml } from '../../yaml/yaml.ts';

/** A rule that is to stand in the file, and where it comes from. */
export interface NewRule {
  readonly rule: SuggestedRule;
  readonly origin: { readonly by: string; readonly at: string; readonly suggestion: string };
  /** Id of the rule that it takes the place of; if that is gone, the rule is new. */
  readonly replaces?: string | undefined;
}

export interface PutRule {
  /** The file as it is then. */
  readonly text: string;
  /** The rule's id, which no other rule has. */
  readonly id: string;
  /** The number of rules before it. */
  readonly index: number;
}

/**
 * Puts a rule into the text of `routing.yaml`, behind the others of its target or else at the end; everything around it
 * stays as it is, comments included. The same suggestion is put there once: if its rule is already, the text is
 * given back. Throws `rule/cannotPut`, with what to paste, for a text that cannot be edited without a loss.
 */
export function putRule(text: string, given: NewRule, file: string): PutRule {
  const { rules, diagnostics } = parseRules(text, file);
  if (rules === undefined) throw cannotPut(given, file, diagnostics[0]?.message ?? 'It does not parse.');
  const { origin, replaces } = given;
  const there = rules.findIndex((rule) => rule.origin?.suggestion === origin.suggestion);
  const known = rules[there];
  if (known !== undefined) return { text, id: known.id, index: there };
  const replaced = replaces === undefined ? -1 : replacedIndex(rules, replaces);
  const others = new Set(rules.filter((_rule, at) => at !== replaced).map(({ id }) => id));
  const id = freeId(given.rule, others);
  const index = replaced === -1 ? indexFor(rules, given.rule.target) : replaced;
  const value = ruleValue(given, id);
  try {
    const place = { file, subject: file };
    const path = ['rules'];
    const edited =
      replaced === -1
        ? editYaml(text, [{ op: 'insert', path, index, value }], place)
        : editYaml(text, [{ op: 'set', path: [...path, replaced], value: kept(rules[replaced], value) }], place);
    return { text: edited, id, index };
  } catch (error) {
    if (!isRavelError(error, 'yaml/editRefused')) throw error;
    throw cannotPut(given, file, error.message, error);
  }
}

/** Behind the last rule that leads to the same place, so that a reader finds them together; else at the end. */
export function indexFor(rules: readonly Pick<Rule, 'target'>[], target: string): number {
  const last = rules.findLastIndex((rule) => rule.target === target);
  return last === -1 ? rules.length : last + 1;
}

/** The one rule that has this id; -1 if none has, or several do. */
export function replacedIndex(rules: readonly Pick<Rule, 'id'>[], id: string): number {
  const first = rules.findIndex((rule) => rule.id === id);
  return rules.findLastIndex((rule) => rule.id === id) === first ? first : -1;
}

/** The suggested id as an id commonly is, or one made of the rule's words and target; with a number if it is taken. */
export function freeId({ id, all, any, target }: SuggestedRule, taken: ReadonlySet<string>): string {
  const words = [...(all ?? []), ...(any ?? [])].slice(0, 2).join('-');
  const base = toId(id) || toId(`${words}-${distinctPart(target)}`) || 'rule';
  if (!taken.has(base)) return base;
  for (let count = 2; ; count++) if (!taken.has(`${base}-${count}`)) return `${base}-${count}`;
}

/** The last part of a plan's path, or the project if it is the root; the name of an expert or a project. */
export function distinctPart(target: string): string {
  const parts = target.slice(target.indexOf(':') + 1).split('/');
  return (parts.length <= 2 ? parts[0] : parts.at(-1)) ?? target;
}

/** A rule as YAML, as it would stand in a file whose dashes are at `column`. */
export function formatRule(rule: Record<string, unknown>, column = 0): string {
  const lines = formatYaml([rule]).trimEnd().split('\n');
  return `${lines.map((line) => (line === '' ? '' : ' '.repeat(column) + line)).join('\n')}\n`;
}

/** What is written of a rule: its own keys in the order in which people read them, none that says nothing. */
export function ruleFields(rule: SuggestedRule, id: string): Record<string, Json> {
  const { on, from, all, any, none, target, note } = rule;
  const facts = { all, any, none };
  const fields = Object.entries(facts).flatMap(([key, list]) => (list?.length ? [[key, [...list]] as const] : []));
  return {
    id,
    ...defined({ on, from }),
    ...Object.fromEntries(fields),
    target,
    ...(note && { note }),
  };
}

function ruleValue({ rule, origin }: NewRule, id: string): Record<string, Json> {
  const { by, at, suggestion } = origin;
  return { ...ruleFields(rule, id), origin: { by, at, suggestion } };
}

/** A rule that takes another's place keeps what a person had written there beside what rules are made of. */
function kept(old: Rule | undefined, value: Record<string, Json>): Record<string, Json> {
  const own = Object.entries((old ?? {}) as Record<string, Json>).filter(([key]) => !ruleKeys.has(key));
  return { ...value, ...Object.fromEntries(own) };
}

const ruleKeys = new Set(['id', 'on', 'from', 'all', 'any', 'none', 'target', 'note', 'enabled', 'origin']);

function toId(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return plain.replaceAll(/^-|-$/g, '').slice(0, idLengthMax).replace(/-$/, '');
}

/** Characters of the id that a rule is given. */
const idLengthMax = 60;

function cannotPut(given: NewRule, file: string, reason: string, cause?: unknown) {
  const pasted = formatRule(ruleValue(given, freeId(given.rule, new Set()))).trimEnd();
  return failure('rule/cannotPut', file, `The rule cannot be added to ${file}: ${reason}`, {
    file,
    help: `Repair the file and decide again, or paste this below its rules:\n${pasted}`,
    ...defined({ cause }),
  });
}

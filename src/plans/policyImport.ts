import { messageOf } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { type ForeignRule, type LeftRule, type TakenRules, takeOver } from '../gates/policy/foreignRules.ts';
import { failure } from '../model/codes.ts';
import { equalJson, type Json } from '../model/json.ts';
import { type PolicyAction, type PolicyFile, type PolicyRule, policyActions } from '../model/policy.ts';
import { editYaml, formatYaml, parseYaml, type YamlEdit } from '../yaml/yaml.ts';

/** Settings of another program, read. */
export interface ForeignSettings {
  readonly rules: TakenRules;
  /** Why the text cannot be used. */
  readonly problem?: string;
}

/** Keys of Claude Code's `permissions` other than its lists of rules. */
const otherKeys: Readonly<Record<string, string>> = {
  additionalDirectories: 'What sessions read outside of the project is said by the setting sandbox.readable.',
  defaultMode: 'Sessions have no modes: what no rule and no gate is against needs no question.',
};

/** The `permissions` of a text in the form of `.claude/settings.json`. */
export function readForeignSettings(text: string, isOfUser: boolean): ForeignSettings {
  const none = { taken: [], left: [] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { rules: none, problem: `It is not valid JSON: ${messageOf(error)}.` };
  }
  const permissions = isRecord(value) ? (value['permissions'] ?? {}) : undefined;
  if (!isRecord(permissions)) return { rules: none, problem: 'Its permissions are not a table of rules.' };
  const rules: ForeignRule[] = [];
  const odd: LeftRule[] = [];
  for (const action of policyActions) {
    const list: unknown = permissions[action] ?? [];
    if (!Array.isArray(list)) return { rules: none, problem: `Its permissions.${action} is not a list.` };
    for (const one of list as readonly unknown[]) {
      if (typeof one === 'string') rules.push({ action, text: one });
      else odd.push({ action, text: JSON.stringify(one), why: 'It is not a text.' });
    }
  }
  for (const key of Object.keys(permissions).filter((one) => !policyActions.some((action) => action === one))) {
    const why = otherKeys[key] ?? 'Nothing in a policy says the same.';
    odd.push({ action: 'allow', text: `permissions.${key}`, why });
  }
  const found = takeOver(rules, isOfUser);
  return { rules: { taken: found.taken, left: [...found.left, ...odd] } };
}

/** A rule to be added to a policy. */
export interface ImportedRule {
  readonly id: string;
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  readonly allow?: readonly string[];
  readonly actors?: readonly string[];
  readonly why?: string;
}

/** As one rule; undefined of none. */
export function suggestRule(
  about: Pick<ImportedRule, 'id' | 'actors' | 'why'>,
  rules: readonly ForeignRule[],
): ImportedRule | undefined {
  const lists = policyActions.flatMap((action) => {
    const texts = rules.filter((one) => one.action === action).map(({ text }) => text);
    return texts.length === 0 ? [] : [[action, texts] as const];
  });
  const { id, ...rest } = about;
  return lists.length === 0 ? undefined : { id, ...Object.fromEntries(lists), ...rest };
}

type RuleName = Pick<ImportedRule, 'id' | 'actors'>;

/** The id for a rule: the wished one, or one like it if a rule for other requests has that. */
export function chooseRuleId(rules: readonly RuleScope[], { id, actors }: RuleName): string {
  const isFree = (one: string) => rules.every((rule) => rule.id !== one || isForSame(rule, actors));
  let name = id;
  for (let count = 2; !isFree(name); count++) name = `${id}-${count}`;
  return name;
}

type RuleScope = Pick<PolicyRule, 'id'> & {
  readonly [Key in 'actors' | 'phases' | 'harnesses' | 'models']?: readonly string[] | null | undefined;
};

/** Whether a rule holds for these actors, whatever their phase, harness and model are. */
function isForSame(rule: RuleScope, actors: readonly string[] | undefined): boolean {
  if ([rule.phases, rule.harnesses, rule.models].some((list) => list != null)) return false;
  const names = new Set(rule.actors ?? []);
  return names.size === new Set(actors).size && (actors ?? []).every((one) => names.has(one));
}

/** Without what a policy says already, in a rule for everyone or in the one of this name. */
export function newRules(
  content: PolicyFile,
  { id, actors }: RuleName,
  rules: readonly ForeignRule[],
): readonly ForeignRule[] {
  const own = (content.rules ?? []).filter((rule) => rule.id === id && isForSame(rule, actors));
  const said = (action: PolicyAction) => [content.permissions, ...own].flatMap((one) => one?.[action] ?? []);
  return rules.filter(({ action, text }) => !said(action).includes(text));
}

/**
 * The text of a policy with these rules added: nothing in it is changed or removed, so nothing that it denies is undone.
 * Throws `yaml/editRefused` for a text that they cannot be added to.
 */
export function addRules(text: string, content: PolicyFile, added: readonly ImportedRule[], file: string): string {
  if (added.length === 0) return text;
  const { value } = parseYaml(text, { file, subject: file });
  // A text of comments alone, or none; a written null cannot be continued.
  if (value === null) {
    const appended = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${formatYaml({ rules: added })}`;
    const said = parseYaml(appended, { file, subject: file }).value;
    if (equalJson(toJson(said), toJson({ rules: added }))) return appended;
    const message = `${file} cannot be edited in place. It has no mapping that rules could be added to.`;
    throw failure('yaml/editRefused', file, message, { file });
  }
  const edits: YamlEdit[] = [];
  let count = content.rules?.length ?? 0;
  const isFirst = count === 0;
  if (isFirst) edits.push({ op: 'set', path: ['rules'], value: toJson(added) });
  for (const rule of isFirst ? [] : added) {
    const at = (content.rules ?? []).findIndex((one) => one.id === rule.id && isForSame(one, rule.actors));
    const known = content.rules?.[at];
    if (known === undefined) edits.push({ op: 'insert', path: ['rules'], index: count++, value: toJson(rule) });
    else
      for (const action of policyActions) {
        const texts = rule[action] ?? [];
        const before = known[action] ?? [];
        if (texts.length > 0) edits.push({ op: 'set', path: ['rules', at, action], value: [...before, ...texts] });
      }
  }
  return editYaml(text, edits, { file, subject: file });
}

function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null));
}

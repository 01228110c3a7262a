import { defined } from '../../base/defined.ts';
import type { Diagnostic, Range } from '../../base/errors.ts';
import { type Code, diagnostic } from '../../model/codes.ts';
import { nearestNames } from '../../model/nearest.ts';
import { factsMax } from '../../model/routing.ts';
import type { Rule } from '../../model/rule.ts';
import { parseTerm, ruleWords } from '../facts/terms.ts';
import { overlaps, type RuleOverlap } from './ruleOverlaps.ts';

export interface LintOptions {
  readonly file: string;
  /** Plans, projects and experts that there are. */
  readonly names: ReadonlySet<string>;
  /** Where the rule of an index stands. */
  readonly rangeOf?: (index: number) => Range | undefined;
  /** How many messages each rule decided, by its id; and of how many in all. Without it nothing is said of it. */
  readonly fired?: { readonly counts: ReadonlyMap<string, number>; readonly decisions: number };
}

interface Finding {
  readonly code: Code;
  readonly index: number;
  readonly message: string;
  readonly help?: string;
}

/** Decisions after which a rule that made none of them is worth a look. */
const decisionsEnough = 200;

/**
 * What is doubtful about rules that can be read, in their order. Rules that are off are only looked at for their ids.
 * All rules are asked about each message, so that one is shadowed not by its place but by another that matches whenever
 * it does.
 */
export function lintRules(rules: readonly Rule[], options: LintOptions): Diagnostic[] {
  const findings = [...duplicateIds(rules), ...overlaps(rules).map((overlap) => ofOverlap(overlap, rules))];
  const guess = createGuesses([...options.names]);
  for (const [index, rule] of rules.entries()) {
    if (!rule.enabled) continue;
    const found = [
      ...ofTarget(rule, options.names, guess),
      ...ofReach(rule, options.names, guess),
      ...ofUse(rule, options),
    ];
    findings.push(...found.map((finding) => ({ ...finding, index })));
  }
  return findings.sort((a, b) => a.index - b.index).map((finding) => toDiagnostic(finding, options));
}

/** Findings that are not faults of the file and need no action. */
const hints: readonly Code[] = ['rule/neverFired'];
const faults: readonly Code[] = ['rule/unknownTarget', 'rule/duplicateId'];

function toDiagnostic({ code, index, message, help }: Finding, { file, rangeOf }: LintOptions): Diagnostic {
  const range = rangeOf?.(index);
  const severity = hints.includes(code) ? 'info' : faults.includes(code) ? 'error' : 'warning';
  const place = { file, severity, ...defined({ range, help }) } as const;
  return diagnostic(code, file, message, place);
}

function duplicateIds(rules: readonly Rule[]): Finding[] {
  const seen = new Set<string>();
  return rules.flatMap(({ id }, index): Finding[] => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ code: 'rule/duplicateId', index, message: `A rule before it has the id "${id}" too.` }];
  });
}

function ofOverlap({ index, other, isSame }: RuleOverlap, rules: readonly Rule[]): Finding {
  const [rule, covering] = [rules[index], rules[other]];
  const [id, otherId] = [rule?.id ?? '', covering?.id ?? ''];
  if (rule?.target !== covering?.target) {
    const same = `"${id}" and "${otherId}" match the same messages and lead to different targets, so that neither decides.`;
    const wider = `Every message that "${id}" matches, "${otherId}" matches too and leads elsewhere, so "${id}" never decides alone.`;
    return { code: 'rule/contradictory', index, message: isSame ? same : wider };
  }
  const same = `"${id}" says the same as "${otherId}".`;
  const wider = `"${otherId}" already leads every message that "${id}" matches to the same target.`;
  return { code: 'rule/shadowed', index, message: isSame ? same : wider };
}

type RuleFinding = Omit<Finding, 'index'>;

function ofTarget({ id, target }: Rule, known: ReadonlySet<string>, guess: Guess): RuleFinding[] {
  if (known.has(target)) return [];
  const message = `The rule "${id}" leads to "${target}", which this vault does not have.`;
  return [{ code: 'rule/unknownTarget', message, ...guess(target) }];
}

type Guess = (name: string) => { readonly help?: string };

/** The most names for which similar ones are looked up: a file full of faults must not take long. */
const guessesMax = 50;

function createGuesses(names: readonly string[]): Guess {
  const made = new Map<string, { readonly help?: string }>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const nearest = made.size < guessesMax ? nearestNames(name, names) : [];
    const said = nearest.map((one) => `"${one}"`).join(' or ');
    const guess = nearest.length === 0 ? {} : { help: `Perhaps ${said} was meant.` };
    made.set(name, guess);
    return guess;
  };
}

function ofReach(rule: Rule, known: ReadonlySet<string>, guess: Guess): RuleFinding[] {
  const { id, from, all, any, none } = rule;
  if (from !== undefined && from !== 'person' && !known.has(from)) {
    const message = `The rule "${id}" is about messages from "${from}", which this vault does not have.`;
    return [{ code: 'rule/unreachable', message, ...guess(from) }];
  }
  const [needed, choices, forbidden] = [keysOf(all), keysOf(any), new Set(keysOf(none))];
  const silent = ruleWords(rule).filter((fact) => parseTerm(fact) === undefined);
  const said = silent.map((fact) => `"${fact}"`).join(', ');
  const empty: RuleFinding[] =
    silent.length === 0
      ? []
      : [{ code: 'rule/emptyFact', message: `No message is ever about ${said}, which the rule "${id}" asks for.` }];
  if (needed.length === 0 && choices.length === 0 && from === undefined) {
    const message = `The rule "${id}" asks for no fact, so that it catches every message${forbidden.size > 0 ? ' but those it excludes' : ''}.`;
    return [...empty, { code: 'rule/catchesAll', message }];
  }
  const reason = whyUnreachable(needed, choices, forbidden);
  return reason === undefined
    ? empty
    : [...empty, { code: 'rule/unreachable', message: `The rule "${id}" ${reason}.` }];
}

/** `undefined` stands for a fact that no message has. */
function whyUnreachable(
  needed: readonly (string | undefined)[],
  choices: readonly (string | undefined)[],
  forbidden: ReadonlySet<string | undefined>,
): string | undefined {
  if (new Set(needed).size > factsMax)
    return `needs ${new Set(needed).size} facts, and a message has at most ${factsMax}`;
  if (needed.includes(undefined)) return 'needs a fact that no message has';
  const excluded = needed.find((fact) => forbidden.has(fact));
  if (excluded !== undefined) return `needs "${excluded}" and excludes it`;
  const possible = choices.filter((fact) => fact !== undefined && !forbidden.has(fact));
  return choices.length > 0 && possible.length === 0 ? 'excludes each of the facts of which it needs one' : undefined;
}

function keysOf(facts: readonly string[] | null | undefined): (string | undefined)[] {
  return (facts ?? []).map((fact) => parseTerm(fact)?.key);
}

function ofUse({ id }: Rule, { fired }: LintOptions): RuleFinding[] {
  if (fired === undefined || fired.decisions < decisionsEnough || (fired.counts.get(id) ?? 0) > 0) return [];
  return [{ code: 'rule/neverFired', message: `The rule "${id}" decided none of ${fired.decisions} messages.` }];
}

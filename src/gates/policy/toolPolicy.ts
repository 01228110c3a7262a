import {
  type PolicyAction,
  type PolicyAnswer,
  type PolicyAsker,
  type PolicyFile,
  type PolicyLayer,
  type PolicyRule,
  type PolicySource,
  type PolicyWord,
  policyActions,
  type RequestPolicy,
} from '../../model/policy.ts';
import { matchesWildcard } from '../wildcard.ts';
import { type EncodedCommand, encodeCommand, knownWords, matchesCommand, mayMatchCommand } from './commandPattern.ts';
import { isTriedOnAll, type NamedPath, type PathRoots, PathRules } from './pathRules.ts';
import { parseRuleString, pathRuleTools, type RuleString } from './ruleString.ts';
import { RuleTree } from './ruleTree.ts';

/** A rule string of a layer, with what surrounds it. */
export interface PolicyEntry extends PolicySource {
  readonly parsed: RuleString;
  readonly rule: PolicyRule | undefined;
}

/** What is wrong with a rule, as a sentence, and where. */
export interface PolicyFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** A layer that may only narrow allows something; that part of it is passed over. */
  readonly isWidening?: true;
}

export interface CompiledLayer {
  readonly layer: PolicyLayer;
  readonly file: string;
  readonly rules: readonly PolicyEntry[];
  readonly faults: readonly PolicyFault[];
}

/** A layer's file as rules. The layer cannot be used with a rule string that cannot be read, which is a fault. */
export function compileLayer(layer: PolicyLayer, file: string, content: PolicyFile): CompiledLayer {
  const rules: PolicyEntry[] = [];
  const faults: PolicyFault[] = [];
  let triedOnAll = 0;
  const add = (texts: readonly string[], action: PolicyAction, at: PolicySource['path'], rule?: PolicyRule) => {
    if (action === 'allow' && layer !== 'vault' && texts.length > 0) {
      const message = `What the ${layer} allows is passed over: its policy can only deny and ask.`;
      faults.push({ path: at, message, isWidening: true });
      return;
    }
    for (const [index, text] of texts.entries()) {
      const path = [...at, index];
      const parsed = parseRuleString(text);
      if (typeof parsed === 'string') faults.push({ path, message: `${text} cannot be used: ${parsed}` });
      else if (isSlow(parsed) && ++triedOnAll > triedOnAllMax) {
        const message = `${text} is one rule too many that names no part of a file’s name: more than ${triedOnAllMax} of them would slow down every request. Name the files or folders.`;
        if (triedOnAll === triedOnAllMax + 1) faults.push({ path, message });
      } else
        rules.push({
          ...{ layer, file, path, action, text, parsed, rule },
          ...(rule !== undefined && { id: rule.id }),
        });
    }
  };
  for (const action of policyActions) add(content.permissions?.[action] ?? [], action, ['permissions', action]);
  const ids = new Set<string>();
  for (const [index, rule] of (content.rules ?? []).entries()) {
    if (ids.has(rule.id))
      faults.push({ path: ['rules', index], message: `A rule before it has the id ${rule.id} too.` });
    ids.add(rule.id);
    for (const action of policyActions) add(rule[action] ?? [], action, ['rules', index, action], rule);
  }
  return { layer, file, rules, faults };
}

/** Rules of a file that each path has to be compared with; all others are found by a name. */
const triedOnAllMax = 200;

function isSlow({ subject }: RuleString): boolean {
  return subject.kind === 'path' && isTriedOnAll(subject.pattern);
}

/** What the rules of one action say, found by the request and not by going through all of them. */
class RuleBook {
  readonly #tools = new Map<string, PolicyEntry[]>();
  readonly #toolPatterns: PolicyEntry[] = [];
  readonly #commands = new RuleTree<PolicyEntry>();
  readonly #paths: Readonly<Record<'Read' | 'Edit', PathRules<PolicyEntry>>>;
  readonly #domains: PolicyEntry[] = [];

  constructor(rules: readonly PolicyEntry[], folds: boolean) {
    this.#paths = { Read: new PathRules(folds), Edit: new PathRules(folds) };
    for (const rule of rules) this.#add(rule);
  }

  #add(rule: PolicyEntry): void {
    const { tool, subject } = rule.parsed;
    if (subject.kind === 'command') this.#commands.add(subject.pattern.literals, rule);
    else if (subject.kind === 'path') this.#paths[tool as 'Read' | 'Edit'].add(subject.root, subject.pattern, rule);
    else if (subject.kind === 'domain') this.#domains.push(rule);
    else if (tool.includes('*')) this.#toolPatterns.push(rule);
    else for (const one of toolsOf(tool)) this.#tools.set(one, [...(this.#tools.get(one) ?? []), rule]);
  }

  *tool(tool: string): Generator<PolicyEntry> {
    yield* this.#tools.get(tool) ?? [];
    // `mcp__server` stands for all tools of that server.
    const server = /^(mcp__.+?)__/.exec(tool)?.[1];
    if (server !== undefined) yield* this.#tools.get(server) ?? [];
    for (const rule of this.#toolPatterns) if (matchesWildcard(rule.parsed.tool, tool)) yield rule;
  }

  /** `certain`: only what matches whatever its unknown values are. */
  *command(command: EncodedCommand, certain: boolean): Generator<PolicyEntry> {
    const found =
      command.isOpen && !certain ? this.#commands.near(knownWords(command)) : this.#commands.along(command.words);
    for (const rule of found) {
      const { subject } = rule.parsed;
      if (subject.kind !== 'command') continue;
      if (certain ? matchesCommand(subject.pattern, command) : mayMatchCommand(subject.pattern, command)) yield rule;
    }
  }

  path(use: 'Read' | 'Edit', path: NamedPath, roots: PathRoots, needs: 'either' | 'both'): Iterable<PolicyEntry> {
    return this.#paths[use].matching(path, roots, needs);
  }

  below(use: 'Read' | 'Edit', folder: string, roots: PathRoots): Iterable<PolicyEntry> {
    return this.#paths[use].below(folder, roots);
  }

  domain(host: string): readonly PolicyEntry[] {
    return this.#domains.filter(
      ({ parsed: { subject } }) => subject.kind === 'domain' && isOfDomain(host, subject.domain),
    );
  }
}

function isOfDomain(host: string, domain: string): boolean {
  return domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain;
}

function toolsOf(tool: string): readonly string[] {
  return tool === 'Read' || tool === 'Edit' ? pathRuleTools[tool] : [tool];
}

/** The layers of one place, compiled; they stay as they are. */
export class ToolPolicy {
  readonly layers: readonly CompiledLayer[];
  readonly #home: string;
  readonly #books: Readonly<Record<PolicyAction, RuleBook>>;

  constructor(layers: readonly CompiledLayer[], home: string) {
    this.layers = layers;
    this.#home = home;
    const rules = layers.flatMap((layer) => layer.rules);
    const book = (action: PolicyAction) =>
      new RuleBook(
        rules.filter((rule) => rule.action === action),
        action !== 'allow',
      );
    this.#books = { deny: book('deny'), ask: book('ask'), allow: book('allow') };
  }

  /** These rules as they hold for one session, whose paths without a sign in front start at `project`; absolute. */
  for(asker: PolicyAsker, project: string): SessionPolicy {
    return new SessionPolicy(this.#books, asker, { absolute: '/', home: this.#home, project });
  }
}

/** Which rules a session's requests meet: deny, else ask, else allow, however precisely each of them is written. */
export class SessionPolicy implements RequestPolicy {
  readonly #books: Readonly<Record<PolicyAction, RuleBook>>;
  readonly #asker: PolicyAsker;
  readonly #roots: PathRoots;

  constructor(books: Readonly<Record<PolicyAction, RuleBook>>, asker: PolicyAsker, roots: PathRoots) {
    this.#books = books;
    this.#asker = asker;
    this.#roots = roots;
  }

  /** Rules on a tool as a whole, and for `WebFetch` on the host of its address. */
  tool(tool: string, input: Readonly<Record<string, unknown>>): PolicyAnswer | undefined {
    const host = tool === 'WebFetch' ? hostOf(input['url']) : undefined;
    return this.#first((book) => [...book.tool(tool), ...(host === undefined ? [] : book.domain(host))]);
  }

  /** Rules on one simple command, by its words. */
  command(words: readonly PolicyWord[]): PolicyAnswer | undefined {
    const command = encodeCommand(words);
    const bare = withoutFolder(command);
    return this.#first((book, action) => {
      const whole = book.tool('Bash');
      if (action === 'allow') return [...whole, ...book.command(command, true)];
      // A program is forbidden under each of its names.
      const named = bare === undefined ? [] : book.command(bare, false);
      return [...whole, ...book.command(command, false), ...named];
    });
  }

  path(use: 'Read' | 'Edit', path: NamedPath): PolicyAnswer | undefined {
    return this.#first((book, action) => book.path(use, path, this.#roots, action === 'allow' ? 'both' : 'either'));
  }

  /** A rule that forbids something below a folder, or asks about it, for what uses the folder as a whole. */
  below(use: 'Read' | 'Edit', folder: string): PolicyAnswer | undefined {
    return this.#first((book, action) => (action === 'allow' ? [] : book.below(use, folder, this.#roots)));
  }

  #first(find: (book: RuleBook, action: PolicyAction) => Iterable<PolicyEntry>): PolicyAnswer | undefined {
    for (const action of policyActions) {
      for (const rule of find(this.#books[action], action)) if (this.#applies(rule)) return answerOf(action, rule);
    }
    return undefined;
  }

  #applies({ rule }: PolicyEntry): boolean {
    if (rule === undefined) return true;
    const { actor, phase, harness, model } = this.#asker;
    const named = (list: readonly string[] | null | undefined, value: string | undefined) =>
      list == null ||
      (value !== undefined && list.some((one) => matchesWildcard(one.toLowerCase(), value.toLowerCase())));
    return (
      named(rule.actors, actor) &&
      named(rule.phases, phase) &&
      named(rule.harnesses, harness) &&
      named(rule.models, model)
    );
  }
}

function answerOf(action: PolicyAction, { parsed: _parsed, rule, ...source }: PolicyEntry): PolicyAnswer {
  return {
    action,
    rule: source,
    ...(rule?.why != null && { why: rule.why }),
    ...(rule?.instead != null && { instead: rule.instead }),
  };
}

function withoutFolder({ words, text, isOpen }: EncodedCommand): EncodedCommand | undefined {
  const [program, ...rest] = words;
  const name = program?.slice(program.lastIndexOf('/') + 1) ?? '';
  if (name === program || name === '') return undefined;
  return { words: [name, ...rest], text: name + text.slice(program?.length), isOpen };
}

function hostOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.toLowerCase().replace(/\.$/, '');
}

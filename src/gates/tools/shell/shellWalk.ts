import { type Dialect, type ShellWord, type SimpleCommand, UnparsableShell } from './shell.ts';
import {
  assertSetOnce,
  choices,
  expandRedirection,
  isNumeric,
  listValue,
  valueWords,
  withVariable,
} from './shellChoices.ts';
import { assignedValue, expandWhole, expandWords, type Values } from './shellExpand.ts';
import { ShellLimits } from './shellLimits.ts';
import { readShell } from './shellReader.ts';
import {
  inFolders,
  isWholeNumber,
  join,
  lockVariable,
  type ShellState,
  type ShellValue,
  setVariable,
  subsumes,
} from './shellState.ts';
import type { Arithmetic, CommandNode, CommandWord, CompoundNode, ShellNode, WordRedirection } from './shellTree.ts';
import { collectFunctions } from './shellTree.ts';
import type { ShellVisitor } from './shellVisitor.ts';

/** The states after success and after failure. */
interface Flow {
  readonly ok: ShellState;
  readonly failed: ShellState;
}

/** The states that leave a loop or a function in its middle, and those that go on at the head of a loop. */
interface Frame {
  readonly kind: 'loop' | 'function';
  readonly ends: ShellState[];
  readonly again: ShellState[];
}

/** Rounds after which a loop whose state still changes is not followed. */
const roundsMax = 8;

/** Follows a shell text along every way that it can take. Throws UnparsableShell for what cannot be followed. */
export function walkShell(text: string, folders: readonly string[], visitor: ShellVisitor, dialect?: Dialect): void {
  const start: ShellState = {
    folders,
    previous: undefined,
    variables: new Map(),
    functions: new Set(),
    locked: new Set(),
    isDead: false,
  };
  const walk = new ShellWalk(visitor);
  walk.walkText(text, start, dialect);
  walk.walkUncalled(start);
}

class ShellWalk {
  readonly #visitor: ShellVisitor;
  readonly #functions = new Map<string, ShellNode[]>();
  /** The loops and functions that `break`, `continue` and `return` may leave, innermost last. */
  readonly #frames: Frame[] = [];
  readonly #calls: string[] = [];
  readonly #called = new Set<string>();
  /** The state on all ways on which a failure makes bash skip the rest of a line. */
  #dropped: ShellState | undefined;
  /** Names that were set, for what a function may have changed. */
  #touched = new Set<string>();
  readonly #limits = new ShellLimits();

  constructor(visitor: ShellVisitor) {
    this.#visitor = visitor;
  }

  walkText(text: string, state: ShellState, dialect?: Dialect): Flow {
    const node = readShell(text, dialect);
    if (node === undefined) return both(state);
    collectFunctions(node, this.#functions);
    return this.#withDropped(this.#walk(node, state));
  }

  #withDropped({ ok, failed }: Flow): Flow {
    return { ok, failed: this.#dropped === undefined ? failed : join(failed, this.#dropped) };
  }

  #drop(state: ShellState): void {
    this.#dropped = this.#dropped === undefined ? state : join(this.#dropped, state);
  }

  /** Functions that nothing calls, since bash calls some by itself. */
  walkUncalled(state: ShellState): void {
    for (const [name, bodies] of this.#functions) if (!this.#called.has(name)) this.#call(name, bodies, state);
  }

  #walk(node: ShellNode, state: ShellState): Flow {
    switch (node.kind) {
      case 'command':
        return this.#command(node, state);
      case 'list':
        return this.#list(node.items, state);
      case 'chain':
        return this.#chain(node, state);
      case 'pipeline':
        this.#visitor.visitUnordered();
        for (const side of node.nodes) this.#inSubshell(side, state);
        return both(state);
      case 'not': {
        const { ok, failed } = this.#walk(node.node, state);
        return { ok: failed, failed: ok };
      }
      case 'function':
        return this.#define(node, state);
      default: {
        for (const redirection of node.redirections) this.#runs(redirection.target, state);
        if (node.redirections.length === 0) return this.#compound(node, state);
        this.#visitRedirections(node.redirections, state);
        // If a redirection fails, nothing of it runs.
        const { ok, failed } = this.#compound(node, state);
        return { ok, failed: join(failed, state) };
      }
    }
  }

  #list(items: readonly { readonly node: ShellNode; readonly isBackground: boolean }[], state: ShellState): Flow {
    let flow = both(state);
    for (const { node, isBackground } of items) {
      const before = after(flow);
      if (isBackground) {
        this.#visitor.visitUnordered();
        this.#inSubshell(node, before);
      }
      flow = isBackground ? both(before) : this.#walk(node, before);
      // Where a line ends is not in the tree, so each command may be the first of the next one.
      flow = this.#withDropped(flow);
    }
    return flow;
  }

  #chain({ first, rest }: Extract<ShellNode, { kind: 'chain' }>, state: ShellState): Flow {
    let flow = this.#walk(first, state);
    for (const { operator, node } of rest) {
      const next = this.#walk(node, operator === '&&' ? flow.ok : flow.failed);
      flow =
        operator === '&&'
          ? { ok: next.ok, failed: join(flow.failed, next.failed) }
          : { ok: join(flow.ok, next.ok), failed: next.failed };
    }
    return flow;
  }

  /** What runs here cannot change the shell around it. */
  #inSubshell(node: ShellNode, state: ShellState): void {
    const frames = this.#frames.splice(0);
    const touched = new Set(this.#touched);
    this.#walk(node, state);
    this.#frames.push(...frames);
    this.#touched = touched;
  }

  #compound(node: CompoundNode, state: ShellState): Flow {
    switch (node.kind) {
      case 'group':
        return this.#walk(node.body, state);
      case 'subshell':
        this.#inSubshell(node.body, state);
        return both(state);
      case 'if':
        return this.#if(node, state);
      case 'loop':
        return this.#loop(state, (head) => {
          const test = this.#walk(node.test, head);
          const [enters, ends] = node.isUntil ? [test.failed, test.ok] : [test.ok, test.failed];
          return { again: after(this.#walk(node.body, enters)), ends };
        });
      case 'for':
        return this.#for(node, state);
      case 'count':
        return this.#loop(this.#evaluate(node.arithmetic, state), (head) => ({
          again: after(this.#walk(node.body, this.#evaluate(node.arithmetic, head))),
          ends: head,
        }));
      case 'case':
        return this.#case(node, state);
      case 'test':
        for (const { word, isNumber } of node.operands) {
          this.#runs(word, state);
          if (isNumber && !isNumeric(word, state))
            throw new UnparsableShell('a test evaluates what is not known to be a number');
        }
        return both(state);
      case 'arithmetic':
        return both(this.#evaluate(node.arithmetic, state));
    }
  }

  #if({ branches, otherwise }: Extract<CompoundNode, { kind: 'if' }>, state: ShellState): Flow {
    let next = state;
    let ends: ShellState | undefined;
    for (const { test, body } of branches) {
      const flow = this.#walk(test, next);
      const end = after(this.#walk(body, flow.ok));
      ends = ends === undefined ? end : join(ends, end);
      next = flow.failed;
    }
    const last = otherwise === undefined ? next : after(this.#walk(otherwise, next));
    return both(ends === undefined ? last : join(ends, last));
  }

  #for({ name, words, body }: Extract<CompoundNode, { kind: 'for' }>, state: ShellState): Flow {
    this.#set(name);
    for (const word of words ?? []) this.#runs(word, state);
    const value = words === undefined ? undefined : listValue(words, state);
    return this.#loop(state, (head) => ({
      again: after(this.#walk(body, setVariable(head, name, value))),
      ends: head,
    }));
  }

  /** Goes round until what is known at the head of the loop holds for every round. */
  #loop(
    state: ShellState,
    round: (head: ShellState) => { readonly again: ShellState; readonly ends: ShellState },
  ): Flow {
    this.#visitor.visitUnordered();
    let head = state;
    for (let count = 1; count <= roundsMax; count++) {
      const frame: Frame = { kind: 'loop', ends: [], again: [] };
      this.#frames.push(frame);
      const { again, ends } = round(head);
      this.#frames.pop();
      const next = frame.again.reduce(join, again);
      if (subsumes(head, next)) return both(frame.ends.reduce(join, ends));
      head = join(head, next);
      // What keeps changing is not followed to its end.
      if (count > 2) head = { ...head, variables: settled(head.variables, next.variables) };
    }
    throw new UnparsableShell('a loop changes too much to be followed');
  }

  #case({ word, branches }: Extract<CompoundNode, { kind: 'case' }>, state: ShellState): Flow {
    this.#runs(word, state);
    // With `;&` one branch goes on in the next, so each may start where the one before it ended.
    let end = state;
    for (const { patterns, body } of branches) {
      for (const pattern of patterns) this.#runs(pattern, end);
      if (body !== undefined) end = join(end, after(this.#walk(body, end)));
    }
    return both(end);
  }

  #define({ name }: Extract<ShellNode, { kind: 'function' }>, state: ShellState): Flow {
    if (this.#limits.isInEval) throw new UnparsableShell('it defines a function out of sight');
    this.#visitor.visitFunction(name);
    return both({ ...state, functions: new Set([...state.functions, name]) });
  }

  #command(node: CommandNode, state: ShellState): Flow {
    for (const word of [...node.words, ...node.assignments.flatMap(({ value }) => valueWords(value))])
      this.#runs(word, state);
    for (const { target } of node.redirections) this.#runs(target, state);
    assertSetOnce(node);
    const given = choices(node, state);
    this.#limits.countExpansions(given.length * node.words.length);
    const flows = given.map((values) => this.#run(node, values, state));
    return { ok: flows.map(({ ok }) => ok).reduce(join), failed: flows.map(({ failed }) => failed).reduce(join) };
  }

  #run(node: CommandNode, values: Values, state: ShellState): Flow {
    let assigned = state;
    let known = values;
    const assignments = node.assignments.map(({ name, value, isAppended }) => {
      if (state.locked.has(name)) this.#drop(state);
      const isText = 'parts' in value && !isAppended;
      const given = isText ? assignedValue(value, known) : undefined;
      const word = 'parts' in value ? expandWhole(value, known) : unknownWord;
      this.#set(name, node.words.length === 0 ? undefined : isAppended ? unknownWord : word);
      if (node.words.length === 0) known = withVariable(known, name, state.locked.has(name) ? undefined : given);
      assigned = setVariable(assigned, name, given);
      return { name, value: word, isArray: !('parts' in value) };
    });
    const redirections = node.redirections.flatMap((redirection) => expandRedirection(redirection, values));
    const command = { assignments, words: expandWords(node.words, values), redirections };
    if (node.words.length === 0) {
      this.#visit(command, state);
      return both(assigned);
    }
    // A function, or a text that is evaluated, sees what is set for it alone.
    const inside = node.assignments.reduce((next, { name }) => setVariable(next, name, undefined), state);
    return this.#perform(command, node.assignments.length === 0 ? state : inside, state, true);
  }

  #perform(command: SimpleCommand, inside: ShellState, outside: ShellState, findsFunctions: boolean): Flow {
    const [program] = command.words;
    const bodies = findsFunctions && program !== undefined ? this.#functions.get(program.text) : undefined;
    if (bodies !== undefined && program !== undefined && !program.isDynamic) {
      this.#visit({ ...command, words: [] }, outside);
      const called = this.#call(program.text, bodies, inside);
      if (inside.functions.has(program.text)) return called;
      const direct = this.#perform(command, inside, outside, false);
      return { ok: join(called.ok, direct.ok), failed: join(called.failed, direct.failed) };
    }
    this.#visit(command, outside);
    return this.#effect(command, inside, outside);
  }

  #effect(command: SimpleCommand, inside: ShellState, outside: ShellState): Flow {
    const effect = this.#visitor.effectOf(command, outside);
    switch (effect?.kind) {
      case undefined:
        return both(outside);
      case 'move':
        return {
          ok: { ...outside, folders: inFolders(effect.folders), previous: outside.folders },
          failed: outside,
        };
      case 'set': {
        let next = inside;
        for (const [name, value] of effect.variables) {
          this.#set(name);
          next = setVariable(next, name, value);
        }
        for (const name of effect.locks ?? []) next = lockVariable(next, name);
        return { ok: next, failed: join(next, inside) };
      }
      case 'forget':
        return both({ ...outside, variables: new Map(), functions: new Set() });
      case 'eval':
        return this.#limits.inEval(() => this.walkText(effect.text, inside));
      case 'exit':
        return both({ ...outside, isDead: effect.isCertain && command.redirections.length === 0 });
      case 'leave': {
        for (const { ends, again } of this.#frames) {
          ends.push(outside);
          if (effect.isAgain) again.push(outside);
        }
        // The loops around a function are out of its reach.
        const inner = effect.leaves === 'loop' ? this.#frames.slice(-1) : this.#frames;
        const isLeft = inner.some(({ kind }) => kind === effect.leaves);
        return both({ ...outside, isDead: isLeft && effect.isCertain && command.redirections.length === 0 });
      }
      case 'run': {
        const run = { assignments: [], words: effect.words, redirections: [] };
        const flow = this.#limits.inWrapper(() => this.#perform(run, inside, outside, false));
        return effect.ends ? both(outside) : flow;
      }
    }
  }

  #call(name: string, bodies: readonly ShellNode[], state: ShellState): Flow {
    if (this.#calls.includes(name)) throw new UnparsableShell(`the function ${name} calls itself`);
    this.#calls.push(name);
    this.#called.add(name);
    this.#limits.assertCalls(this.#calls);
    const outer = this.#touched;
    this.#touched = new Set();
    const frame: Frame = { kind: 'function', ends: [], again: [] };
    this.#frames.push(frame);
    const flows = bodies.map((body) => this.#walk(body, state));
    this.#frames.pop();
    this.#calls.pop();
    // A name may have been local, so that the value outside is another one.
    const inner = this.#touched;
    this.#touched = new Set([...outer, ...inner]);
    const settle = (states: readonly ShellState[]): ShellState =>
      [...inner].reduce((next, each) => setVariable(next, each, undefined), states.reduce(join));
    return {
      ok: settle([...flows.map(({ ok }) => ok), ...frame.ends]),
      failed: settle([...flows.map(({ failed }) => failed), ...frame.ends]),
    };
  }

  #visit(command: SimpleCommand, state: ShellState): void {
    this.#limits.countCommand(command);
    this.#visitor.visitCommand(command, state.folders);
  }

  #visitRedirections(redirections: readonly WordRedirection[], state: ShellState): void {
    for (const values of choices({ kind: 'command', assignments: [], words: [], redirections }, state)) {
      const expanded = redirections.flatMap((redirection) => expandRedirection(redirection, values));
      if (expanded.length > 0) this.#visit({ assignments: [], words: [], redirections: expanded }, state);
    }
  }

  /** What the expansions of a word run, read and set. */
  #runs({ parts }: CommandWord, state: ShellState): void {
    for (const part of parts) {
      if (part.kind === 'text') continue;
      if (part.runs.length > 0) this.#visitor.visitUnordered();
      for (const body of part.runs) this.#inSubshell(body, state);
      for (const name of part.reads) if (!state.variables.has(name)) this.#visitor.visitRead(name);
      if (part.sets !== undefined && state.variables.has(part.sets))
        throw new UnparsableShell('an expansion may set a variable that has a value');
      if (part.sets !== undefined) {
        this.#set(part.sets);
        if (state.locked.has(part.sets)) this.#drop(state);
      }
      if (part.arithmetic !== undefined && part.arithmetic.sets.length > 0)
        throw new UnparsableShell('its arithmetic sets a variable inside of a word');
      if (part.arithmetic !== undefined) {
        this.#evaluate(part.arithmetic, state);
        if (part.arithmetic.mayFail) this.#drop(state);
      }
    }
  }

  #evaluate({ reads, sets }: Arithmetic, state: ShellState): ShellState {
    for (const name of reads) {
      if (!isWholeNumber(state.variables.get(name)))
        throw new UnparsableShell(`its arithmetic uses ${name}, which is not known to be a number`);
    }
    for (const name of sets) {
      this.#set(name);
      if (state.locked.has(name)) this.#drop(state);
    }
    return sets.reduce((next, name) => setVariable(next, name, 'number'), state);
  }

  #set(name: string, exported?: ShellWord): void {
    this.#touched.add(name);
    this.#visitor.visitVariable(name, exported);
  }
}

const unknownWord: ShellWord = { text: '', isDynamic: true, isGlob: false, isHome: false };

function both(state: ShellState): Flow {
  return { ok: state, failed: state };
}

function after({ ok, failed }: Flow): ShellState {
  return join(ok, failed);
}

function settled(
  known: ReadonlyMap<string, ShellValue>,
  next: ReadonlyMap<string, ShellValue>,
): ReadonlyMap<string, ShellValue> {
  return new Map([...known].filter(([name, value]) => value === next.get(name) || value === 'number'));
}

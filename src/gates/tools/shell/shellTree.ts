/** The tree of a shell text, before anything in it is expanded. */

/** A piece of a word. Quoted pieces are neither split nor matched against files. */
export type CommandWordPart =
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  | {
      readonly kind: 'expansion';
      readonly isQuoted: boolean;
      /** What it stands for: the value of one variable, a whole number, or something unknown. */
      readonly gives: { readonly variable: string } | 'number' | 'unknown';
      /** Becomes any number of words even in quotes, as `"$@"` does. */
      readonly isList: boolean;
      /** Variables whose values it uses. */
      readonly reads: readonly string[];
      /** The variable that `${x:=word}` sets. */
      readonly sets: string | undefined;
      readonly arithmetic: Arithmetic | undefined;
      /** What its substitutions run. */
      readonly runs: readonly ShellNode[];
    };

export interface CommandWord {
  readonly parts: readonly CommandWordPart[];
}

/** An arithmetic expression: the variables whose values it evaluates, and those that it sets. */
export interface Arithmetic {
  readonly reads: readonly string[];
  readonly sets: readonly string[];
  /** Not one of the forms that are known to succeed. After a failure bash skips the rest of the line. */
  readonly mayFail: boolean;
}

export interface WordRedirection {
  /** `none` only feeds text or copies a descriptor. */
  readonly access: 'read' | 'write' | 'none';
  readonly target: CommandWord;
}

/** `array` holds the words of `name=(…)`. */
export interface WordAssignment {
  readonly name: string;
  readonly isAppended: boolean;
  readonly value: CommandWord | { readonly array: readonly CommandWord[] };
}

export interface CommandNode {
  readonly kind: 'command';
  readonly assignments: readonly WordAssignment[];
  readonly words: readonly CommandWord[];
  readonly redirections: readonly WordRedirection[];
}

/** One side of `[[ a == b ]]`; the numbers of `-eq` and its like are evaluated as arithmetic. */
export interface TestOperand {
  readonly word: CommandWord;
  readonly isNumber: boolean;
}

export type CompoundNode = { readonly redirections: readonly WordRedirection[] } & (
  | { readonly kind: 'subshell' | 'group'; readonly body: ShellNode }
  | {
      readonly kind: 'if';
      readonly branches: readonly { readonly test: ShellNode; readonly body: ShellNode }[];
      readonly otherwise: ShellNode | undefined;
    }
  | { readonly kind: 'loop'; readonly test: ShellNode; readonly body: ShellNode; readonly isUntil: boolean }
  /** Without words it takes the parameters of the shell. */
  | {
      readonly kind: 'for';
      readonly name: string;
      readonly words: readonly CommandWord[] | undefined;
      readonly body: ShellNode;
    }
  | { readonly kind: 'count'; readonly arithmetic: Arithmetic; readonly body: ShellNode }
  | {
      readonly kind: 'case';
      readonly word: CommandWord;
      readonly branches: readonly { readonly patterns: readonly CommandWord[]; readonly body: ShellNode | undefined }[];
    }
  | { readonly kind: 'test'; readonly operands: readonly TestOperand[] }
  | { readonly kind: 'arithmetic'; readonly arithmetic: Arithmetic }
);

export interface FunctionNode {
  readonly kind: 'function';
  readonly name: string;
  readonly body: ShellNode;
}

export type ShellNode =
  | CommandNode
  | CompoundNode
  | FunctionNode
  /** Commands one after another. */
  | {
      readonly kind: 'list';
      readonly items: readonly { readonly node: ShellNode; readonly isBackground: boolean }[];
    }
  /** `a && b || c`, from left to right. */
  | {
      readonly kind: 'chain';
      readonly first: ShellNode;
      readonly rest: readonly { readonly operator: '&&' | '||'; readonly node: ShellNode }[];
    }
  | { readonly kind: 'pipeline'; readonly nodes: readonly ShellNode[] }
  | { readonly kind: 'not'; readonly node: ShellNode };

/** The text of a word; its expansions are left out. */
export function wordText({ parts }: CommandWord): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** The text of a word that holds neither a quote nor an expansion. */
export function bareText({ parts }: CommandWord): string | undefined {
  return parts.every((part) => part.kind === 'text' && !part.isQuoted) ? wordText({ parts }) : undefined;
}

/** Every function that a tree defines, in substitutions too. */
export function collectFunctions(node: ShellNode, found: Map<string, ShellNode[]>): void {
  if (node.kind === 'function') found.set(node.name, [...(found.get(node.name) ?? []), node.body]);
  for (const child of childrenOf(node)) collectFunctions(child, found);
}

function childrenOf(node: ShellNode): readonly ShellNode[] {
  const inWords = (words: readonly CommandWord[]): readonly ShellNode[] =>
    words.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'expansion' ? part.runs : [])));
  const inTargets = 'redirections' in node ? inWords(node.redirections.map(({ target }) => target)) : [];
  switch (node.kind) {
    case 'command': {
      const values = node.assignments.flatMap(({ value }) => ('parts' in value ? [value] : value.array));
      return [...inTargets, ...inWords([...node.words, ...values])];
    }
    case 'list':
      return node.items.map((item) => item.node);
    case 'chain':
      return [node.first, ...node.rest.map((item) => item.node)];
    case 'pipeline':
      return node.nodes;
    case 'not':
      return [node.node];
    case 'function':
    case 'subshell':
    case 'group':
    case 'count':
      return [...inTargets, node.body];
    case 'if':
      return [...inTargets, ...node.branches.flatMap(({ test, body }) => [test, body]), ...only(node.otherwise)];
    case 'loop':
      return [...inTargets, node.test, node.body];
    case 'for':
      return [...inTargets, ...inWords(node.words ?? []), node.body];
    case 'case': {
      const { word, branches } = node;
      const words = inWords([word, ...branches.flatMap(({ patterns }) => patterns)]);
      return [...inTargets, ...words, ...branches.flatMap(({ body }) => only(body))];
    }
    case 'test':
      return [...inTargets, ...inWords(node.operands.map(({ word }) => word))];
    case 'arithmetic':
      return inTargets;
  }
}

function only<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

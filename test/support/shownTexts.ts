import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import type { SourceFile } from './sourceText.ts';

/** A text of a source file that a person may read. `start` and `end` are offsets in the file, of the whole literal. */
export interface ShownText {
  readonly kind: 'literal' | 'template' | 'html' | 'attribute';
  /** With `{0}`, `{1}` … in the place of values, as a bundle has it. */
  readonly text: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

interface Quasi extends Node {
  readonly value: { readonly raw: string; readonly cooked: string };
}

/** What takes a text for programs: its arguments are names, patterns, or sentences for the log. */
const takesNoShownText = new Set([
  ...['Error', 'TypeError', 'RegExp', 'assert', 'unreachable', 'onError', 'log'],
  ...['request', 'executeCommand', 'getConfiguration', 'addEventListener', 'removeEventListener', 'querySelector'],
  ...['querySelectorAll', 'closest', 'matches', 'customElement', 'startsWith', 'endsWith', 'includes', 'split'],
  ...['indexOf', 'replace', 'replaceAll', 'registerCommand', 'setContext', 'getExtension', 'createElement'],
  ...['CustomEvent', 'Event', 'getAttribute', 'setAttribute', 'ThemeIcon', 'ThemeColor', 'joinPath', 'from', 'parse'],
]);

/** Attributes of an element that hold no words. */
const wordlessAttribute =
  /^(?:class|id|for|href|slot|type|role|part|style|appearance|name|src|value|aria-(?!label|description|valuetext|roledescription).*)$/;
const spokenAttribute =
  /^(?:aria-label|aria-description|aria-valuetext|aria-roledescription|title|placeholder|alt|label)$/;

const keys = /^(?:Enter|Escape|Home|End|Tab|Space|Delete|Backspace|Ravel|Content|Authorization|None|Accept-Language)$/;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What makes up a window and its pages. */
export function shownSources(): SourceFile[] {
  const names = ['src/ui', 'webview'].flatMap((directory) =>
    readdirSync(`${root}${directory}`, { recursive: true, encoding: 'utf8' }).map((name) => `${directory}/${name}`),
  );
  const paths = [...names.filter((name) => name.endsWith('.ts')), 'src/extension.ts'].sort();
  return paths.map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }));
}

/** All texts of a file that stand where a person reads them: those given to `t`, and those that are not. */
export function readShownTexts(path: string, source: string): { translated: ShownText[]; plain: ShownText[] } {
  const translated: ShownText[] = [];
  const plain: ShownText[] = [];
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  visit(program as unknown as Node, undefined, undefined);
  return { translated, plain };

  function add(list: ShownText[], kind: ShownText['kind'], text: string, start: number, end: number): void {
    const line = source.slice(0, start).split('\n').length;
    list.push({ kind, text, line, start, end });
  }

  function visit(node: Node, parent: Node | undefined, role: string | undefined): void {
    if (node.type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return;
    if (/^(?:Import|ExportAll)/.test(node.type)) return;
    if (node.type === 'CallExpression' || node.type === 'NewExpression') visitCall(node);
    else if (node.type === 'TaggedTemplateExpression') visitTagged(node);
    else if (node.type === 'TemplateLiteral') visitTemplate(node, parent);
    else if (node.type === 'Literal') {
      const { value } = node as unknown as { value: unknown };
      if (typeof value === 'string' && isRead(value) && !isName(node, parent, role)) {
        add(plain, 'literal', value, node.start, node.end);
      }
    } else children(node);
  }

  function children(node: Node): void {
    for (const [role, child] of Object.entries(node)) {
      if (role === 'typeAnnotation' || role === 'typeArguments' || role === 'typeParameters') continue;
      for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) visit(one, node, role);
    }
  }

  function visitCall(node: Node): void {
    const callee = node['callee'] as Node;
    const args = node['arguments'] as Node[];
    const name = calledName(callee);
    if (name === 't' && callee.type === 'Identifier') {
      const [first, ...others] = args;
      if (first?.type !== 'Literal') throw new Error(`${path}: t needs a text as its first argument`);
      add(translated, 'literal', String(first['value']), first.start, first.end);
      for (const other of others) visit(other, node, 'arguments');
      return;
    }
    visit(callee, node, 'callee');
    if (takesNoShownText.has(name) || /\blog\??\.\w+$/.test(source.slice(callee.start, callee.end))) {
      for (const one of args) if (/Function|Object|Array/.test(one.type)) visit(one, node, 'arguments');
      return;
    }
    for (const one of args) visit(one, node, 'arguments');
  }

  function visitTagged(node: Node): void {
    const tag = source.slice((node['tag'] as Node).start, (node['tag'] as Node).end);
    const template = node['quasi'] as Node;
    if (tag === 't') {
      add(translated, 'template', keyOf(template), node.start, node.end);
      for (const one of template['expressions'] as Node[]) visit(one, template, 'expressions');
    } else if (tag === 'html') visitHtml(template);
    else if (tag === 'svg') for (const one of template['expressions'] as Node[]) visit(one, template, 'expressions');
  }

  function visitTemplate(node: Node, parent: Node | undefined): void {
    const key = keyOf(node);
    if (isReadTemplate(key) && !isName(node, parent, undefined)) add(plain, 'template', key, node.start, node.end);
    for (const one of node['expressions'] as Node[]) visit(one, node, 'expressions');
  }

  /** Texts between tags and in spoken attributes; values between texts belong to one text if they are single words. */
  function visitHtml(template: Node): void {
    const quasis = template['quasis'] as Quasi[];
    const expressions = template['expressions'] as Node[];
    let run: { start: number; end: number; text: string; values: number } | undefined;
    let tag = '';
    const close = () => {
      if (run !== undefined && /\p{L}{2}/u.test(run.text.replace(/\{\d+\}/g, ''))) {
        const trimmed = run.text.replace(/\s+/g, ' ').trim();
        add(plain, 'html', trimmed, run.start, run.end);
      }
      run = undefined;
    };
    for (const [at, quasi] of quasis.entries()) {
      const { raw } = quasi.value;
      // A parser of TypeScript counts the marks around the text as well.
      const begin = quasi.start + 1;
      const rawEnd = begin + raw.length;
      for (let i = 0; i < raw.length; i++) {
        const one = raw[i] ?? '';
        if (tag === '' && one === '<') {
          close();
          tag = '<';
        } else if (tag !== '') {
          tag += one;
          if (one === '>' && !/=["'][^"']*$/.test(tag)) {
            spoken(tag, begin + i + 1);
            tag = '';
          }
        } else {
          run ??= { start: begin + i, end: begin + i, text: '', values: 0 };
          run.text += one;
          run.end = begin + i + 1;
        }
      }
      const value = expressions[at];
      if (value === undefined) continue;
      if (tag !== '') {
        const attribute = /([@.?\w-]+)=["']?[^"'<>]*$/.exec(tag)?.[1] ?? '';
        tag += `\uE000${' '.repeat((quasis[at + 1]?.start ?? rawEnd) - rawEnd)}`;
        if (!wordlessAttribute.test(attribute)) visit(value, template, 'expressions');
        continue;
      }
      if (isWord(value)) {
        run ??= { start: rawEnd, end: rawEnd, text: '', values: 0 };
        run.text += `{${run.values++}}`;
        run.end = (quasis[at + 1]?.start ?? rawEnd) + 1;
      } else close();
      visit(value, template, 'expressions');
    }
    close();

    /** Attributes of one tag, which ends at `end`. */
    function spoken(whole: string, end: number): void {
      const begin = end - whole.length;
      for (const match of whole.matchAll(/([\w-]+)="([^"]*)"/g)) {
        const [, name = '', content = ''] = match;
        if (!spokenAttribute.test(name) || !/\p{L}{2}/u.test(content.replace(/\uE000 */g, ''))) continue;
        let count = 0;
        const text = content.replace(/\uE000 */g, () => `{${count++}}`);
        add(plain, 'attribute', text, begin + match.index + name.length + 1, begin + match.index + match[0].length);
      }
    }
  }

  function isWord(value: Node): boolean {
    if (/^(?:Identifier|MemberExpression|Literal)$/.test(value.type)) {
      return source.slice(value.start, value.end) !== 'nothing';
    }
    if (value.type === 'CallExpression') {
      const name = calledName(value['callee'] as Node);
      return /^(?:plural|counted|format\w*|readableText|localTime|askedAt|String|percent)$/.test(name);
    }
    return value.type === 'BinaryExpression' && !/html`/.test(source.slice(value.start, value.end));
  }
}

/** Whether a plain text is for a person: words with a space between them, or one word with a capital. */
function isRead(text: string): boolean {
  if (keys.test(text) || /^(?:ravel\.|command:|https?:|workbench\.|list\.|[./~]|--|git |diff )/.test(text))
    return false;
  if (/^[A-Z]\p{Ll}+…?$/u.test(text)) return true;
  return (
    /\p{L}{2,}[.,:;!?’”)]* \p{L}|\p{L} [“(·↔–]|^[ ,:(]+\p{L}+ ?$/u.test(text) && !/^[a-z-]+ [a-z]+-[a-z-]+$/.test(text)
  );
}

function isReadTemplate(key: string): boolean {
  if (/^(?:ravel\.|command:|https?:|[./~#]\S|--|rules:|id: |vscode-)/.test(key) || /\.(?:md|yaml|diff)$/.test(key))
    return false;
  if (/^\S*$/.test(key.replace(/\{\d+\}/g, ''))) return /^\p{Lu}\p{Ll}+:\{0\}$/u.test(key);
  return /(?:^|[\s(“>#*])\p{L}{2,}(?:[\s.,:;!?…)”]|$)/u.test(key.replace(/\{\d+\}/g, '\uE000'));
}

/** A name and no text: a key, a case, one side of a comparison. */
function isName(node: Node, parent: Node | undefined, role: string | undefined): boolean {
  if (parent === undefined) return false;
  if (parent.type === 'Property' && role === 'key') return true;
  if (parent.type === 'SwitchCase' && parent['test'] === node) return true;
  if (parent.type === 'MemberExpression' && parent['property'] === node) return true;
  if (parent.type === 'BinaryExpression' && /^(?:[!=]==?|in)$/.test(String(parent['operator']))) return true;
  if (parent.type === 'ExpressionStatement') return true;
  return false;
}

/** The text of a template with `{0}`, `{1}` … for its values. */
function keyOf(template: Node): string {
  return (template['quasis'] as Quasi[])
    .map(({ value }, at) => (at === 0 ? '' : `{${at - 1}}`) + value.cooked)
    .join('');
}

function calledName(callee: Node): string {
  if (callee.type === 'Identifier') return String(callee['name']);
  if (callee.type === 'MemberExpression') return String((callee['property'] as Node)['name'] ?? '');
  return '';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

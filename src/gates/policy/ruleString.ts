import { type CommandPattern, parseCommandPattern } from './commandPattern.ts';

/** The folder that a path of a rule starts from. */
export type PathRoot = 'absolute' | 'home' | 'project';

/** What a rule string is about. */
export type RuleSubject =
  /** Every use of the tools that the name stands for; a star in it stands for any text. */
  | { readonly kind: 'tool' }
  | { readonly kind: 'command'; readonly pattern: CommandPattern }
  /** `pattern` in the form of gitignore, from `root`. */
  | { readonly kind: 'path'; readonly root: PathRoot; readonly pattern: string }
  | { readonly kind: 'domain'; readonly domain: string };

export interface RuleString {
  readonly tool: string;
  readonly subject: RuleSubject;
}

/** Which tools a path rule is about, by the name that it is written with. */
export const pathRuleTools: Readonly<Record<'Read' | 'Edit', readonly string[]>> = {
  Read: ['Read', 'NotebookRead', 'LS', 'Glob', 'Grep'],
  Edit: ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'],
};

/** The tools that sessions can have; their own, `mcp__ravel__…`, are not judged. */
export const judgedTools: ReadonlySet<string> = new Set([...Object.values(pathRuleTools).flat(), 'Bash']);

/** Reads a rule string; a text says what is wrong with it, as a sentence. */
export function parseRuleString(given: string): RuleString | string {
  const text = given.trim();
  if (/\p{Cc}/u.test(text)) return 'It holds a control character.';
  const open = text.indexOf('(');
  const tool = open < 0 ? text : text.slice(0, open);
  if (!/^[\w*.:-]+$/.test(tool)) return `“${tool}” is not the name of a tool.`;
  if (open < 0) return { tool, subject: { kind: 'tool' } };
  if (!text.endsWith(')')) return 'Its bracket is not closed.';
  const inner = text.slice(open + 1, -1).trim();
  if (inner === '' || inner === '*') return { tool, subject: { kind: 'tool' } };
  if (tool === 'Bash') return commandRule(inner);
  if (tool === 'Read' || tool === 'Edit') return pathRule(tool, inner);
  if (pathRuleTools.Edit.includes(tool)) return `Write it as Edit(${inner}): it covers every tool that changes files.`;
  if (pathRuleTools.Read.includes(tool)) return `Write it as Read(${inner}): it covers every tool that reads files.`;
  if (tool === 'WebFetch') return domainRule(inner);
  return `What stands in brackets after ${tool} has no meaning; write ${tool} alone.`;
}

/** The rule that was meant by one such as `Write(/docs/**)`, which names another tool for the same files. */
export function ruleForTool(text: string): string | undefined {
  const [, tool = '', inner = ''] = /^(\w+)\((.+)\)$/s.exec(text.trim()) ?? [];
  const meant = (['Read', 'Edit'] as const).find((name) => name !== tool && pathRuleTools[name].includes(tool));
  return meant === undefined ? undefined : `${meant}(${inner})`;
}

function commandRule(inner: string): RuleString | string {
  if (/[;&|\n]/.test(inner.replaceAll(/"[^"]*"|'[^']*'/g, '')))
    return 'It holds several commands; each one is judged by itself, so write a rule for each.';
  return { tool: 'Bash', subject: { kind: 'command', pattern: parseCommandPattern(inner) } };
}

function pathRule(tool: string, inner: string): RuleString | string {
  if (inner.split('/').includes('..')) return 'Its path goes up with “..”; name the folder itself.';
  if (/^[!#]/.test(inner)) return 'Its path begins with a sign that gitignore files give a meaning of its own.';
  const of = (root: PathRoot, pattern: string): RuleString => ({ tool, subject: { kind: 'path', root, pattern } });
  if (inner.startsWith('//')) return of('absolute', inner.slice(1));
  if (inner === '~' || inner.startsWith('~/')) return of('home', inner === '~' ? '/**' : inner.slice(1));
  if (inner.startsWith('~')) return 'The home folder of another account is not known here; write it with “//”.';
  return of('project', inner.startsWith('./') ? inner.slice(1) : inner);
}

function domainRule(inner: string): RuleString | string {
  const domain = /^domain:((?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?)$/i.exec(inner)?.[1];
  if (domain === undefined) return 'Write WebFetch(domain:example.com), or WebFetch(domain:*.example.com).';
  return { tool: 'WebFetch', subject: { kind: 'domain', domain: domain.toLowerCase() } };
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../src/cli/commandLine.ts';
import { createProgram } from '../src/cli/program.ts';
import { gateNames } from '../src/gates/gate.ts';
import { approvalKinds } from '../src/model/approval.ts';
import { codes, isCode } from '../src/model/codes.ts';
import { harnessNames } from '../src/model/harnesses.ts';
import { isPhase } from '../src/model/phase.ts';
import { planFiles } from '../src/model/plan.ts';
import { requestSchemas } from '../src/model/protocol.ts';
import { checkNames } from '../src/model/requests/doctor.ts';
import { taskStatuses } from '../src/model/taskStatus.ts';
import { isVerbName, personVerbNames, verbFromTool, verbNames } from '../src/model/verbs.ts';
import { createFakePorts } from './cli/fakePorts.ts';
import { commandProblem } from './support/commandProblems.ts';
import { type CommandWorld, makeCommandWorld } from './support/commandWorld.ts';
import { documentedCommands } from './support/documentedCommands.ts';
import { type SourceCommand, sourceCommands } from './support/sourceCommands.ts';
import { lineOf } from './support/sourceText.ts';

const root = join(import.meta.dirname, '..');
const pages = ['.', 'docs', 'prompts'].flatMap((folder) => filesIn(folder, /\.md$/, folder !== '.'));
const sources = filesIn('src', /\.ts$/, true);

function filesIn(folder: string, wanted: RegExp, isDeep: boolean): { readonly path: string; readonly text: string }[] {
  return readdirSync(join(root, folder), { encoding: 'utf8', recursive: isDeep })
    .filter((name) => wanted.test(name))
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(root, folder, name), 'utf8') }));
}

async function problemsOf(path: string, text: string, world: () => Promise<CommandWorld>): Promise<string[]> {
  const problems: string[] = [];
  for (const command of documentedCommands(path, text)) {
    const problem = await commandProblem(command, world);
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

test('every command in a Markdown page is valid', { timeout: 120_000 }, async () => {
  const world = Promise.resolve(await makeCommandWorld());
  const problems: string[] = [];
  for (const { path, text } of pages) problems.push(...(await problemsOf(path, text, () => world)));
  expect(problems).toEqual([]);
});

test('every command in a remedy or in the help is valid', { timeout: 60_000 }, async () => {
  const world = Promise.resolve(await makeCommandWorld());
  const remedies = Object.entries(codes).map(([code, { help }]) => `${code}: ${help}`);
  const ports = await createFakePorts({});
  await runCommandLine(['--help'], ports);
  const examples = ports.written.stdout.slice(ports.written.stdout.indexOf('Examples:'));
  expect(await problemsOf('codes', remedies.join('\n'), () => world)).toEqual([]);
  expect(documentedCommands('help', `\`\`\`\n${examples}\n\`\`\``).length).toBeGreaterThan(5);
  expect(await problemsOf('help', `\`\`\`\n${examples}\n\`\`\``, () => world)).toEqual([]);
});

test('every command in a text of the sources is valid', { timeout: 120_000 }, async () => {
  const world = Promise.resolve(await makeCommandWorld());
  const named = sources.flatMap(({ path, text }) => sourceCommands(path, text));
  expect(named.length).toBeGreaterThan(100);
  expect(named.some(({ path }) => path === 'src/inspect/given.ts')).toBe(true);
  const problems: string[] = [];
  for (const mention of named) problems.push(...(await mentionProblems(mention, () => world)));
  expect(problems).toEqual([]);
});

/** An inserted value can be an option or empty; then the command must be valid without it. */
async function mentionProblems(mention: SourceCommand, world: () => Promise<CommandWorld>): Promise<string[]> {
  const { path, line, whole, bare } = mention;
  const at = (text: string) => `${'\n'.repeat(line - 1)}\`${text}\``;
  const problems = await problemsOf(path, at(whole), world);
  return problems.length === 0 || bare === whole ? problems : problemsOf(path, at(bare), world);
}

test('every verb, session tool and phase that a Markdown page names exists', () => {
  expect(pages.flatMap(({ path, text }) => nameProblems(path, text))).toEqual([]);
});

test('docs/cli.md shows every verb of ravel state', () => {
  const page = pages.find(({ path }) => path === 'docs/cli.md')?.text ?? '';
  const shown = new Set(documentedCommands('docs/cli.md', page).map(({ words }) => words.slice(2, 4).join('/')));
  expect(personVerbNames.filter((name) => !shown.has(name))).toEqual([]);
});

test('docs/cli.md shows every command but help', async () => {
  const page = pages.find(({ path }) => path === 'docs/cli.md')?.text ?? '';
  const { command } = createProgram(await createFakePorts({}));
  const missing = command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => !page.includes(`\`ravel ${one.name()}`));
  expect(missing.map((one) => one.name())).toEqual(['help']);
});

test.each<[page: string, names: readonly string[]]>([
  ['gates', gateNames],
  ['approvals', approvalKinds],
  ['plans', Object.values(planFiles)],
  ['plans', taskStatuses],
  ['messages', ['note', 'dispatch', 'query']],
  ['harnesses', harnessNames],
  ['troubleshooting', checkNames],
])('docs/%s.md names each of %j', (page, names) => {
  const text = pages.find(({ path }) => path === `docs/${page}.md`)?.text ?? '';
  expect(names.filter((name) => !new RegExp(`[\`*]${name}[\`*]`).test(text))).toEqual([]);
});

test('docs/troubleshooting.md names every error code and no unknown one', () => {
  const page = pages.find(({ path }) => path === 'docs/troubleshooting.md')?.text ?? '';
  const named = new Set([...page.matchAll(/`([a-z]+\/[A-Za-z]+)`/g)].map(([, code = '']) => code));
  expect(Object.keys(codes).filter((code) => !named.has(code))).toEqual([]);
  expect([...named].filter((code) => !isCode(code))).toEqual([]);
});

test('every link in a Markdown page leads to a file and a heading that exist', () => {
  expect(pages.flatMap(({ path, text }) => deadLinks(path, text))).toEqual([]);
  expect(deadLinks('docs/x.md', '[a](cli.md#exit-codes) [b](../STYLE.md) [c](https://example.org)')).toEqual([]);
  expect(deadLinks('docs/x.md', '[a](none.md)\n[b](cli.md#nothing)')).toEqual([
    'docs/x.md:1: none.md leads nowhere',
    'docs/x.md:2: cli.md#nothing leads nowhere',
  ]);
});

test('every test that a Markdown page names exists', () => {
  const named = /`(test\/[\w./-]+(?:\.test\.ts|\.mjs|\/))`/g;
  const missing = pages.flatMap(({ path, text }) =>
    [...text.matchAll(named)].flatMap(([, file = '']) => (existsSync(join(root, file)) ? [] : [`${path}: ${file}`])),
  );
  expect(missing).toEqual([]);
});

describe('the check of a page reports an invented name', () => {
  test.each<[string, string]>([
    ['Use `ravel explode`.', "unknown command 'explode'"],
    ['Use `ravel state backlog explode PLAN`.', "unknown command 'explode'"],
    ['Use `ravel run PLAN --fast`.', "unknown option '--fast'"],
    ['Use `ravel run PLAN --phase think`.', 'there is no phase think'],
    ['Use `ravel run PLAN --harness none`.', 'there is no harness none'],
    ['```\nravel state backlog set-status PLAN a finished\n```', 'state/badArguments'],
    ['```\nravel state backlog set-status PLAN\n```', '<id>, <status> are missing'],
    ['```\nravel adopt\n```', "missing required argument 'dir'"],
    ['```\nls | ravel status --all  all of them\n```', "unknown option '--all'"],
    ['`ravel state memory list | explode PLAN`', "unknown command 'explode'"],
    ['`ravel state backlog list PLAN --format yaml|html`', 'Allowed choices are'],
    ['`ravel state phase set PLAN wrok`', '"wrok" is not a phase'],
  ])('%j', async (text, expected) => {
    const problems = await problemsOf('x.md', text, makeCommandWorld);
    expect(problems).toEqual([expect.stringContaining(expected)]);
    expect(problems[0]).toMatch(/^x\.md:[12]: /);
  });

  test.each<[string, string]>([
    ["help: 'Use `ravel explode`.'", "unknown command 'explode'"],
    ['help: `Use \\`ravel explode ${plan}\\`.`', "unknown command 'explode'"],
    ['return `ravel status ${plan} --fast`;', "unknown option '--fast'"],
    ['// as after `ravel adopt --fast`', "unknown option '--fast'"],
    ['help: `Use \\`ravel verify ${much} ${more}\\`.`', 'too many arguments'],
  ])('in a source: %j', async (text, expected) => {
    const [mention] = sourceCommands('x.ts', `\n${text}`);
    const problems = mention === undefined ? [] : await mentionProblems(mention, makeCommandWorld);
    expect(problems).toEqual([expect.stringContaining(expected)]);
    expect(problems[0]).toMatch(/^x\.ts:2: /);
  });

  test.each(['`backlog/explode`', '`memory_explode`', '`git-commit-nothing`'])('among names: %s', (text) => {
    expect(nameProblems('x.md', text)).toEqual([`x.md:1: ${text} does not exist`]);
  });
});

describe('the check of a page accepts', () => {
  test.each([
    'Use `ravel state`, `ravel state backlog add` or `ravel run`.',
    '`ravel COMMAND --help`, `ravel state <noun> <verb> PLAN …`',
    '```\n$ RAVEL_VAULT=x ravel run shop --json | jq .   # for a script\n```',
    '```\nravel state backlog add shop --title "Fix  it" \\\n  --category bug\n```',
    '```\necho text | ravel state backlog set-results shop any-task --body -\n```',
    '`ravel state session list PLAN [--limit N]`, `ravel state backlog list PLAN --format yaml|json`',
  ])('%j', async (text) => {
    expect(documentedCommands('x.md', text)).not.toEqual([]);
    expect(await problemsOf('x.md', text, makeCommandWorld)).toEqual([]);
  });

  test.each([
    'help: `Use \\`ravel retry ${plan} ${options}\\`.`',
    'return `ravel ${word} ${plan}`;',
    "help: 'Use `ravel run PLAN --by-hand`.'",
  ])('in a source: %j', async (text) => {
    const mentions = sourceCommands('x.ts', text);
    expect(mentions).toHaveLength(1);
    for (const mention of mentions) expect(await mentionProblems(mention, makeCommandWorld)).toEqual([]);
  });

  test.each(['`ravel cache 1, ${version}`', 'throw `ravel: ${text}`', '/`(ravel [^`]+)`/g'])(
    'text in a source that is not a command: %j',
    (text) => expect(sourceCommands('x.ts', text)).toEqual([]),
  );

  test('error codes, requests, phases and verbs', () =>
    expect(nameProblems('x.md', '`session/unknown` `session_call` `git-commit-work` `memory/delete`')).toEqual([]));
});

const nouns = [...new Set(verbNames.map((name) => name.split('/')[0]))];
const verbLike = new RegExp(`^(?:${nouns.join('|')})/[a-z-]+$`);
const toolLike = new RegExp(`^(?:${nouns.join('|').replaceAll('-', '_')})_[a-z_]+$`);

function nameProblems(path: string, text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].flatMap(({ 1: name = '', index }) => {
    const exists =
      (!verbLike.test(name) || isVerbName(name) || isCode(name)) &&
      (!toolLike.test(name) || verbFromTool(name) !== undefined || Object.hasOwn(requestSchemas, name)) &&
      (!/^git-commit-[a-z-]+$/.test(name) || isPhase(name));
    return exists ? [] : [`${path}:${lineOf(text, index)}: \`${name}\` does not exist`];
  });
}

function deadLinks(path: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(({ 1: link = '', index }) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [file = '', heading] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    const isThere = existsSync(join(root, target)) && (heading === undefined || headingsOf(target).includes(heading));
    return isThere ? [] : [`${path}:${lineOf(text, index)}: ${link} leads nowhere`];
  });
}

/** The headings of a page as links name them. */
function headingsOf(path: string): string[] {
  const headings = readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('docs/vscode.md names every setting', () => {
  const text = readFileSync(join(root, 'docs', 'vscode.md'), 'utf8');
  const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const settings = [contributes.configuration].flat().flatMap(({ properties }) => Object.keys(properties));
  expect(settings.filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
});

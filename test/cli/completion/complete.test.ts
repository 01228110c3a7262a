import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { splitLine } from '../../../src/cli/completion/commandLineWords.ts';
import { commandTable } from '../../../src/cli/completion/commandTable.ts';
import { complete } from '../../../src/cli/completion/complete.ts';
import { reasoningPhases } from '../../../src/model/phase.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

const table = commandTable();
const packageRoot = join(import.meta.dirname, '..', '..', '..');
const ulid = (n: number) => `01M8CD2Z9V22HM1254898EE8${String(n).padStart(2, '0')}`;

/** Two projects; the catalogue knows all plans but the last. */
async function makeVault(): Promise<string> {
  const root = await makeTemporaryDirectory();
  const vault = join(root, 'vault');
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  await write('vault/ravel.toml', '');
  await write(
    'vault/plan-catalog.md',
    '# Plans\n\n- [[projects/shop/project-root/plan-state|shop/project-root]]: Sells things\n',
  );
  for (const plan of ['shop/ravel/project-root', 'shop/ravel/project-root/cart', 'blog/ravel/project-root']) {
    await write(`${plan}/plan-state.md`, '---\n---\n');
  }
  await write('shop/ravel/project-root/no-plan/notes.md', '');
  await write(
    'shop/ravel/project-root/backlog.yaml',
    `tasks:\n- id: fix-it\n  title: "Fix it"\n  description: |\n    id: not-a-task\n- title: Other\n  id: other-one\nreceived:\n- id: ${ulid(1)}\n`,
  );
  await write('shop/ravel/project-root/cart/backlog.yaml', 'tasks:\n  - id: in-cart\n');
  await write('shop/ravel/project-root/memory.yaml', 'entries: [broken\n- id: learned\n');
  await write('shop/ravel/knowledge/own.md', '');
  await mkdir(join(vault, 'projects'));
  for (const project of ['shop', 'blog']) await symlink(join(root, project, 'ravel'), join(vault, 'projects', project));
  await write('vault/experts/rust.md', '');
  await write('vault/knowledge/languages/rust/pin it.md', '');
  await write('vault/archive/knowledge/old.md', '');
  await write(`vault/archive/plans/shop%2Fproject-root%2Fgone-${ulid(2)}/archive.yaml`, '');
  await write(`vault/archive/projects/wiki%2Fproject-root-${ulid(3)}/archive.yaml`, '');
  await write(
    `vault/runtime/approvals/${ulid(4)}.yaml`,
    'kind: needs-input\nplan: shop/project-root\nsubject: "Which?"\n',
  );
  await write(`vault/runtime/receipts/${ulid(5)}.json`, '{"expert":"expert:rust","question":"Why \\"pin\\"?\\nWhy?"}');
  await write(`vault/runtime/dead-letters/shop%2Fproject-root/${ulid(6)}.json`, '');
  return vault;
}

test('bash gets names so that none of them becomes a command, whatever quotation is open', async () => {
  const vault = await makeVault();
  const names = ['x$(touch p).md', "y';touch p;'.md", 'z";touch p;".md', 'w`p`\\.md', 'v!!.md', 'u😀.md'];
  for (const name of names) await writeFile(join(vault, 'knowledge/languages', name), '');
  const ports = { disk: nodeDisk, workingDirectory: '/', packageRoot, table, environment: { RAVEL_VAULT: vault } };
  const given = async (quote: string) => {
    const line = `ravel knowledge show ${quote}knowledge/languages/`;
    const [, ...lines] = (await complete(ports, ['bash', ' ', line])).trimEnd().split('\n');
    return lines.map((one) => one.replace('knowledge/languages/', '')).filter((one) => !one.startsWith('rust'));
  };
  expect((await given('')).sort()).toEqual(
    [
      'u\\😀.md',
      'v\\!\\!.md',
      'w\\`p\\`\\\\.md',
      'x\\$\\(touch\\ p\\).md',
      "y\\'\\;touch\\ p\\;\\'.md",
      'z\\"\\;touch\\ p\\;\\".md',
    ].sort(),
  );
  expect((await given('"')).sort()).toEqual(
    ['u😀.md', 'w\\`p\\`\\\\.md', 'x\\$(touch p).md', "y';touch p;'.md", 'z\\";touch p;\\".md'].sort(),
  );
  expect((await given("'")).sort()).toEqual(
    ['u😀.md', 'v!!.md', 'w`p`\\.md', 'x$(touch p).md', 'z";touch p;".md'].sort(),
  );
});

async function completionsOf(line: string, vault: string | undefined, environment: Record<string, string> = {}) {
  const ports = { disk: nodeDisk, workingDirectory: '/', packageRoot, table };
  const variables = { ...(vault !== undefined && { RAVEL_VAULT: vault }), ...environment };
  return complete({ ...ports, environment: variables }, ['fish', ...splitLine(line).words]);
}

/** The candidates without their descriptions; `files` and `folders` are what the shell completes by itself. */
async function valuesOf(line: string, vault: string | undefined): Promise<string[]> {
  const [first = '', ...lines] = (await completionsOf(line, vault)).trimEnd().split('\n');
  return first === 'words' ? lines.map((text) => text.split('\t')[0] ?? '') : [first];
}

test.each<[string, readonly string[]]>([
  ['ravel st', ['status', 'stop', 'state']],
  ['ravel mc', ['mcp']],
  ['ravel hoo', []],
  ['ravel approvals a', ['accept']],
  ['ravel --quiet knowledge con', ['contradict']],
  ['ravel state backlog set-s', ['set-status']],
  ['ravel help st', ['status', 'stop', 'state']],
  ['ravel projects help re', ['rename', 'remove']],
  ['ravel run --c', ['--cycles']],
  ['ravel run x --vau', ['--vault']],
  ['ravel run --phase ', reasoningPhases],
  ['ravel run --phase=tr', ['--phase=triage']],
  ['ravel run --harness s', ['scripted']],
  ['ravel run --scenario ', ['files']],
  ['ravel init ', ['folders']],
  ['ravel --vault ', ['folders']],
  ['ravel init d --experts ru', ['rust']],
  ['ravel init d --experts rust f', ['ffi']],
  ['ravel state backlog set-status shop fix-it d', ['done']],
  ['ravel state backlog list shop --format y', ['yaml']],
  ['ravel state phase set shop tri', ['triage']],
  ['ravel approvals --kind needs-i', ['needs-input']],
  ['ravel completion ', ['bash', 'zsh', 'fish']],
])('completes %s without a vault', async (line, expected) => {
  expect(await valuesOf(line, undefined)).toEqual(expected);
});

test('completes the names of a vault, each in its place', async () => {
  const vault = await makeVault();
  const root = 'shop/project-root';
  const cases: [string, readonly string[]][] = [
    ['ravel status ', ['blog', 'shop', root, 'blog/project-root']],
    ['ravel status sh', ['shop', root]],
    ['ravel status shop/project-root/', [`${root}/cart`]],
    ['ravel run x --from-nowhere --phase work sho', []],
    ['ravel run shop --task ', ['fix-it', 'other-one']],
    ['ravel run --task=f shop', ['shop', root]],
    [`ravel run ${root}/cart --task `, ['in-cart']],
    ['ravel run nowhere --task ', []],
    ['ravel dispatch blog "Do it" --from shop --task o', ['other-one']],
    ['ravel dispatch a', ['auto']],
    ['ravel ask expert:', ['expert:rust']],
    ['ravel ask project:s', ['project:shop']],
    ['ravel state backlog show shop o', ['other-one']],
    ['ravel state backlog set-dependencies shop fix-it --dependencies fix-it,o', ['fix-it,other-one']],
    ['ravel received promote shop ', [ulid(1)]],
    ['ravel state memory show shop ', ['learned']],
    ['ravel approvals show 01m8', [ulid(4)]],
    ['ravel approvals show sho', ['shop', root]],
    ['ravel experts show ', ['rust']],
    ['ravel experts ru', ['rust']],
    ['ravel receipts show ', [ulid(5)]],
    ['ravel receipts list --expert expert:', ['expert:rust']],
    ['ravel knowledge show kn', ['knowledge/languages/rust/pin it.md']],
    ['ravel knowledge supersede x --by projects/s', ['projects/shop/knowledge/own.md']],
    ['ravel knowledge restore ', ['archive/knowledge/old.md']],
    ['ravel projects rename ', ['blog', 'shop']],
    ['ravel projects rename shop ', []],
    ['ravel archive restore ', ['shop/project-root/gone', 'wiki']],
    ['ravel dead-letters redeliver ', [ulid(6)]],
    ['ravel revive e', ['expert:rust']],
  ];
  for (const [line, expected] of cases) {
    const values = await valuesOf(line, vault);
    expect([line, values.toSorted()]).toEqual([line, expected.toSorted()]);
  }
});

test('describes what an id alone does not say, on one line', async () => {
  const vault = await makeVault();
  expect(await completionsOf('ravel approvals show 01', vault)).toBe(
    `words\n${ulid(4)}\tneeds-input · shop/project-root · Which?\n`,
  );
  expect(await completionsOf('ravel receipts show ', vault)).toContain('\texpert:rust · Why');
  expect(await completionsOf('ravel run shop --task f', vault)).toBe('words\nfix-it\tFix it\n');
});

test('finds the vault that the line names before the one of the environment', async () => {
  const vault = await makeVault();
  expect(await valuesOf(`ravel --vault ${vault} projects remove s`, '/nowhere')).toEqual(['shop']);
  const home = dirname(vault);
  expect(await completionsOf('ravel status --vault ~/vault bl', undefined, { HOME: home })).toContain('\nblog\n');
});

test('gives only the next step of very many plans', async () => {
  const vault = await makeVault();
  const plans = Array.from({ length: 1000 }, (_, n) => `big/project-root/g${n % 20}/p${n}`);
  await writeFile(
    join(vault, 'plan-catalog.md'),
    plans.map((id) => `- [[projects/${id}/plan-state|${id}]]: x\n`).join(''),
  );
  const steps = Array.from({ length: 20 }, (_, n) => `big/project-root/g${n}/`);
  expect(await valuesOf('ravel run big/project-root/', vault)).toEqual(steps);
  expect(await valuesOf('ravel run big/project-root/g7/p10', vault)).toEqual(['big/project-root/g7/p107']);
});

test('gives bash what it can insert: escaped, and only what follows its last word break', async () => {
  const vault = await makeVault();
  const ports = { disk: nodeDisk, workingDirectory: '/', packageRoot, table, environment: { RAVEL_VAULT: vault } };
  const inBash = (line: string) => complete(ports, ['bash', ' \t\n"\'><=;|&(:', line]);
  expect(await inBash('ravel ask expert:r')).toBe('words\nrust\n');
  expect(await inBash('ravel run --phase=tr')).toBe('words\ntriage\n');
  expect(await inBash('ravel knowledge show knowledge/languages/rust/pi')).toBe(
    'words\nknowledge/languages/rust/pin\\ it.md\n',
  );
  expect(await inBash('ravel knowledge show "knowledge/languages/rust/pin i')).toBe(
    'words\nknowledge/languages/rust/pin it.md\n',
  );
  expect(await inBash('RAVEL_VAULT=x ravel ver')).toBe('words\nverify\n');
});

test('whatever the line says and the vault holds, there is an answer', async () => {
  const vault = await makeVault();
  await writeFile(join(vault, 'plan-catalog.md'), Buffer.from([0xff, 0, 0x5b, 0x5b]));
  await writeFile(join(vault, 'projects', 'file'), 'a file');
  await symlink('/nowhere', join(vault, 'projects', 'gone'));
  const words = [
    'ravel',
    '',
    '-',
    '--',
    '--=',
    '--vault',
    '--vault=',
    '"',
    "'",
    '\\',
    'state',
    'run',
    '--phase',
    '../..',
    '💥',
    '\u0000',
    'shop/',
  ];
  for (const first of words) {
    for (const second of words) {
      for (const line of [`ravel ${first} ${second}`, `ravel run ${first} ${second}`, `${first} --task ${second} `]) {
        expect(await completionsOf(line, vault)).toMatch(/^(?:words|files|folders)\n/);
      }
    }
  }
  expect(await completionsOf('', undefined)).toMatch(/^words\n/);
});

test.each<[string, readonly string[], string]>([
  ['ravel a "b c" d\\ e f', ['a', 'b c', 'd e', 'f'], ''],
  ['ravel "a b', ['a b'], '"'],
  ["ravel 'a\\", ['a\\'], "'"],
  ['A=b C=d ravel ', [''], ''],
  ['ls | ravel st', ['st'], ''],
  ['ravel', ['ravel'], ''],
])('separates the words of %s', (line, words, quote) => {
  expect(splitLine(line)).toEqual({ words, quote });
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDocuments } from '../support/documentWorld.ts';

async function open() {
  const { world, api } = await openDocuments();
  const shared = join(world.vault, 'policy.yaml');
  const own = join(world.project, 'ravel', 'policy.yaml');
  const inspect = async (text: string, file = shared) =>
    (await api.request('inspect_document', { file, text })).document;
  const repair = async (text: string, file = shared) => (await api.request('repairs', { file, text })).repairs;
  /** `|` is the cursor. */
  const complete = async (marked: string) => {
    const before = marked.slice(0, marked.indexOf('|'));
    const position = { line: before.split('\n').length - 1, character: before.length - before.lastIndexOf('\n') - 1 };
    return (await api.request('complete_at', { file: shared, text: marked.replace('|', ''), position })).completions;
  };
  return { world, api, shared, own, inspect, repair, complete };
}

test('what is wrong with a policy is told at its place, with what to do', async () => {
  const { inspect, own } = await open();
  const unknown = await inspect('permissions:\n  denny: ["Bash"]\n');
  expect(unknown?.findings).toMatchObject([
    { code: 'yaml/schema', range: { start: { line: 1, character: 2 }, end: { line: 1, character: 7 } } },
  ]);
  const rules = await inspect('permissions:\n  deny:\n    - "Write(/docs/**)"\n    - "Raed"\n    - "Bash(ls *)"\n');
  expect(rules?.findings).toMatchObject([
    { code: 'policy/badRule', severity: 'error', range: { start: { line: 2, character: 6 } } },
    { code: 'policy/doubtful', severity: 'warning', range: { start: { line: 3, character: 6 } } },
  ]);
  const example = await inspect('rules:\n  - id: a\n    deny: ["Bash(rm *)"]\n    match:\n      - ls\n');
  expect(example?.findings).toMatchObject([{ code: 'policy/badRule', range: { start: { line: 4, character: 8 } } }]);
  expect(example?.records).toMatchObject([{ kind: 'rule', id: 'a' }]);
  for (const text of ['', '# Nothing yet.\n']) expect((await inspect(text))?.findings).toEqual([]);
  const narrow = 'permissions:\n  allow: ["Bash(ls *)"]\n';
  expect((await inspect(narrow))?.findings).toEqual([]);
  expect(await inspect(narrow, own)).toMatchObject({ file: own, findings: [{ code: 'policy/widens' }] });
});

test('a policy of a project is known by its way through the vault too', async () => {
  const { world, own, inspect } = await open();
  const document = await inspect('', join(world.vault, 'projects', 'greeter', 'policy.yaml'));
  expect(document).toMatchObject({ kind: 'policy', file: own });
});

test.each([
  ['a key that is spelt wrongly', 'permissions:\n  denny: ["Bash"]\n', 'permissions:\n  deny: ["Bash"]\n'],
  [
    'a rule on another tool for the same files',
    'permissions:\n  deny: ["Write(/a/**)"]\n',
    'permissions:\n  deny: ["Edit(/a/**)"]\n',
  ],
  ['a tool that is spelt wrongly', 'permissions:\n  deny: ["Raed"]\n', 'permissions:\n  deny: ["Read"]\n'],
  [
    'a command with options',
    'permissions:\n  deny:\n    - "Bash(git push *)"\n',
    'permissions:\n  deny:\n    - "Bash(git *push *)"\n',
  ],
  [
    'a rule that never decides',
    'permissions:\n  deny:\n    - Bash\n    - "Bash(ls *)"\n',
    'permissions:\n  deny:\n    - Bash\n',
  ],
])('%s is repaired, and nothing is left to say', async (_name, text, repaired) => {
  const { repair, inspect } = await open();
  const [first] = await repair(text);
  expect(first).toBeDefined();
  const lines = text.split('\n');
  const offset = ({ line, character }: { line: number; character: number }) =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  const result = (first?.edits ?? []).reduceRight(
    (now, { range: { start, end }, text: put }) => now.slice(0, offset(start)) + put + now.slice(offset(end)),
    text,
  );
  expect(result).toBe(repaired);
  expect((await inspect(result))?.findings).toEqual([]);
});

test('keys, tools, phases, harnesses and actors are completed', async () => {
  const { complete, world } = await open();
  const labels = async (text: string) => (await complete(text)).map(({ label }) => label);
  expect(await labels('|')).toEqual(expect.arrayContaining(['permissions', 'rules']));
  expect(await labels('rules:\n  - id: a\n    |')).toEqual(expect.arrayContaining(['deny', 'actors', 'match']));
  expect(await labels('permissions:\n  deny:\n    - |')).toEqual(
    expect.arrayContaining(['Bash(…)', 'Read(…)', 'Edit']),
  );
  expect(await labels('rules:\n  - id: a\n    phases:\n      - |')).toEqual(expect.arrayContaining(['work', 'triage']));
  expect(await labels('rules:\n  - id: a\n    harnesses: [|]')).toEqual(expect.arrayContaining(['claude-code']));
  expect(await labels('rules:\n  - id: a\n    actors:\n      - |')).toEqual(
    expect.arrayContaining(['greeter/**', world.plan]),
  );
  const [bare] = await complete('permissions:\n  deny:\n    - |');
  const [quoted] = await complete('permissions:\n  deny: ["|"]');
  expect([bare?.insert, quoted?.insert]).toEqual(['"Bash(npm run *)"', 'Bash(npm run *)']);
});

test('a key says what it means, and a rule string what it matches', async () => {
  const { api, shared } = await open();
  const text = 'permissions:\n  deny:\n    - "Bash(git *push *)"\n    - "Edit(/docs/**)"\n';
  const meaningAt = async (line: number, character: number) =>
    (await api.request('describe_at', { file: shared, text, position: { line, character } })).meaning;
  expect(await meaningAt(1, 3)).toMatch(/refused/);
  expect(await meaningAt(2, 12)).toBe('Refuses the command `git *push *`, where a star stands for any text.');
  expect(await meaningAt(3, 12)).toMatch(/^Refuses changes of files below the project that match `\/docs\/\*\*`/);
});

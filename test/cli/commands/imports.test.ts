import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { diagnostic } from '../../../src/model/codes.ts';
import type { RequestParams } from '../../../src/model/protocol.ts';
import type { ImportReport } from '../../../src/model/requests/imports.ts';
import { createFakePorts, jsonLines } from '../fakePorts.ts';
import { samplePlan } from '../samples.ts';

const report: ImportReport = {
  plan: samplePlan,
  directory: '/vault/projects/demo/project-root',
  dryRun: false,
  tasks: 2,
  entries: 1,
  sessions: 1,
  files: [
    { path: 'backlog.yaml', as: 'converted', from: 'backlog.md', note: '2 tasks' },
    { path: 'imported/backlog.md', as: 'kept', from: 'backlog.md' },
    { path: 'phase.md', as: 'taken' },
    { path: 'dream-word-count', as: 'made' },
    { path: '.git', as: 'left-out', note: 'it belongs to git' },
  ],
  diagnostics: [diagnostic('import/unclear', samplePlan, 'What is this?', { severity: 'warning' })],
};

const args = ['import', 'LLM_STATE/core', '--as', 'demo', '--description', 'A parser'];

/** Runs the command; returns its requests, its output and its exit code. */
async function run(given: readonly string[], answer: ImportReport = report) {
  const asked: RequestParams<'import'>[] = [];
  const ports = await createFakePorts({
    import: (params) => {
      asked.push(params);
      return answer;
    },
  });
  const code = await runCommandLine(given, ports);
  return { code, asked, ...ports.written };
}

test('ravel import says what became of each file and which ones to check', async () => {
  const { code, asked, stdout } = await run(args);
  expect(code).toBe(0);
  expect(asked).toEqual([{ directory: '/here/LLM_STATE/core', plan: 'demo', description: 'A parser', dryRun: false }]);
  expect(
    stdout,
  ).toBe(`Imported 2 tasks, 1 memory entry and 1 session as demo/project-root, in /vault/projects/demo/project-root.
  converted  backlog.yaml from backlog.md         2 tasks
  original   imported/backlog.md from backlog.md
  as it is   phase.md
  new        dream-word-count
  left out   .git                                 it belongs to git
warning import/unclear  demo/project-root
  What is this?
  help: Compare with the original under imported/ and correct the result.
Its files go into the first commit that a cycle makes of its state, unless you commit them before.
Next:
  ravel status demo/project-root   shows what was imported
  ravel run demo/project-root      runs one cycle
`);
});

test('ravel import --dry-run says what it would import, and that nothing was made', async () => {
  const { asked, stdout } = await run([...args, '--dry-run'], { ...report, dryRun: true, entries: 3 });
  expect(asked).toMatchObject([{ dryRun: true }]);
  expect(stdout).toContain('This would import 2 tasks, 3 memory entries and 1 session as demo/project-root:\n');
  expect(stdout).toContain('Nothing was imported.');
});

test('ravel import --json prints the report', async () => {
  expect(jsonLines((await run([...args, '--json'])).stdout)).toEqual([{ result: report }]);
});

test.each(['--as', '--description'])('ravel import requires %s', async (option) => {
  const at = args.indexOf(option);
  const { code, asked, stderr } = await run(args.toSpliced(at, 2));
  expect({ code, asked }).toEqual({ code: 2, asked: [] });
  expect(stderr).toContain(option);
});

test('the help of ravel import has an example', async () => {
  const { code, stdout } = await run(['import', '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('$ ravel import LLM_STATE/core --as shop/project-root/core');
});

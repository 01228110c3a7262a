import { describe, expect, test } from 'vitest';
import { houseRules } from './houseRules.ts';
import {
  bareTools,
  consultationTools,
  foreignTools,
  promptProblems,
  toolsOfPrompt,
  unmentionedTools,
} from './promptRules.ts';
import { functionSizes, importsOf, splitLayers } from './sourceText.ts';

type Files = Readonly<Record<string, string>>;
type Name = keyof typeof houseRules;

/** Each case plants one violation, or something that only looks like one. */
function check(rule: Name, files: Files, expected: readonly string[]) {
  expect(houseRules[rule](Object.entries(files).map(([path, text]) => ({ path, text })))).toEqual(expected);
}

describe('imports go downhill', () => {
  const uphill = (path: string, specifier: string) => ({ [path]: `\nimport { x } from '${specifier}';\n` });

  test.each<[string, string, string | undefined]>([
    ['src/model/a.ts', '../base/assert.ts', undefined],
    ['src/model/a.ts', '../base/files.ts', 'src/base/files.ts'],
    ['src/base/a.ts', '../model/id.ts', 'src/model/id.ts'],
    ['src/base/a.ts', './b.ts', undefined],
    ['src/gates/a.ts', '../vault/layout.ts', 'src/vault/layout.ts'],
    ['src/plans/verbs/a.ts', '../../vault/layout.ts', undefined],
    ['src/plans/verbs/a.ts', './b.ts', undefined],
    ['src/plans/phases/a.ts', '../sessions/b.ts', undefined],
    ['src/plans/phases/a.ts', '../services.ts', undefined],
    ['src/plans/sessions/a.ts', '../phases/b.ts', 'src/plans/phases/b.ts'],
    ['src/plans/services.ts', './verbs/b.ts', 'src/plans/verbs/b.ts'],
    ['src/plans/phases/a.ts', '../newFolder/b.ts', 'src/plans/newFolder/b.ts'],
    ['src/plans/a.ts', '../experts/b.ts', 'src/experts/b.ts'],
    ['src/experts/a.ts', '../plans/b.ts', 'src/plans/b.ts'],
    ['src/plans/a.ts', '../routing/b.ts', 'src/routing/b.ts'],
    ['src/plans/a.ts', '../server/server.ts', 'src/server/server.ts'],
    ['src/core.ts', './plans/a.ts', undefined],
    ['src/core.ts', './cli/main.ts', 'src/cli/main.ts'],
    ['src/requests.ts', './core.ts', 'src/core.ts'],
    ['src/server/a.ts', '../core.ts', 'src/core.ts'],
    ['src/mcp/a.ts', '../server/client.ts', undefined],
    ['src/mcp/a.ts', '../server/server.ts', 'src/server/server.ts'],
    ['src/access/corePort.ts', '../core.ts', undefined],
    ['src/cli/main.ts', '../git/commit.ts', 'src/git/commit.ts'],
    ['src/cli/program.ts', '../git/git.ts', 'src/git/git.ts'],
    ['src/cli/program.ts', '../core.ts', 'src/core.ts'],
    ['src/cli/program.ts', '../plans/a.ts', 'src/plans/a.ts'],
    ['src/cli/a.ts', '../../test/support/b.ts', 'test/support/b.ts'],
    ['src/newRoom/a.ts', '../base/assert.ts', 'src/base/assert.ts'],
    ['webview/session/a.ts', '../icons.ts', undefined],
    ['webview/session/a.ts', '../../src/model/event.ts', undefined],
    ['webview/a.ts', '../src/base/emitter.ts', undefined],
    ['webview/a.ts', '../src/base/files.ts', 'src/base/files.ts'],
    ['webview/a.ts', '../src/ui/commands.ts', 'src/ui/commands.ts'],
    ['src/ui/a.ts', '../../webview/session/rows.ts', 'webview/session/rows.ts'],
  ])('%s imports %s', (path, specifier, refused) =>
    check(
      'importsGoDownhill',
      uphill(path, specifier),
      refused === undefined ? [] : [`${path}:2: may not import ${refused}`],
    ),
  );

  test.each([
    "import type { A } from '../core.ts';",
    "import '../core.ts';",
    "const a = await import('../core.ts');",
    "type A = import('../core.ts').A;",
    "export { a } from '../core.ts';",
    "import {\n  type A,\n  b as c,\n} from '../core.ts';",
  ])('%s counts', (text) =>
    check('importsGoDownhill', { 'src/gates/a.ts': text }, ['src/gates/a.ts:1: may not import src/core.ts']),
  );

  test.each(["// import { a } from '../core.ts';", "const a = `import { a } from '../core.ts'`;"])(
    '%s does not count',
    (text) => check('importsGoDownhill', { 'src/gates/a.ts': text }, []),
  );
});

describe('the outside world has one door', () => {
  test.each<[string, string, string | undefined]>([
    ['src/vault/a.ts', "import { readFile } from 'node:fs/promises';", 'the file system'],
    ['src/base/nodeDisk.ts', "import * as fs from 'node:fs';", undefined],
    ['src/base/other.ts', "const fs = await import('fs');", 'the file system'],
    ['src/cli/a.ts', "import { connect } from 'node:net';", 'sockets'],
    ['src/server/a.ts', "import { connect } from 'node:net';", undefined],
    ['src/mcp/a.ts', "import { spawn } from 'node:child_process';", 'processes'],
    ['src/git/a.ts', "import { spawn } from 'node:child_process';", undefined],
    ['src/yaml/yaml.ts', "import matter from 'gray-matter';", 'gray-matter'],
    ['src/cli/a.ts', "import * as vscode from 'vscode';", 'the editor'],
    ['src/plans/a.ts', "import { setTimeout as wait } from 'node:timers/promises';", 'timers'],
    ['src/plans/a.ts', 'setTimeout(() => {}, 1);', 'timers'],
    ['src/plans/a.ts', 'const later = globalThis.setInterval;', 'timers'],
    ['src/plans/a.ts', "// setTimeout(x)\nconst a = 'setTimeout(x)';", undefined],
    ['src/base/clock.ts', 'setTimeout(() => {}, 1);', undefined],
    ['src/plans/a.ts', 'const now = Date.now();', 'time and random'],
    ['src/plans/a.ts', 'const now = new Date();', 'time and random'],
    ['src/plans/a.ts', 'const at = new Date(wallMs);', undefined],
    ['src/plans/a.ts', 'const x = Math.random();', 'time and random'],
    ['src/git/a.ts', 'const path = process.env.PATH;', 'the global process'],
    ['src/git/a.ts', 'process.kill(-pid);', undefined],
    ['src/mcp/a.ts', 'process.kill(-pid);', 'processes'],
    ['src/base/nodeDisk.ts', "if (process.platform === 'win32') a();", undefined],
    ['src/base/nodeDisk.ts', 'process.cwd();', 'the global process'],
    ['src/vault/a.ts', "if (process.platform === 'win32') a();", 'the kind of operating system'],
    ['src/git/a.ts', "import { env } from 'node:process';", 'the global process'],
    ['src/git/a.ts', 'const a = { process: child.process.pid };', undefined],
    ['src/cli/a.ts', 'process.exitCode = 1;', undefined],
  ])('%s: %s', (path, text, what) =>
    check('outsideWorldHasOneDoor', { [path]: text }, what === undefined ? [] : [`${path}:1: may not touch ${what}`]),
  );
});

// In pieces, so that a search for them finds only what is meant.
const unfinished = ['TO', 'DO'].join('');
const leftOut = ['sk', 'ip'].join('');

describe('the other rules', () => {
  test.each<[Name, Files, string[]]>([
    [
      'noCycles',
      {
        'src/base/a.ts': "import './b.ts';",
        'src/base/b.ts': "import type { C } from './c.ts';",
        'src/base/c.ts': "import './b.ts';",
      },
      ['src/base/b.ts -> src/base/c.ts -> src/base/b.ts: a circle of imports'],
    ],
    [
      'noCycles',
      {
        'src/base/a.ts': "import './b.ts';\nimport './c.ts';",
        'src/base/b.ts': "import './c.ts';",
        'src/base/c.ts': '',
      },
      [],
    ],
    ['modulesHoldNoState', { 'src/a.ts': '\nlet n = 0;' }, ['src/a.ts:2: a module holds mutable state']],
    ['modulesHoldNoState', { 'src/a.ts': 'export let n = 0;' }, ['src/a.ts:1: a module holds mutable state']],
    ['modulesHoldNoState', { 'src/a.ts': 'function f() {\n  let n = 0;\n}' }, []],
    ['noReExports', { 'src/a.ts': "export * from './b.ts';" }, ['src/a.ts:1: exports ./b.ts a second time']],
    ['noReExports', { 'src/a.ts': "export const a = 1;\nimport { b } from './b.ts';" }, []],
    ['nothingIsLeftUnfinished', { 'src/a.ts': `\n// ${unfinished}: later` }, [`src/a.ts:2: says ${unfinished}`]],
    ['nothingIsLeftUnfinished', { 'prompts/a.md': unfinished }, [`prompts/a.md:1: says ${unfinished}`]],
    ['nothingIsLeftUnfinished', { 'test/a.ts': `check('${unfinished}');` }, []],
    [
      'commentsNameWhatIsHere',
      { 'src/a.ts': '\n/** Judged twice (design 4, step 6). */', 'test/a.ts': '// See facts 3.3.' },
      ['src/a.ts:2: cites design 4, which is not here', 'test/a.ts:1: cites facts 3, which is not here'],
    ],
    [
      'commentsNameWhatIsHere',
      { 'src/a.ts': '// See docs/design/a.md and docs/design/b.md.', 'docs/design/a.md': '' },
      ['src/a.ts:1: cites docs/design/b.md, which is not here'],
    ],
    ['commentsNameWhatIsHere', { 'src/a.ts': "check('design 4');" }, []],
    ['noTestIsLeftOut', { 'test/a.test.ts': `test.${leftOut}('x', f);` }, [`test/a.test.ts:1: holds .${leftOut}`]],
    [
      'noTestIsLeftOut',
      { 'test/a.test.ts': `describe.${['on', 'ly'].join('')}('x', f);` },
      ['test/a.test.ts:1: holds .only'],
    ],
    ['noTestIsLeftOut', { 'test/a.test.ts': "vi.mock('x');" }, ['test/a.test.ts:1: holds vi.mock']],
    ['noTestIsLeftOut', { 'test/a.test.ts': "vi.mock<object>('x');" }, ['test/a.test.ts:1: holds vi.mock']],
    ['noTestIsLeftOut', { 'test/a.test.ts': `test.${'fails'}('x', f);` }, ['test/a.test.ts:1: holds .fails']],
    [
      'noTestIsLeftOut',
      { 'test/a.test.ts': `test('x', { ${leftOut}: true }, f);` },
      [`test/a.test.ts:1: holds { ${leftOut}: true`],
    ],
    ['noTestIsLeftOut', { 'test/a.test.ts': `check('test.${leftOut}(x)');` }, []],
    ['noTestIsLeftOut', { 'test/a.test.ts': `test('x', { ${'retry'}: 1 }, f);` }, ['test/a.test.ts:1: holds retry: 1']],
    [
      'noProgramGetsAStreamOfTheRun',
      {
        'test/a.test.ts': `const a = 1;\n${'spawn'}('sleep', ['9'], { stdio: ['ignore', 'pipe', '${'inherit'}'] });`,
        'test/b.test.ts': `spawn('sleep', ['9'], { stdio: 'ignore' });`,
        'test/bench/a.bench.ts': `${'spawn'}('sleep', ['9'], { stdio: '${'inherit'}' });`,
      },
      ['test/a.test.ts:2: gives a program a stream of the run; use spawnProgram'],
    ],
    [
      'testFilesAreShort',
      {
        'test/scenarios/a.test.ts': '\n'.repeat(401),
        'test/a.test.ts': '\n'.repeat(441),
        'test/a.ts': '\n'.repeat(500),
      },
      [
        'test/scenarios/a.test.ts: has 401 lines; split it by subject, at most 400',
        'test/a.test.ts: has 441 lines; split it by subject, at most 440',
      ],
    ],
    ['testFilesAreShort', { 'test/scenarios/a.test.ts': '\n'.repeat(400), 'test/a.test.ts': '\n'.repeat(440) }, []],
    [
      'unitsStartNoProcess',
      {
        'test/base/a.test.ts': "import { b } from '../support/b.ts';",
        'test/support/b.ts': "import { c } from './c.ts';",
        'test/support/c.ts': "import { spawn } from 'node:child_process';",
      },
      ['test/base/a.test.ts: reaches test/support/c.ts, which starts processes'],
    ],
    ['unitsStartNoProcess', { 'test/git/a.test.ts': "import { spawn } from 'node:child_process';" }, []],
    [
      'productImportsNoTest',
      {
        'packaging/start.mjs': "import { b } from './b.mjs';\nimport { c } from '../test/support/c.mjs';",
        'test/a.test.ts': "import { c } from '../test/support/c.mjs';",
      },
      ['packaging/start.mjs:2: imports ../test/support/c.mjs, which is only for tests'],
    ],
    ['noMachinePaths', { 'src/a.ts': `const a = '/${'home'}/me/x';` }, ['src/a.ts:1: names a path of one machine']],
    ['noMachinePaths', { 'src/a.ts': "const a = '/tmp/x';\nconst b = 'a/work/home/b';" }, []],
    ['wordsArePlain', { 'a.md': 'It is\nsafe.\nThis is no word.' }, ['a.md:3: says is no']],
    ['wordsArePlain', { 'a.md': 'There is no word. It is no longer here: so many that `nobody` counts.' }, []],
    ['wordsArePlain', { 'a.md': '```\nnobody\n```\nSomebody\n' }, ['a.md:4: says Somebody']],
    ['wordsArePlain', { 'src/a.ts': "const text = 'so many days';" }, ['src/a.ts:1: says so many']],
    [
      'wordsArePlain',
      { 'src/a.ts': '/** The task; undefined where it is gone. */' },
      ['src/a.ts:1: says undefined where'],
    ],
    ['wordsArePlain', { 'a.md': 'It is built anew.' }, ['a.md:1: says anew']],
    [
      'titlesArePlain',
      { 'a.test.ts': "\ntest('is no title', run);" },
      ['a.test.ts:2: says is no in the title of a test'],
    ],
    [
      'titlesArePlain',
      { 'a.test.ts': "test.each([1])(\n  'of nobody, %s', run);" },
      ['a.test.ts:1: says nobody in the title of a test'],
    ],
    ['titlesArePlain', { 'a.test.ts': "test('is fine', () => check('nobody'));\nconst said = 'nobody';" }, []],
    [
      'shownNamesAreTheFields',
      { 'src/model/event.ts': "  readonly type: 'letter.opened';\n  readonly type: 'session.noted';" },
      ['src/model/event.ts:1: letter.opened says letter'],
    ],
    [
      'shownNamesAreTheFields',
      { 'src/model/settingRows.ts': "  'limits.next-try': {\n  'run.rehearsal': {" },
      ['src/model/settingRows.ts:1: limits.next-try says nextTry'],
    ],
    [
      'shownNamesAreTheFields',
      { 'src/cli/a.ts': "of.command('letters');\nof.command('dead-letters [id]');" },
      ['src/cli/a.ts:1: letters says letters'],
    ],
    [
      'shownNamesAreTheFields',
      { 'package.json': '"command": "ravel.openDesk",\n"title": "Do Phase by Hand"' },
      ['package.json:1: ravel.openDesk says Desk'],
    ],
    ['namesAreTheFields', { 'src/a/wish.ts': '' }, ['src/a/wish.ts: is called wish']],
    ['namesAreTheFields', { 'src/a.ts': '\nexport interface RuleBook {}' }, ['src/a.ts:2: exports RuleBook']],
    ['namesAreTheFields', { 'src/a.ts': '// export const wish\nconst wish = 1;\nexport const wishes = 2;' }, []],
    [
      'namesAreExportedOnce',
      { 'src/a.ts': 'export type Word = 1;\nexport const one = 1;', 'webview/b.ts': '\nexport function one() {}' },
      ['webview/b.ts:2: exports one, as src/a.ts does'],
    ],
    [
      'namesAreExportedOnce',
      {
        'src/a.ts': 'export function one(a: 1): 1;\nexport function one(a: 2): 2;',
        'src/b.ts': '// export const one\nconst one = 1;\nexport const { two } = three;',
        'test/a.ts': 'export const one = 1;',
      },
      [],
    ],
  ])('%s %j', check);
});

describe('prompts', () => {
  test.each<[string, string, string[]]>([
    ['reflect.md', 'use `memory_add`, status `not_started`, phase `triage`', []],
    ['reflect.md', '\nuse `backlog_add`', ['prompts/reflect.md:2: `backlog_add` is no tool of reflect']],
    ['reflect.md', 'use `memory_forget`', ['prompts/reflect.md:1: `memory_forget` does not exist']],
    ['work.md', 'then `git-commit-play`', ['prompts/work.md:1: `git-commit-play` does not exist']],
    ['system.md', 'use `memory_add`', ['prompts/system.md:1: `memory_add` is no tool of work, analyse-work, dream']],
    ['system.md', 'end with `finish_phase`', []],
  ])('%s: %s', (file, text, expected) => expect(promptProblems(file, text)).toEqual(expected));

  test('a tool that a prompt is silent about is found', () => {
    expect(
      unmentionedTools(
        toolsOfPrompt('dream'),
        '`memory_list` `memory_show` `memory_search` `memory_merge` `memory_set_body` memory_delete',
      ),
    ).toEqual(['memory_set_title', 'memory_delete', 'finish_phase']);
  });

  test('the tools of a consultation are read from its source, and looked for in its prompt', () => {
    const source =
      "tool('look_up', 'Looks', args),\ntool(\n  'give_up',\n  'Ends',\n),\n{ name: 'answer', description: 'a' }";
    const tools = consultationTools(source);
    expect(tools).toEqual(['look_up', 'give_up', 'answer']);
    const text = '`look_up` or\ngive_up, then `throw_away`';
    expect(foreignTools('a.md', text, tools)).toEqual(['prompts/a.md:2: `throw_away` is none of its tools']);
    expect(bareTools('a.md', text, tools)).toEqual(['prompts/a.md:2: give_up stands without backquotes']);
  });
});

describe('reading a source text', () => {
  test.each<[string, string, string]>([
    ['a // b', 'a', '// b'],
    ["'a // b' // c", "' '", '// c'],
    ['`a ${b} c` /* d */ e', '` ${b} ` e', '/* d */'],
    ['`a ${`b ${c} d`} e`; f', '` ${` ${c} `} `; f', ''],
    ['`${{ a: 1 }} // b`; // c', '`${{ a: 1 }} `;', '// c'],
    ['x = /[/"]/g; y // z', 'x = / /g; y', '// z'],
    ['a / b / "c"', 'a / b / " "', ''],
    ["'it\\'s' + a", "' ' + a", ''],
  ])('%s', (text, code, comments) => {
    const layers = splitLayers(text);
    expect(layers.code.replace(/ +/g, ' ').trim()).toBe(code);
    expect(layers.comments.replace(/ +/g, ' ').trim()).toBe(comments);
    expect([layers.code.length, layers.comments.length]).toEqual([text.length, text.length]);
  });

  test('imports have their lines', () => {
    expect(importsOf("import 'a';\n\nimport { b } from 'b';\nexport const c = 'from';")).toEqual([
      { specifier: 'a', line: 1, reExport: false, isType: false },
      { specifier: 'b', line: 3, reExport: false, isType: false },
    ]);
  });

  test('functions have their sizes', () => {
    const text = 'export async function a(b: C): D {\n  if (b) {\n    e();\n  }\n}\nclass F {\n  #g() {\n  }\n}\n';
    expect(functionSizes(text)).toEqual([
      { name: 'a', lines: 5 },
      { name: '#g', lines: 2 },
    ]);
  });
});

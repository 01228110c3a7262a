import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createAdapters } from '../../src/harness/adapters.ts';
import { createScriptedAdapter } from '../../src/harness/scripted.ts';
import { harnessNames } from '../../src/model/harnesses.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { failureOf } from '../support/failureOf.ts';
import { specOf } from '../support/sessions.ts';

const entry = { program: '/bin/node', args: ['/app/ravel.mjs'] };
const adapter = createScriptedAdapter(entry);

test('the table of adapters has every harness under its own name', () => {
  const adapters = createAdapters({ disk: nodeDisk, entry });
  for (const name of harnessNames) expect(adapters[name].name).toBe(name);
  expect(Object.keys(adapters).sort()).toEqual([...harnessNames].sort());
});

describe('the command for the scripted harness', () => {
  test('starts the command line again with the file to play', async () => {
    const spec = { ...specOf('/base', '/mcp.mjs'), scenario: '/demo.yaml', task: 'mend-it' };
    const program = await adapter.locate(defaultSettings, {});
    expect(program).toBe('/bin/node');
    const command = adapter.command(spec, program, defaultSettings, {});
    expect(command.args).toEqual(['/app/ravel.mjs', 'scripted', '/base/session/scripted.json']);
    expect(JSON.parse(command.files['/base/session/scripted.json'] ?? '')).toEqual({
      ...{ scenario: '/demo.yaml', purpose: 'work', task: 'mend-it', cwd: '/base/project' },
      promptFile: '/base/session/prompt.md',
      projectDirectory: '/base/project',
      mcpCommand: { program: process.execPath, args: ['/mcp.mjs'], environment: {} },
    });
    expect(JSON.stringify(command)).not.toContain(spec.token);
  });

  test('is refused before a start when the scenario is missing', async () => {
    const { actor } = specOf('/base', '/mcp.mjs');
    const check = (start: object) => failureOf(async () => adapter.checkStart?.(nodeDisk, { actor, ...start }));
    expect(await check({})).toMatchObject({ code: 'harness/noScenario' });
    expect(await check({ scenario: '/nowhere.yaml' })).toMatchObject({ code: 'harness/noScenario' });
  });

  test('needs a scenario', () => {
    const spec = specOf('/base', '/mcp.mjs');
    expect(() => adapter.command(spec, '/bin/node', defaultSettings, {})).toThrow('no scenario');
  });
});

describe('the parser of the scripted harness', () => {
  const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
  const outputs = [
    { kind: 'ready', model: 'm', version: '1', tools: ['a'] },
    { kind: 'text', text: 'x' },
    { kind: 'toolStarted', tool: 'Bash', callId: 'c', input: { command: 'x' } },
    { kind: 'toolEnded', callId: 'c', isError: true, output: 'x', exitCode: 3 },
    { kind: 'toolEnded', callId: 'c', isError: false, output: '' },
    { kind: 'usage', usage: { ...usage, costUsd: 0.5, costBasis: 'reported' } },
    { kind: 'result', isError: false, reason: 'completed', usage },
    { kind: 'warning', message: 'x' },
  ];
  test.each(outputs)('takes $kind unchanged', (output) => {
    expect(adapter.createParser().parse(JSON.stringify(output))).toEqual([output]);
  });

  test.each(['{"kind":"novelty"}', '{"kind":"text"}', '{}'])('skips %s', (line) => {
    expect(adapter.createParser().parse(line)).toBeUndefined();
  });

  test.each(['', 'words', '[1]', '{"half":'])('reports %j as malformed', (line) => {
    expect(adapter.createParser().parse(line)).toBe('malformed');
  });
});

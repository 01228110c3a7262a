import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { failure } from '../../../src/model/codes.ts';
import { createFakePorts } from '../fakePorts.ts';

test.each([[['status']], [['list']], [[]]])('ravel ingest %j lists what cycles taught', async (args) => {
  const ports = await createFakePorts({ ingestions: () => ({ ingestions: [], diagnostics: [] }) });
  expect(await runCommandLine(['ingest', ...args], ports)).toBe(0);
  expect(ports.written.stdout).toBe('No cycle has taught anything that was proven.\n');
});

test('ravel ingest takes the beginning or the end of an id', async () => {
  const id = '01M0A9XQYJ6N8K3T5V7W9Y1Z2A';
  const asked: string[] = [];
  const ingestion = { id, plan: 'Demo/project-root', at: '2026-01-02T03:04:05Z', statements: [] };
  const known = { ingestions: [ingestion], diagnostics: [] } as never;
  const ports = await createFakePorts({
    ingestions: () => known,
    ingestion: (params) => {
      asked.push(params.id);
      throw failure('plan/unknown', params.id, 'asked');
    },
  });
  await runCommandLine(['ingest', 'status', 'y1z2a'], ports);
  expect(asked).toEqual([id]);
});

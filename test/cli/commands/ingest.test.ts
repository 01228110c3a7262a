import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { createFakePorts } from '../fakePorts.ts';

test.each([[['status']], [['list']], [[]]])('ravel ingest %j lists what cycles taught', async (args) => {
  const ports = await createFakePorts({ ingestions: () => ({ ingestions: [], diagnostics: [] }) });
  expect(await runCommandLine(['ingest', ...args], ports)).toBe(0);
  expect(ports.written.stdout).toBe('No cycle has taught anything that was proven.\n');
});

import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { createFakePorts } from '../fakePorts.ts';

test('ravel plan names the project that was typed, and the one that was likely meant', async () => {
  const projects = [{ name: 'shop', path: '/code/shop' }, { name: 'garden' }];
  const ports = await createFakePorts({ projects: () => ({ projects, diagnostics: [] }) as never });
  expect(await runCommandLine(['plan', 'Sell tea', '--project', 'shpo'], ports)).toBe(3);
  expect(ports.written.stderr).toContain('The vault has no project "shpo".');
  expect(ports.written.stderr).toContain('Did you mean "shop"?');
});

import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { failure } from '../../../src/model/codes.ts';
import { createFakePorts } from '../fakePorts.ts';

test('ravel plan names the project that was typed, and the one that was likely meant', async () => {
  const projects = [{ name: 'shop', path: '/code/shop' }, { name: 'garden' }];
  const ports = await createFakePorts({ projects: () => ({ projects, diagnostics: [] }) as never });
  expect(await runCommandLine(['plan', 'Sell tea', '--project', 'shpo'], ports)).toBe(3);
  expect(ports.written.stderr).toContain('The vault has no project "shpo".');
  expect(ports.written.stderr).toContain('Did you mean "shop"?');
});

test('ravel plan says that a session looks at the project only once one does', async () => {
  const badGoal = failure('goal/badGoal', 'shop/project-root', 'Say more than that.');
  const ports = await createFakePorts({
    status: () => ({ plan: 'shop/project-root' }) as never,
    plan_goal: () => Promise.reject(badGoal),
  });
  expect(await runCommandLine(['plan', 'fix', '--under', 'shop/project-root'], ports)).not.toBe(0);
  expect(ports.written.stderr).toContain('Say more than that.');
  expect(ports.written.stdout + ports.written.stderr).not.toContain('A session looks');
});

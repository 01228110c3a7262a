import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/**
 * Makes the world of `ravel demo` to look at in an editor: its project, and a vault whose sessions are rehearsed.
 *
 * @param {string} folder that is there already
 * @param {typeof import('../src/library.ts')} library the built one
 * @returns {Promise<string>} the vault
 */
export async function makeDemoVault(folder, { makeVault, openVault }) {
  const [project, vault] = [join(folder, 'duration'), join(folder, 'vault')];
  await mkdir(project, { recursive: true });
  await cp(join(root, 'demo', 'project'), project, { recursive: true });
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['config', 'user.name', 'Ravel Demo'],
    ['config', 'user.email', 'demo@example.invalid'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'Start a parser of durations'],
  ]) {
    await run('git', args, { cwd: project });
  }
  await makeVault({ root: vault, name: 'demo' });
  const given = parse(await readFile(join(root, 'demo', 'plan.yaml'), 'utf8'));
  await setSettings(join(vault, 'daemon.toml'), {
    harness: '"scripted"',
    scenario: JSON.stringify(join(root, 'demo', 'scenario.yaml')),
    'headroom-words': String(given['headroom-words']),
  });
  const { api, stop } = await openVault({ vault, need: 'local' });
  try {
    const { plan } = await api.request('adopt', { project, description: given.description });
    await fillDemoPlan(api, plan, given);
  } finally {
    await stop();
  }
  return vault;
}

/** Adds the tasks and the memory of `demo/plan.yaml`. */
export async function fillDemoPlan(api, plan, { tasks, memory }) {
  for (const args of tasks) await api.request('state', { plan, verb: 'backlog/add', args });
  for (const args of memory) {
    await api.request('state', { plan, verb: 'memory/add', args: { ...args, source: 'decision' } });
  }
}

/** A new vault's settings name every key in a comment, so that each value has its place. */
async function setSettings(file, values) {
  let text = await readFile(file, 'utf8');
  for (const [key, value] of Object.entries(values)) {
    const set = text.replace(new RegExp(`^# ?${key} = .*$`, 'm'), () => `${key} = ${value}`);
    if (set === text) throw new Error(`${file} has no place for ${key}.`);
    text = set;
  }
  await writeFile(file, text);
}

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes the world of `ravel demo` to look at in an editor: its project, and a vault whose sessions play a scenario.
 *
 * @param {string} folder that is there already
 * @param {typeof import('../src/library.ts')} library the built one
 * @returns {Promise<string>} the vault
 */
export async function makeDemoVault(folder, { makeDemo, openVault }) {
  const { vault, scenario, begin } = await makeDemo({ folder });
  await setSettings(join(vault, 'daemon.toml'), { harness: '"scripted"', scenario: JSON.stringify(scenario) });
  const { api, stop } = await openVault({ vault, need: 'local' });
  try {
    await begin(api);
  } finally {
    await stop();
  }
  return vault;
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

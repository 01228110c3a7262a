import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { stateExamples } from '../../../src/cli/commands/stateExamples.ts';
import { isVerbName, personVerbNames } from '../../../src/model/verbs.ts';
import { makeCommandWorld, placeFile } from '../../support/commandWorld.ts';
import { simpleCommands } from '../../support/documentedCommands.ts';
import { createFakePorts } from '../fakePorts.ts';

test('every verb of a person has an example, and each does what it says', { timeout: 60_000 }, async () => {
  expect(Object.keys(stateExamples).sort()).toEqual([...personVerbNames].sort());
  const world = await makeCommandWorld();
  for (const name of Object.keys(stateExamples).filter(isVerbName)) {
    if (name === 'source/revert') continue;
    const { words, file } = stateExamples[name];
    await world.reset();
    const named = /--(?:body-file|json-args) (\S+)/.exec(words)?.[1];
    expect([name, file !== undefined]).toEqual([name, named !== undefined]);
    if (named !== undefined) await placeFile(world, named, file ?? '');
    const [command = []] = simpleCommands(`ravel state ${name.replace('/', ' ')} ${words}`);
    expect({ name, ...(await world.run(command)) }).toMatchObject({ name, code: 0, stderr: '' });

    await world.reset();
    const asJson = await world.run([...command, '--json']);
    expect({ name, ...asJson }).toMatchObject({ name, code: 0, stderr: '' });
    expect(Object.keys(JSON.parse(asJson.stdout))).toEqual(['result']);
  }
});

test.each(personVerbNames)('the help of %s shows its example', async (name) => {
  if (name === 'source/revert') return;
  const ports = await createFakePorts({});
  expect(await runCommandLine(['state', ...name.split('/'), '--help'], ports)).toBe(0);
  const { words, file = '' } = stateExamples[name];
  expect(ports.written.stdout).toContain(`\nExample:\n  $ ravel state ${name.replace('/', ' ')} ${words}\n`);
  for (const line of file.split('\n')) expect(ports.written.stdout).toContain(line);
});

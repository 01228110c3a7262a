import { expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/commandLine.ts';
import { exampleOf, personVerbNames } from '../../src/model/verbs.ts';
import { createFakePorts } from '../cli/fakePorts.ts';
import { makeCommandWorld, placeFile } from '../support/commandWorld.ts';
import { simpleCommands } from '../support/documentedCommands.ts';

const examples = personVerbNames.map((name) => [name, exampleOf(name) ?? { words: '' }] as const);

test('every verb has an example that succeeds, with and without --json', { timeout: 60_000 }, async () => {
  const world = await makeCommandWorld();
  for (const [name, { words, file }] of examples) {
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

test.each(examples)('the help of the verb %s shows its example', async (name, { words, file = '' }) => {
  const ports = await createFakePorts({});
  expect(await runCommandLine(['state', ...name.split('/'), '--help'], ports)).toBe(0);
  expect(ports.written.stdout).toContain(`\nExample:\n  $ ravel state ${name.replace('/', ' ')} ${words}\n`);
  for (const line of file.split('\n')) expect(ports.written.stdout).toContain(line);
});

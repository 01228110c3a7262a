import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { decisions, ravel } from '../../support/approvalWorld.ts';
import {
  decided,
  letWait,
  makeSuggestionWorld,
  payments,
  readRules,
  refunds,
  search,
} from '../../support/suggestionWorld.ts';
import type { World } from '../../support/world.ts';

const history = [decided('Please refund Ada', payments), decided('Find the refund page', search)];
const rules = `rules:\n- id: find\n  any: [index]\n  target: ${search}\n`;

function resultOf({ stdout }: { readonly stdout: string }) {
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '').result;
}

async function check(world: World, args: readonly string[], code: number, output: RegExp): Promise<void> {
  const ran = await ravel(world, args);
  expect(`${ran.stdout}${ran.stderr}`).toMatch(output);
  expect(ran.code).toBe(code);
}

test('ravel suggestions lists a suggestion, shows it in its place, and accepts it with --override', async () => {
  const world = await makeSuggestionWorld({ history, rules });
  await check(world, ['suggestions'], 0, /No rule is suggested/);
  const { approval } = await letWait(world);
  await check(world, ['suggestions'], 0, /1 suggested rule[\s\S]*refund → [\s\S]*! It contradicts 1 of the 2/);
  await check(world, ['suggestions', 'show'], 0, /target: .*search\n +\+ - id: refunds/);
  await check(world, ['suggestions', 'show', '01ABCDEF'], 3, /There is no suggested rule with the id "01ABCDEF"/);
  await check(
    world,
    ['suggestions', 'accept', 'refund'],
    3,
    /no suggested rule with the id "refund"[\s\S]*`ravel suggestions`/,
  );
  expect(resultOf(await ravel(world, ['suggestions', 'show', approval.slice(-8), '--json']))).toMatchObject({
    ...{ approval, backTest: { matched: 2 } },
  });
  await check(world, ['suggestions', 'accept'], 4, /contradicts 1 of the 2[\s\S]*--override/);
  await check(world, ['suggestions', 'accept', approval.slice(-8), '--override'], 0, /"refunds" is in routing.yaml/);
  await check(world, ['suggestions', 'accept', approval], 5, /accepted/);
  expect(await decisions(world)).toMatchObject([{ decision: 'accept', override: true }]);
  expect(parse(await readRules(world)).rules).toHaveLength(2);
});

test('ravel suggestions edits a suggestion from a file, and rejects another with a reason', async () => {
  const world = await makeSuggestionWorld({ history, rules });
  const first = await letWait(world);
  const second = await letWait(world, { ...refunds, rule: { id: 'x', any: ['page'], target: search } });
  const file = join(world.root, 'rule.yaml');
  await writeFile(file, `- id: money\n  all: [refund, ada]\n  target: ${payments}\n`);
  await check(world, ['suggestions', 'edit'], 2, /There are 2 suggested rules in this vault; name one of/);
  await check(world, ['suggestions', 'edit', first.approval, '--from', file], 0, /"money" is in routing.yaml/);
  await check(world, ['suggestions', 'reject', second.approval, '--reason', 'Too wide'], 0, /not suggested again/);
  expect((await decisions(world)).map(({ decision, reason }) => [decision, reason])).toEqual([
    ['edit', undefined],
    ['reject', 'Too wide'],
  ]);
});

test('ravel rules lists, lints and proposes rules', async () => {
  const kittens = Array.from({ length: 9 }, (_, at) => decided(`The kitten ${'abcdefghi'[at]}${at} is lost`, search));
  const world = await makeSuggestionWorld({ history: kittens, rules });
  await check(world, ['rules'], 0, /find +0 +– +index → /);
  await check(world, ['rules', 'lint'], 0, /1 rule, and nothing is wrong/);
  await check(world, ['rules', 'propose'], 0, /kitten.* → /);
  await check(world, ['rules', 'propose'], 0, /No new suggestions; 9 decisions/);
  await writeFile(join(world.vault, 'routing.yaml'), 'rules: [\n');
  await check(world, ['rules', 'lint'], 2, /routing.yaml cannot be used/);
});

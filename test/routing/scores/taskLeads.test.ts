import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { nextTurn } from '../../../src/base/async.ts';
import { silentLogger } from '../../../src/base/log.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { prepareRecipients } from '../../../src/routing/facts/preparedRecipients.ts';
import { leadOf } from '../../../src/routing/lead.ts';
import { calibrate, weighedLead } from '../../../src/routing/scores/calibration.ts';
import { LeadsFile } from '../../../src/routing/scores/leadsFile.ts';
import { scoreCandidates } from '../../../src/routing/scores/scoring.ts';
import { TaskLeads } from '../../../src/routing/scores/taskLeads.ts';
import { ContentVault, type PlanContent } from '../../support/contentVault.ts';
import { createRandom } from '../../support/seededRandom.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

const parser = toQualifiedId('Lang/project-root/parser');
const printer = toQualifiedId('Lang/project-root/printer');

/** Tasks of a few words each from a vocabulary of their own. */
function tasksOf(name: string, count: number, seed = 1): PlanContent {
  const random = createRandom(seed);
  const title = () => Array.from({ length: 6 }, () => `${name}word${random(20)}`).join(' ');
  return { tasks: Array.from({ length: count }, () => ({ title: title() })) };
}

async function makeVault(contents: Readonly<Record<string, PlanContent>>): Promise<ContentVault> {
  const recipients = Object.keys(contents).map((id) => ({ id: toQualifiedId(id), description: '', tags: [] }));
  const vault = new ContentVault(await makeTemporaryDirectory(), recipients);
  for (const [id, content] of Object.entries(contents)) await vault.write(toQualifiedId(id), content);
  await vault.refresh();
  return vault;
}

function leadsOf(vault: ContentVault, { within, file }: { readonly within?: string; readonly file?: LeadsFile } = {}) {
  const leads = new TaskLeads({ content: vault.content, ...(file !== undefined && { file }) });
  return leads.of(within, prepareRecipients(vault.known.recipients));
}

async function calibrated(contents: Readonly<Record<string, PlanContent>>, within?: string) {
  const tasks = await leadsOf(await makeVault(contents), within === undefined ? {} : { within });
  return calibrate({ tasks, decisions: [] }, 0.97);
}

const apart = { [parser]: tasksOf('parse', 50), [printer]: tasksOf('print', 50) };

describe('the tasks of plans', () => {
  test('give a lead that decides if the plans differ', async () => {
    const { threshold, tasks } = await calibrated(apart, 'Lang');
    expect(threshold).toBeGreaterThan(0);
    expect(tasks).toBe(100);
  });

  test.each<[string, Readonly<Record<string, PlanContent>>]>([
    ['two plans have one vocabulary', { [parser]: tasksOf('same', 60), [printer]: tasksOf('same', 60, 2) }],
    ['two plans have the same tasks', { [parser]: tasksOf('same', 60), [printer]: tasksOf('same', 60) }],
    ['there is one plan', { [parser]: tasksOf('parse', 120) }],
    ['one of two plans has tasks', { [parser]: tasksOf('parse', 120), [printer]: {} }],
    ['no plan has a task', { [parser]: {}, [printer]: {} }],
    ['there is no plan', {}],
    [
      'all texts are empty',
      { [parser]: { tasks: Array(60).fill({ title: '-' }) }, [printer]: { tasks: Array(60).fill({ title: '…' }) } },
    ],
    ['there are few tasks', { [parser]: tasksOf('parse', 10), [printer]: tasksOf('print', 10) }],
  ])('give none if %s', async (_name, contents) => {
    expect((await calibrated(contents)).threshold).toBeUndefined();
  });

  test('of a plan with 10,000 tasks count no more than those of the others', async () => {
    const vault = await makeVault({ [parser]: tasksOf('parse', 10_000), [printer]: tasksOf('print', 40) });
    const tasks = vault.content.labelledTasks(300);
    expect(tasks).toHaveLength(300);
    expect(tasks.filter(({ plan }) => plan === printer)).toHaveLength(40);
    expect(await leadsOf(vault)).toHaveLength(300);
  }, 60_000);

  test('give the same leads in each run', async () => {
    expect(await leadsOf(await makeVault(apart))).toEqual(await leadsOf(await makeVault(apart)));
  });

  test('are held against the plans of the project alone', async () => {
    const vault = await makeVault({ ...apart, 'Shop/project-root': tasksOf('parse', 50) });
    const share = async (within?: string) => {
      const leads = await leadsOf(vault, within === undefined ? {} : { within });
      return leads.filter(({ isRight }) => isRight).length / leads.length;
    };
    expect(await share('Lang')).toBe(1);
    expect(await share()).toBeLessThan(0.9);
  });

  test('are looked at again once one of them changed or a plan is gone, and only then', async () => {
    const vault = await makeVault(apart);
    const leads = new TaskLeads({ content: vault.content });
    const prepared = prepareRecipients(vault.known.recipients);
    const first = await leads.of(undefined, prepared);
    await vault.refresh();
    expect(await leads.of(undefined, prepared)).toBe(first);
    await vault.write(parser, tasksOf('parse', 20));
    await vault.refresh();
    expect(await leads.of(undefined, prepared)).toHaveLength(70);
    const [, other] = vault.known.recipients;
    const known = { ...vault.known, recipients: [other], byId: new Map([[printer, other]]) } as typeof vault.known;
    await vault.content.refresh(known);
    expect(await leads.of(undefined, prepareRecipients(known.recipients))).toEqual([]);
  });

  test('belong to a plan that was renamed meanwhile under its new name', async () => {
    const vault = await makeVault(apart);
    const leads = new TaskLeads({ content: vault.content });
    await leads.of(undefined, prepareRecipients(vault.known.recipients));
    const reader = toQualifiedId('Lang/project-root/reader');
    await rename(vault.layout.plan(parser), vault.layout.plan(reader));
    const recipients = vault.known.recipients.map((one) => (one.id === parser ? { ...one, id: reader } : one));
    const byId = new Map(recipients.map((one) => [one.id, one]));
    await vault.content.refresh({ ...vault.known, recipients, byId });
    expect(new Set(vault.content.labelledTasks(300).map(({ plan }) => plan))).toEqual(new Set([printer, reader]));
    const found = await leads.of(undefined, prepareRecipients(recipients));
    expect(found.filter(({ isRight }) => isRight)).toHaveLength(100);
  });

  test('are looked at while other work continues', async () => {
    const vault = await makeVault(apart);
    let turns = 0;
    let done = false;
    const takeTurns = async () => {
      for (; !done; turns += 1) await nextTurn();
    };
    const other = takeTurns();
    const leads = await leadsOf(vault);
    done = true;
    await other;
    // One turn for each task, however fast the machine is.
    expect(turns).toBeGreaterThanOrEqual(leads.length);
  });
});

test('a plan full of words of a small one gets few of its messages', async () => {
  const random = createRandom(5);
  const words = (name: string, count: number) => Array.from({ length: count }, () => `${name}word${random(60)}`);
  const tasks = (count: number, make: () => string[]) =>
    Array.from({ length: count }, () => ({ title: make().join(' ') }));
  const mixed = () => [...words('print', 4), ...words('parse', 2)];
  const vault = await makeVault({
    [parser]: { tasks: [...tasks(20, () => words('parse', 6)), ...tasks(200, mixed)] },
    [printer]: { tasks: tasks(20, () => words('print', 6)) },
    'Lang/project-root/other': { tasks: tasks(40, () => words('other', 6)) },
  });
  const prepared = prepareRecipients(vault.known.recipients);
  const found = await leadsOf(vault);
  const decidedFrom = ({ threshold = 2 }: { readonly threshold?: number | undefined }) => {
    const decided = messages.filter(({ lead }) => lead >= threshold);
    return { share: decided.length / messages.length, wrong: decided.filter(({ isRight }) => !isRight).length };
  };
  const messages = tasks(300, () => words('print', 6)).map(({ title: text }) => {
    const content = vault.content.score(text);
    const candidates = scoreCandidates({ on: 'dispatch', from: 'person', facts: [], text }, { prepared, content });
    return { lead: leadOf(candidates), isRight: candidates[0]?.recipient === printer };
  });
  // As if each example came from a person, whose answers are not held against each other.
  const trusted = found.map(({ lead, isRight }) => ({ lead, isRight }));
  const before = decidedFrom(calibrate({ tasks: [], decisions: trusted }, 0.95));
  expect(before.wrong).toBeGreaterThan(0.02 * messages.length);
  const after = decidedFrom(calibrate({ tasks: found, decisions: [] }, 0.95));
  expect(after.wrong).toBeLessThan(0.01 * messages.length);
  expect(after.share).toBeGreaterThan(0.1);
});

describe('the file of the leads', () => {
  const open = (vault: ContentVault, version = '1') =>
    new LeadsFile({ disk: nodeDisk, layout: vault.layout, log: silentLogger, version });

  test('has them for the next owner, while the texts are the same', async () => {
    const vault = await makeVault(apart);
    const made = await leadsOf(vault, { file: open(vault) });
    const { digest } = vault.content;
    expect((await open(vault).load(digest)).get('')).toEqual(made);
    expect(await open(vault).load('other')).toEqual(new Map());
    expect(await open(vault, '2').load(digest)).toEqual(new Map());
  });

  test.each<[string, (text: string) => string]>([
    ['is empty', () => ''],
    ['is cut', (text) => text.slice(0, -20)],
    ['has another number', (text) => text.replace(/true/, 'false')],
    ['is not JSON', (text) => `${text.split('\n')[0]}\n[`],
    ['has bytes that are no text', () => '\0\ufffd'],
  ])('counts as none if it %s, and is made again', async (_name, damage) => {
    const vault = await makeVault(apart);
    const made = await leadsOf(vault, { file: open(vault) });
    const file = vault.layout.taskLeads;
    const text = await readFile(file, 'utf8');
    await writeFile(file, damage(text));
    expect(await open(vault).load(vault.content.digest)).toEqual(new Map());
    expect(await leadsOf(vault, { file: open(vault) })).toEqual(made);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test('changes nothing if it can be neither read nor written', async () => {
    const vault = await makeVault(apart);
    await mkdir(vault.layout.taskLeads, { recursive: true });
    expect(await leadsOf(vault, { file: open(vault) })).toEqual(await leadsOf(vault));
  });
});

describe('a message to a vault of two plans', () => {
  const [{ title = '' } = {}] = apart[parser]?.tasks ?? [];
  const long = `${title} `.repeat(1400);

  test.each<[string, string, string | undefined]>([
    ['goes to the plan that has it as a task', title, parser],
    ['goes to the plan whose words it has, however long it is', long, parser],
    ['goes to the plan whose words stand in code', `const ${title.split(' ').join(' = ')};`, parser],
    ['goes nowhere if it has words of both', `${title} ${apart[printer]?.tasks?.[0]?.title}`, undefined],
    ['goes nowhere with a single word', 'parseword1', undefined],
    ['goes nowhere in Chinese', '请修复打印机的错误信息', undefined],
    ['goes nowhere in Arabic', 'يرجى إصلاح رسالة الخطأ', undefined],
    ['goes nowhere if it is code of others', 'for (let i = 0; i < n; i++) { sum += a[i]; }', undefined],
    ['goes nowhere if it is long and about something else', 'The weather is fine today. '.repeat(1900), undefined],
    ['goes nowhere if it is empty', '', undefined],
  ])('%s', async (_name, text, expected) => {
    const vault = await makeVault(apart);
    const prepared = prepareRecipients(vault.known.recipients);
    const content = vault.content.score(text);
    const candidates = scoreCandidates({ on: 'dispatch', from: 'person', facts: [], text }, { prepared, content });
    const tasks = await leadsOf(vault);
    const { ahead, threshold = 1 } = weighedLead(candidates, calibrate({ tasks, decisions: [] }, 0.95));
    expect(ahead >= threshold ? candidates[0]?.recipient : undefined).toBe(expected);
  });
});

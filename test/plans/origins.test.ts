import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { QualifiedId, Ulid } from '../../src/model/id.ts';
import type { Author } from '../../src/model/origin.ts';
import { planFiles } from '../../src/model/plan.ts';
import { originBytesMax, originOf, type RecordList, recordOrigins } from '../../src/plans/origins.ts';
import type { PlanServices } from '../../src/plans/services.ts';
import { makePlanWorld } from '../support/planServices.ts';

const plan = 'demo/project-root' as QualifiedId;
const session = { by: 'session', session: '01T00000000000000000000000' as Ulid } as const;
let services: PlanServices;

beforeEach(async () => {
  ({ services } = await makePlanWorld({}));
});

const task = (id: string) => `- { id: ${id}, title: t, category: c, status: not_started }\n`;
const backlog = (...ids: string[]) => `tasks:\n${ids.map(task).join('')}`;

/** Changes the backlog from these tasks to those. */
function note(author: Author, before: readonly string[], after: readonly string[]): Promise<void> {
  const texts = { before: before.length === 0 ? null : backlog(...before), after: backlog(...after) };
  return recordOrigins(services, plan, author, [{ file: planFiles.backlog, ...texts }]);
}

async function check(id: string, by: string | undefined, list: RecordList = 'tasks'): Promise<void> {
  expect((await originOf(services, plan, list, id))?.by, id).toBe(by);
}

test('each record has the actor who added it, and earlier ones have none', async () => {
  await note({ by: 'person' }, ['old'], ['old', 'mine']);
  await note(session, ['old', 'mine'], ['old', 'mine', 'theirs']);
  await check('old', undefined);
  await check('mine', 'person');
  expect(await originOf(services, plan, 'tasks', 'theirs')).toMatchObject(session);
});

test('entries of the memory are records of their own', async () => {
  const after = 'entries:\n- { id: mine, title: t, body: b }\n';
  await recordOrigins(services, plan, session, [{ file: planFiles.memory, before: null, after }]);
  await check('mine', 'session', 'entries');
  await check('mine', undefined);
});

test('a task that was deleted and is there again has the one who added it last', async () => {
  await note(session, [], ['a']);
  await note({ by: 'person' }, ['a'], []);
  await check('a', undefined);
  await note({ by: 'import' }, [], ['a']);
  await check('a', 'import');
});

test.each([
  ['a record without what it needs', `${backlog('a', 'b')}- { id: 7 }\n`],
  ['YAML that is broken', 'tasks: [\n'],
])('of a text with %s it is not known what was added to it', async (_title, before) => {
  const after = backlog('a', 'b', 'c');
  await recordOrigins(services, plan, session, [{ file: planFiles.backlog, before, after }]);
  for (const id of ['a', 'b', 'c']) await check(id, undefined);
});

test('an origin whose record was deleted by hand is forgotten once a record is added', async () => {
  await note(session, [], ['a']);
  await note({ by: 'person' }, ['b'], ['b', 'c']);
  await note({ by: 'person' }, ['a', 'b', 'c'], ['a', 'b', 'c', 'd']);
  await check('a', undefined);
  await check('d', 'person');
});

test('a change that adds nothing leaves no line', async () => {
  await note(session, ['a'], ['a']);
  await recordOrigins(services, plan, session, [{ file: planFiles.sessionLog, before: null, after: 'x' }]);
  expect(await services.disk.stat(services.layout.origins(plan)).catch(() => 'none')).toBe('none');
});

test('the file does not grow with deleted records, and keeps the known origins', async () => {
  await note(session, [], ['kept']);
  const path = services.layout.origins(plan);
  const line = (change: object) => `${JSON.stringify({ at: '2026-11-23T10:00:00Z', by: 'person', ...change })}\n`;
  const pairs = Array.from({ length: 2000 }, (_, n) => {
    const tasks = [`a-task-with-a-long-name-${n}`];
    return line({ added: { tasks } }) + line({ removed: { tasks } });
  });
  writeFileSync(path, readFileSync(path, 'utf8') + pairs.join(''));
  expect(statSync(path).size).toBeGreaterThan(originBytesMax);
  await note({ by: 'person' }, ['kept'], ['kept', 'last']);
  expect(statSync(path).size).toBeLessThan(400);
  await check('kept', 'session');
  await check('last', 'person');
});

test('an origin that cannot be recorded is unknown, and the change holds', async () => {
  const path = services.layout.origins(plan);
  mkdirSync(path, { recursive: true });
  await note(session, [], ['a']);
  expect(dirname(path)).toBe(services.layout.plans);
});

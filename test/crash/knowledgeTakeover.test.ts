import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ledgerOf, makePhaseWorld, sessionOf, startOwnerOf, takeOver } from '../support/readopt.ts';

const said = 'A client that retries without a limit keeps the server down for good.';
const own = 'Since May we limit every client of ours to five attempts within a minute.';

/** A session that reads an entry, waits for its owner to die, and stages the entry again, then what it found itself. */
const steps = `
    - say: I begin.
    - call: knowledge_show
      with: { entry: Retries need a limit }
    - wait: 1500ms
    - call: knowledge_remember
      with: { title: A limit, statement: "${said} We think so." }
      expect: refused
    - call: knowledge_remember
      with: { title: Five attempts, statement: "${own}" }
    - call: backlog_set_status
      with: { id: add-a-farewell, status: done }
    - finish: { outcome: done, summary: Looked it up. }
`;

test('a session whose owner is killed after it read an entry cannot store that entry with the next owner', async () => {
  const world = await makePhaseWorld('scripted', 'work', { steps });
  const folder = join(world.vault, 'knowledge/techniques');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'limit.md'), `---\ntitle: Retries need a limit\n---\n${said} It was seen in May.\n`);
  const owner = await startOwnerOf(world);
  const session = await sessionOf(owner);
  await owner.when((event) => event.type === 'session.output' && event.output.kind === 'toolEnded');
  await owner.kill();
  const core = await takeOver(world);
  expect(await ledgerOf(world)).toEqual(['reattached', 'finished']);
  const shown = await readFile(join(world.vault, 'runtime/sessions', session, 'shown.jsonl'), 'utf8');
  expect(shown).toContain('knowledge/techniques/limit.md');
  const { entries } = await core.api.request('entries', { statuses: ['staged'] });
  expect(entries.map(({ title, confidence }) => [title, confidence])).toEqual([['Five attempts', 'low']]);
  expect((await core.api.request('entry', { entry: 'Five attempts' })).fields).toMatchObject({
    ...{ source: world.plan, 'source-session': session },
  });
  expect(await readdir(folder)).toContain('limit.md');
  // What the session was shown counts once, although its call may have reached both owners.
  expect((await core.api.request('entry', { entry: 'Retries need a limit' })).uses).toMatchObject({ shown: 1 });
});

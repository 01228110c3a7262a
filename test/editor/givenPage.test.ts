import { expect, test } from 'vitest';
import { stamp } from '../webview/events.ts';
import { plan, session, textEvents, useShownPages } from './support/shownPage.ts';

const show = useShownPages();

test('the Given tab shows what comes of the memory as it comes', async () => {
  const memory = { given: 'relevant', count: 2, bytesMax: 19_000, entries: [] };
  const came = (count: number) => ({
    ...{ plan, session, phase: 'work', given: [], recorded: null, reported: null, memory },
    later: Array.from({ length: count }, (_, n) => ({
      ...{ at: stamp.at, tool: 'Read', bytes: 100 },
      entries: [{ id: `e${n}`, title: `Entry ${n}`, name: `part${n}.ts`, whole: true }],
    })),
  });
  let count = 0;
  const runner = await show({
    events: textEvents('Hello.'),
    answers: { given: () => came(count), history: () => ({ cycles: [] }) },
  });
  const { page, problems } = runner;
  await page.getByRole('tab', { name: 'Given' }).click();
  const rows = page.getByRole('table', { name: 'Entries of the memory' });
  await rows.waitFor({ state: 'attached' });
  for (count = 1; count <= 2; count += 1) {
    const title = `Entry ${count - 1}`;
    const event = { ...stamp, type: 'session.recalled' as const, session, tool: 'Read', entries: [title], bytes: 100 };
    await runner.send({ type: 'events', events: [event] });
    await rows.getByText(title).waitFor();
    expect(await rows.getByText('later').count()).toBe(count);
  }
  expect(problems).toEqual([]);
  await page.close();
});

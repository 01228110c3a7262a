import { expect, test } from 'vitest';
import { openJournal, readJournal } from '../../src/base/journal.ts';
import { recordRecovery } from '../../src/plans/ledger.ts';
import { demoPlan, makePlanWorld } from '../support/planServices.ts';

test('a recovery is in the ledger before its event is emitted', async () => {
  const { services, layout } = await makePlanWorld();
  const ledger = await openJournal(services.disk, layout.ledger);
  let recordsWhenTold = 0;
  const append: typeof ledger.append = async (record) => {
    const begins = await ledger.append(record);
    recordsWhenTold++;
    return begins;
  };
  const emit: typeof services.emit = (event) => {
    expect(event).toMatchObject({ type: 'recovered', actor: demoPlan, what: 'a move', outcome: 'undone' });
    expect(recordsWhenTold).toBe(1);
  };
  await recordRecovery({ ...services, emit, ledger: { ...ledger, append } }, demoPlan, 'a move', 'undone');
  await ledger.close();
  const { records } = await readJournal(services.disk, layout.ledger);
  expect(records.at(-1)).toMatchObject({ plan: demoPlan, what: 'a move', outcome: 'undone' });
});

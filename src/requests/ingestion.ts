import { defined } from '../base/defined.ts';
import type { ingestionRequests } from '../model/requests/ingestion.ts';
import { assertOwner, type HandlersOf } from './handlers.ts';

export const ingestionHandlers: HandlersOf<typeof ingestionRequests> = {
  async ingestions({ ingester, directory }, { plan, limit }) {
    const wanted = plan === undefined ? undefined : (await directory.find(plan)).id;
    const { records, diagnostics } = await (await ingester()).all();
    const fitting = records.filter((record) => wanted === undefined || record.plan === wanted);
    return { ingestions: fitting.reverse().slice(0, limit), diagnostics };
  },

  async ingestion({ ingester }, { id }) {
    return (await ingester()).load(id);
  },

  async ingest(context, { plan }) {
    assertOwner(context);
    return defined({ ingestion: await (await context.ingester()).ingest(plan) });
  },

  async replay_ingestion(context, { id }) {
    assertOwner(context);
    return (await context.ingester()).replay(id);
  },
};

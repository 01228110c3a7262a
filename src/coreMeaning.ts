// Builds the ranking by meaning, from the settings of a vault.

import { MeaningRanker } from './knowledge/meaning/meaningRanker.ts';
import type { PlanServices } from './plans/services.ts';

/** Ranks by meaning if the settings of an owner name a server for it; who only looks at a vault sends nothing away. */
export function createMeaningRanker({
  clock,
  settings,
  environment,
}: Pick<PlanServices, 'clock' | 'settings' | 'environment'>): MeaningRanker {
  return new MeaningRanker({
    clock,
    settings: () => {
      const { url, host, model, 'key-variable': variable } = settings.search.embeddings;
      return url === '' ? undefined : { url, host, model, key: variable === '' ? undefined : environment[variable] };
    },
  });
}

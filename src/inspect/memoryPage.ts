import { failure } from '../model/codes.ts';
import { countWords } from '../model/memory.ts';
import { planFiles } from '../model/plan.ts';
import type { MemoryPage } from '../model/requests/inspect.ts';
import type { PlanServices } from '../plans/services.ts';
import { parsePlan, readPlanFiles } from '../vault/planStore.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { cutText } from './longTexts.ts';

/** Of one entry; all together have to fit into one answer. */
const bodyCharactersMax = 20_000;

/** The memory of a plan with its words, and with how many of them a dream is due. */
export async function inspectMemory(
  services: Pick<PlanServices, 'disk' | 'settings'>,
  location: PlanLocation,
): Promise<MemoryPage> {
  const { disk, settings } = services;
  const read = await readPlanFiles(disk, location, [planFiles.memory, planFiles.dreamWordCount]);
  const { memory, diagnostics } = parsePlan(read, location, [planFiles.memory]);
  if (memory === undefined) {
    const problem = diagnostics[0]?.message ?? `${planFiles.memory} cannot be read.`;
    throw failure('plan/badState', location.id, problem, { file: `${location.directory}/${planFiles.memory}` });
  }
  const dreamtAt = Number.parseInt(read.texts.get(planFiles.dreamWordCount) ?? '0', 10);
  return {
    entries: (memory.entries ?? []).map(({ id, title, body, source, claims, 'source-session': sourceSession }) => {
      const { text, isCut } = cutText(body, bodyCharactersMax);
      return {
        ...{ id, title, body: text, isCut, claims: claims ?? [] },
        words: countWords({ entries: [{ id, title, body }] }),
        ...(source != null && { source }),
        ...(sourceSession != null && { sourceSession }),
      };
    }),
    words: countWords(memory),
    dreamAtWords: (Number.isNaN(dreamtAt) ? 0 : dreamtAt) + settings.dream['headroom-words'],
  };
}

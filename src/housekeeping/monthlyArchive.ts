import { dirname } from 'node:path';
import { attempt } from '../base/diskErrors.ts';
import { isRavelError } from '../base/errors.ts';
import { exists } from '../base/files.ts';
import { timeOfUlid } from '../base/ulid.ts';
import { dayMs } from '../base/units.ts';
import { commitArchivedDecisions } from '../plans/approvals/decisionCommits.ts';
import { decisionFolder, isStillInForce, placesOfDecision } from '../plans/approvals/decisions.ts';
import type { PlanServices } from '../plans/services.ts';
import { answerFolder, placesOfAnswer } from '../questions/answers.ts';
import { type FilePlaces, moveToMonth } from '../vault/monthFolders.ts';
import type { ChoreReport } from './housekeeper.ts';

/** What is younger stays where people and sessions look for it. */
const youngMs = 90 * dayMs;

/**
 * Moves decisions and answers of earlier months into a folder for each month, so that what lists the newer ones takes no
 * longer from year to year. Each is still found by its id. Cut short at any moment, it goes on the next time.
 */
export async function moveOldRecords(services: PlanServices, signal: AbortSignal): Promise<ChoreReport> {
  const decisions = await moveOld(services, await oldDecisions(services, signal), signal);
  const answers = await moveOld(services, await oldAnswers(services, signal), signal);
  if (decisions + answers > 0) services.log.info('put what is old into folders by month', { decisions, answers });
  try {
    await commitArchivedDecisions(services);
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return { removed: 0, bytes: 0, problems: [`The decisions in the archive are not committed: ${error.message}`] };
  }
  return { removed: 0, bytes: 0, problems: [] };
}

interface Old {
  readonly places: FilePlaces;
  readonly atMs: number;
}

/** Without those that are still being carried out, and those that hold for what is yet to come. */
async function oldDecisions(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout'>,
  signal: AbortSignal,
): Promise<Old[]> {
  const found: Old[] = [];
  const folder = decisionFolder(services);
  for (const id of await folder.list()) {
    signal.throwIfAborted();
    if (isYoung(services, timeOfUlid(id)) || (await exists(services.disk, services.layout.approval(id)))) continue;
    const decision = await folder.loadUndamaged(id);
    const atMs = Date.parse(decision?.at ?? '');
    if (decision === undefined || isStillInForce(decision) || !isOld(services, atMs)) continue;
    found.push({ places: placesOfDecision(services.layout, id), atMs });
  }
  return found;
}

async function oldAnswers(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout'>,
  signal: AbortSignal,
): Promise<Old[]> {
  const found: Old[] = [];
  const folder = answerFolder(services);
  for (const id of await folder.list()) {
    signal.throwIfAborted();
    if (isYoung(services, timeOfUlid(id))) continue;
    const atMs = Date.parse((await folder.loadUndamaged(id))?.at ?? '');
    if (isOld(services, atMs)) found.push({ places: placesOfAnswer(services.layout, id), atMs });
  }
  return found;
}

/** By an id alone. One that was derived has another time, mostly far from now; then the file says when it was. */
function isYoung({ clock }: Pick<PlanServices, 'clock'>, ms: number): boolean {
  const ageMs = clock.wallMs() - ms;
  return ageMs >= 0 && ageMs < youngMs;
}

/** A time that cannot be read does not count. */
function isOld({ clock }: Pick<PlanServices, 'clock'>, ms: number): boolean {
  return clock.wallMs() - ms >= youngMs;
}

async function moveOld(
  { disk }: Pick<PlanServices, 'disk'>,
  old: readonly Old[],
  signal: AbortSignal,
): Promise<number> {
  const folders = new Set<string>();
  for (const { places, atMs } of old) {
    signal.throwIfAborted();
    folders.add(await moveToMonth(disk, places, atMs)).add(dirname(places.live));
  }
  for (const folder of folders) await attempt(folder, 'write', () => disk.syncDirectory(folder));
  return old.length;
}

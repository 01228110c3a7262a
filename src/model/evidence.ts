import { type Confidence, type EntryFields, isAtLeast } from './entry.ts';

/** What an entry rests on. */
export type EntryEvidence = Pick<EntryFields, 'confidence' | 'origins' | 'created' | 'last_validated'>;

/** Evidence that is younger by this many days weighs as much as that of more projects. */
const significantDays = 90;

/**
 * Why a newer statement cannot take the place of an older one, as a sentence; undefined when it can. It needs at least
 * the same confidence, and either as many distinct projects or evidence that is younger by a quarter of a year.
 */
export function evidenceProblem(newer: EntryEvidence, older: EntryEvidence): string | undefined {
  if (!isAtLeast(newer.confidence, older.confidence)) {
    return `Its confidence is ${newer.confidence}, and that of the older statement is ${older.confidence}.`;
  }
  const [projects, olderProjects] = [projectsOf(newer).size, projectsOf(older).size];
  if (projects >= olderProjects) return undefined;
  const days = dayOf(newestDate(newer)) - dayOf(newestDate(older));
  if (days >= significantDays) return undefined;
  return `It rests on ${projects} of the projects of a vault, and the older statement on ${olderProjects}.`;
}

/**
 * The confidence of an entry after it was seen to hold in a project: an idea or a guess that held once is `medium`. It
 * never falls, and never becomes `high`, which a person decides for what held in several projects.
 */
export function confidenceAfterUse(confidence: Confidence): Confidence {
  return isAtLeast(confidence, 'medium') ? confidence : 'medium';
}

function projectsOf({ origins }: EntryEvidence): ReadonlySet<string> {
  return new Set(origins.map(({ project }) => project));
}

function newestDate({ origins, created, last_validated }: EntryEvidence): string {
  const dates = [...origins.map(({ date }) => date), created ?? '', last_validated ?? ''];
  return dates.reduce((newest, date) => (date > newest ? date : newest), '');
}

/** Days since the epoch; one without a date is from its beginning. */
function dayOf(date: string): number {
  return date === '' ? 0 : Date.parse(date.slice(0, 10)) / 86_400_000;
}

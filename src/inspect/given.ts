import { join } from 'node:path';
import { defined } from '../base/defined.ts';
import { readTextIfExists, sha256 } from '../base/files.ts';
import { plural } from '../base/text.ts';
import { loadTools, measureText, readContext, type SessionContext } from '../harness/sessionContext.ts';
import { failure } from '../model/codes.ts';
import { usualHarness } from '../model/harnesses.ts';
import { reasoningPhases } from '../model/phase.ts';
import type { GivenLater, GivenPage, GivenPart, GivenText } from '../model/requests/inspect.ts';
import { type LaterGiven, loadLater } from '../plans/sessions/laterMemory.ts';
import { changesOfPhase, toolsOfPhase } from '../plans/sessions/sessionTools.ts';
import { cutText } from './longTexts.ts';
import type { SessionSnapshot } from './sessionSnapshot.ts';

/** What a session was given, as its `context.json` says; that is kept for as long as its transcript. */
export async function inspectGiven(snapshot: SessionSnapshot): Promise<GivenPage> {
  const { given, recorded, reported, confinement, memory } = await contextOf(snapshot);
  const later = await laterOf(snapshot);
  return {
    ...snapshot.at,
    given: [...given, ...later.map(laterPart)].map(({ name, path, bytes, tokens, sha256, reason }) => ({
      ...{ name, bytes, tokens, sha256, reason },
      ...defined({ path }),
    })),
    recorded: recorded?.map(({ name, bytes }) => ({ name, bytes })) ?? null,
    reported,
    ...defined({ confinement, memory }),
    ...(later.length > 0 && { later: later.map(summarise) }),
  };
}

/**
 * The exact text of one part. Those of a prompt stand in it one after the other; a tool is described by this very
 * program, and if another version had other words for it they are not kept. The hash tells.
 */
export async function inspectGivenText(snapshot: SessionSnapshot, index: number): Promise<GivenText> {
  const { given } = await contextOf(snapshot);
  const later = (await laterOf(snapshot))[index - given.length];
  if (later !== undefined) return { name: laterPart(later, index - given.length).name, ...cutText(later.text) };
  const part = given[index];
  if (part === undefined) {
    const message = `The session ${snapshot.at.session} was given ${plural(given.length, 'part')}; there is no part ${index}.`;
    throw failure('session/unknown', snapshot.at.session, message);
  }
  const text = part.name.startsWith('tools/')
    ? await toolText(snapshot, part)
    : await promptText(snapshot, given, index);
  if (text === undefined || sha256(text) !== part.sha256) return { name: part.name, isCut: false };
  return { name: part.name, ...cutText(text) };
}

async function contextOf({ services, at }: SessionSnapshot): Promise<SessionContext> {
  const directory = services.layout.session(at.session);
  const read = await readContext(services.disk, directory);
  if (read !== undefined && 'value' in read) return read.value;
  if (read !== undefined) {
    const message = `What session ${at.session} was given is not known: its context.json is damaged (${read.problem}).`;
    throw failure('disk/damaged', at.session, message, {
      file: join(directory, 'context.json'),
      help: 'The session itself is not harmed by it. Its prompt is in the same folder.',
    });
  }
  throw failure('session/unknown', at.session, `Nothing is kept of what session ${at.session} was given.`, {
    help: 'It was begun elsewhere, or `ravel doctor --clean` has removed it since.',
  });
}

async function laterOf({ services, at }: SessionSnapshot): Promise<readonly LaterGiven[]> {
  return (await loadLater(services.disk, services.layout.session(at.session))).later;
}

function laterPart({ text, tool }: LaterGiven, index: number): GivenPart {
  return {
    ...measureText(text),
    name: `later/${index + 1}`,
    reason: `what the memory has about a ${tool} of the session`,
  };
}

function summarise({ at, tool, entries, text }: LaterGiven): GivenLater {
  const told = entries.map(({ id, title, name, whole }) => ({ id, title, name, whole }));
  return { at, tool, bytes: Buffer.byteLength(text), entries: told };
}

const files = { system: 'system.md', prompt: 'prompt.md' } as const;

async function promptText(
  snapshot: SessionSnapshot,
  given: readonly GivenPart[],
  index: number,
): Promise<string | undefined> {
  const part = given[index];
  const where = part?.name.startsWith('system/') ? 'system' : 'prompt';
  const { disk, layout } = snapshot.services;
  const text = await readTextIfExists(disk, join(layout.session(snapshot.at.session), files[where]));
  if (part === undefined || text === undefined) return undefined;
  const before = given.slice(0, index).filter(({ name }) => name.startsWith(`${where}/`));
  const start = before.reduce((sum, { bytes }) => sum + bytes, 0);
  return Buffer.from(text)
    .subarray(start, start + part.bytes)
    .toString('utf8');
}

/** The tools of a phase are known to this program; those of a consultation were kept with it. */
async function toolText({ services, at }: SessionSnapshot, part: GivenPart): Promise<string | undefined> {
  const name = part.name.slice('tools/'.length);
  const kept = await loadTools(services.disk, services.layout.session(at.session));
  return reasoningPhases
    .flatMap((phase) => [...toolsOfPhase(phase, usualHarness), ...changesOfPhase(phase)])
    .concat(kept)
    .filter((tool) => tool.name === name)
    .map((tool) => JSON.stringify(tool))
    .find((text) => sha256(text) === part.sha256);
}

import { dirname, join } from 'node:path';
import { defined } from '../base/defined.ts';
import type { ReadingDisk } from '../base/disk.ts';
import type { Range } from '../base/errors.ts';
import { readTextIfExists } from '../base/files.ts';
import { diagnostic } from '../model/codes.ts';
import {
  type DocumentRecord,
  type DocumentReference,
  documentLengthMax,
  type InspectedDocument,
  isFrontmatterKind,
  isYamlKind,
  type Repair,
  type YamlKind,
} from '../model/document.ts';
import { planFiles } from '../model/plan.ts';
import type { EntryIndex } from '../vault/entryIndex.ts';
import { loadExperts } from '../vault/expertStore.ts';
import type { VaultLayout } from '../vault/layout.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { parseSource } from '../yaml/yamlDocument.ts';
import { backlogFindings } from './backlogFindings.ts';
import type { DocumentPlace } from './documentPlace.ts';
import { entryFindings } from './entryFindings.ts';
import { type Found, found, type QuickFix } from './found.ts';
import { frontmatterFindings, frontmatterKeys, frontmatterPart, phaseFindings } from './frontmatterFindings.ts';
import { lookUpReferences, type Names, unknownNames } from './lookUp.ts';
import { noteLinks } from './noteLinks.ts';
import { policyFindings } from './policyFindings.ts';
import { recordShapes } from './recordShapes.ts';
import { documentRecords, type RawReference } from './records.ts';
import { editsOfYaml, shifted, type YamlPart } from './textEdits.ts';
import { identityFindings, settingsFindings, tomlRecords } from './tomlFindings.ts';
import { formFindings } from './yamlFindings.ts';

/** What a look at a document needs beside its text. */
export interface DocumentWorld {
  readonly disk: ReadingDisk;
  readonly layout: VaultLayout;
  readonly plans: readonly PlanLocation[];
  /** All entries of the vault, by their names. */
  readonly entries: () => Promise<EntryIndex>;
}

/** A person does not read more findings than this in one file; the next look shows the next ones. */
const findingsMax = 100;

/** How many findings are repaired at once. */
const repairsMax = 50;
const repairedLengthMax = 1024 * 1024;

/** All that an editor shows of a text. */
export async function inspectDocument(
  world: DocumentWorld,
  place: DocumentPlace,
  text: string,
): Promise<InspectedDocument> {
  const { findings, records, references, backlinks } = await survey(world, place, text);
  return {
    kind: place.kind,
    file: place.file,
    ...defined({ plan: place.plan?.id }),
    findings: findings.slice(0, findingsMax).map(({ diagnostic: one, related }) => ({
      ...one,
      ...defined({ related }),
    })),
    records,
    references,
    ...defined({ backlinks }),
  };
}

/** Repairs for the findings in a text, or only for those in the lines of `range`. */
export async function repairsOf(
  world: DocumentWorld,
  place: DocumentPlace,
  { text, range }: { readonly text: string; readonly range?: Range | undefined },
): Promise<Repair[]> {
  const { findings } = await survey(world, place, text);
  const part = isFrontmatterKind(place.kind) ? frontmatterPart(text) : { text, lines: 0 };
  const wanted = findings.filter((one) => range === undefined || meets(one.diagnostic.range, range));
  // Each edit is checked by reading the whole text again.
  const count = Math.max(1, Math.min(repairsMax, Math.floor(repairedLengthMax / (text.length + 1))));
  return wanted.slice(0, count).flatMap(({ diagnostic: { code, range: at }, fixes }) =>
    fixes().flatMap(({ title, isPreferred = false, change }) => {
      const edits = editsOf(change, part, place);
      return edits === undefined || at === undefined ? [] : [{ title, isPreferred, code, range: at, edits }];
    }),
  );
}

/** The claims of the latest session of the document's plan, and the experts: what its names are looked up in. */
export async function namesOf({ disk, layout, plans }: DocumentWorld, place: DocumentPlace): Promise<Names> {
  const kinds = isYamlKind(place.kind) ? namedKinds(place.kind) : new Set();
  const readsExperts = ['actor', 'receiver', 'bareExpert'].some((by) => kinds.has(by));
  const { experts } = readsExperts ? await loadExperts(disk, layout) : { experts: [] };
  return {
    plans,
    experts: experts.map(({ actor, expert }) => ({
      id: actor.slice('expert:'.length),
      description: expert.description,
    })),
    claims: kinds.has('claim') ? await latestClaims(disk, place) : [],
  };
}

interface Survey {
  readonly findings: readonly Found[];
  readonly records: readonly DocumentRecord[];
  readonly references: readonly DocumentReference[];
  readonly backlinks?: InspectedDocument['backlinks'];
}

async function survey(world: DocumentWorld, place: DocumentPlace, text: string): Promise<Survey> {
  if (text.length > documentLengthMax) return { findings: [tooLarge(place)], records: [], references: [] };
  if (place.kind === 'entry') return surveyEntry(world, place, text);
  const { findings, records, raw } = readDocument(world, place, text);
  const names = await namesOf(world, place);
  const references = lookUpReferences(raw, { layout: world.layout, place, names, records });
  const unknown = isYamlKind(place.kind) ? unknownNames(place.kind, raw, references, { names, place }) : [];
  const links = await noteLinks(world.disk, world.layout, text, { place, plans: world.plans });
  return {
    findings: [...findings, ...unknown, ...links.diagnostics.map((one) => found(one))],
    records,
    references: [...references, ...links.references],
  };
}

/** An entry, or a plain note beside entries: what is wrong with it alone and with its links, and where they lead. */
async function surveyEntry(world: DocumentWorld, place: DocumentPlace, text: string): Promise<Survey> {
  const { findings, index, head } = entryFindings(await world.entries(), place, text);
  const named = (id: string) => {
    const [first] = index.find(id, head);
    return first === undefined ? undefined : { file: first.file, title: first.fields.title };
  };
  const links = await noteLinks(world.disk, world.layout, text, { place, plans: world.plans, named });
  const backlinks = head === undefined ? [] : index.backlinks(head);
  return {
    findings: [...findings, ...links.diagnostics.map((one) => found(one))],
    records: frontmatterKeys(text),
    references: links.references,
    ...(head !== undefined && {
      backlinks: backlinks.map(({ from, key }) => ({ file: from.file, title: from.fields.title, key })),
    }),
  };
}

interface Reading {
  readonly findings: readonly Found[];
  readonly records: readonly DocumentRecord[];
  readonly raw: readonly RawReference[];
}

function readDocument({ layout }: DocumentWorld, place: DocumentPlace, text: string): Reading {
  const { kind } = place;
  switch (kind) {
    case 'entry':
      return { findings: [], records: frontmatterKeys(text), raw: [] };
    case 'identity':
      return { findings: identityFindings(text, layout), records: tomlRecords(text), raw: [] };
    case 'settings':
      return { findings: settingsFindings(text, place.file), records: tomlRecords(text), raw: [] };
    case 'phase':
      return { findings: phaseFindings(text, place), records: [], raw: [] };
    case 'planState':
    case 'expert':
      return { findings: frontmatterFindings(kind, text, place), records: frontmatterKeys(text), raw: [] };
    default:
      return readYamlDocument(kind, place, { text, isShared: dirname(place.file) === layout.root });
  }
}

function readYamlDocument(
  kind: YamlKind,
  place: DocumentPlace,
  { text, isShared }: { readonly text: string; readonly isShared: boolean },
): Reading {
  const source = parseSource(text, place);
  const { records, references: raw } = documentRecords(kind, source);
  const form = formFindings(kind, source, records, place);
  const own =
    kind === 'backlog'
      ? backlogFindings(source, records, raw, place)
      : kind === 'policy'
        ? policyFindings(source, place, isShared)
        : [];
  return { findings: [...form, ...own], records, raw };
}

function tooLarge({ subject, file }: DocumentPlace): Found {
  const message = 'The file is too large to be checked while it is edited; it is checked once it is saved.';
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  return found(diagnostic('disk/tooLarge', subject, message, { severity: 'info', file, range }));
}

function namedKinds(kind: YamlKind): ReadonlySet<unknown> {
  return new Set(recordShapes[kind].flatMap(({ names = {} }) => Object.values(names)));
}

async function latestClaims(disk: ReadingDisk, place: DocumentPlace): Promise<readonly DocumentRecord[]> {
  const file = join(dirname(place.file), planFiles.latestSession);
  const text = (await readTextIfExists(disk, file, { bytesMax: documentLengthMax })) ?? '';
  const { records } = documentRecords('latestSession', parseSource(text, { file, subject: place.subject }));
  return records.filter(({ kind }) => kind === 'claim');
}

function editsOf(
  change: QuickFix['change'],
  part: YamlPart | undefined,
  place: DocumentPlace,
): Repair['edits'] | undefined {
  if (part === undefined) return undefined;
  return 'text' in change ? shifted(change.text, part.lines) : editsOfYaml(part, change.yaml, place);
}

function meets(one: Range | undefined, other: Range): boolean {
  return one !== undefined && one.start.line <= other.end.line && other.start.line <= one.end.line;
}

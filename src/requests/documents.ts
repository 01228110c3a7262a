import { defined } from '../base/defined.ts';
import { inlined } from '../base/fence.ts';
import { readTextIfExists } from '../base/files.ts';
import type { meaningAt } from '../documents/completions.ts';
import { type DocumentPlace, documentFolders, placeOfDocument } from '../documents/documentPlace.ts';
import type { DocumentWorld } from '../documents/inspectDocument.ts';
import { documentLengthMax, type InspectedDocument } from '../model/document.ts';
import type { RequestResults } from '../model/protocol.ts';
import type { documentRequests } from '../model/requests/documents.ts';
import type { HandlersOf, RequestContext } from './handlers.ts';

/** A user does not look through more; typing on finds the others. */
const completionsMax = 500;
/** Links that a person sees of an entry at once. */
const backlinksMax = 20;

// Only an editor that shows a file of a plan needs these, so opening a vault does not load them.
const loadInspect = () => import('../documents/inspectDocument.ts');
const loadCompletions = () => import('../documents/completions.ts');

export const documentHandlers: HandlersOf<typeof documentRequests> = {
  async documents({ services, directory }) {
    const { plans } = await directory.all();
    return { folders: documentFolders(services.layout, plans) };
  },

  async inspect_document(context, params) {
    const open = await openDocument(context, params);
    if (open === undefined) return {};
    const { inspectDocument } = await loadInspect();
    return { document: await inspectDocument(open.world, open.place, open.text) };
  },

  async repairs(context, { range, ...params }) {
    const open = await openDocument(context, params);
    if (open === undefined) return { repairs: [] };
    const { repairsOf } = await loadInspect();
    return { repairs: await repairsOf(open.world, open.place, { text: open.text, range }) };
  },

  async complete_at(context, { position, ...params }) {
    const open = await openDocument(context, params);
    if (open === undefined || open.text.length > documentLengthMax) return { completions: [], isCut: false };
    const [{ namesOf }, { completionsAt }] = await Promise.all([loadInspect(), loadCompletions()]);
    const names = await namesOf(open.world, open.place);
    const entries = open.place.kind === 'entry' ? await open.world.entries() : undefined;
    const descriptions = await descriptionsOf(context);
    const found = completionsAt(open.text, position, {
      place: open.place,
      names,
      descriptions,
      ...defined({ entries }),
    });
    return { completions: found.slice(0, completionsMax), isCut: found.length > completionsMax };
  },

  async describe_at(context, { position, ...params }) {
    const open = await openDocument(context, params);
    if (open === undefined || open.text.length > documentLengthMax) return {};
    const [{ inspectDocument }, completions] = await Promise.all([loadInspect(), loadCompletions()]);
    const { references, backlinks = [] } = await inspectDocument(open.world, open.place, open.text);
    const reference = references.find(
      ({ range: { start, end } }) =>
        start.line === position.line && start.character <= position.character && position.character <= end.character,
    );
    if (reference === undefined)
      return withBacklinks(completions.meaningAt(open.text, position, open.place), open, backlinks);
    const title = reference.title ?? (await descriptionsOf(context)).get(reference.id);
    return { range: reference.range, reference: { ...reference, ...defined({ title }) } };
  },
};

/** Beside the title of an entry stands who links to it. */
function withBacklinks(
  found: ReturnType<typeof meaningAt>,
  { text }: OpenDocument,
  backlinks: NonNullable<InspectedDocument['backlinks']>,
): RequestResults['describe_at'] {
  if (found === undefined) return {};
  const { line } = found.range.start;
  if (backlinks.length === 0 || !text.split('\n')[line]?.startsWith('title:')) return found;
  const shown = backlinks.slice(0, backlinksMax).map(({ title, key }) => `- ${inlined(title)} (${key})`);
  const left = backlinks.length - shown.length;
  const more = left > 0 ? [`- and ${left} more`] : [];
  return { ...found, meaning: [`${found.meaning}`, '', 'Linked from:', '', ...shown, ...more].join('\n') };
}

interface OpenDocument {
  readonly world: DocumentWorld;
  readonly place: DocumentPlace;
  readonly text: string;
}

/** Undefined if the file does not belong to the vault or does not exist yet. */
async function openDocument(
  { services: { disk, layout }, directory, knowledge }: Pick<RequestContext, 'services' | 'directory' | 'knowledge'>,
  { file, text }: { readonly file: string; readonly text?: string | undefined },
): Promise<OpenDocument | undefined> {
  const { plans } = await directory.all();
  const place = placeOfDocument(layout, plans, file);
  if (place === undefined) return undefined;
  const shown = text ?? (await readTextIfExists(disk, place.file));
  const entries = async () => (await (await knowledge.base()).survey()).index;
  return shown === undefined ? undefined : { world: { disk, layout, plans, entries }, place, text: shown };
}

async function descriptionsOf({ scanner }: Pick<RequestContext, 'scanner'>): Promise<ReadonlyMap<string, string>> {
  const { seen } = await scanner.outlines();
  return new Map(seen.map(({ plan, value }) => [plan.id, value.description]));
}

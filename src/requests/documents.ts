import { defined } from '../base/defined.ts';
import { readTextIfExists } from '../base/files.ts';
import { type DocumentPlace, documentFolders, placeOfDocument } from '../documents/documentPlace.ts';
import type { DocumentWorld } from '../documents/inspectDocument.ts';
import { documentLengthMax } from '../model/document.ts';
import type { documentRequests } from '../model/requests/documents.ts';
import type { HandlersOf, RequestContext } from './handlers.ts';

/** A user does not look through more; typing on finds the others. */
const completionsMax = 500;

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
    const descriptions = await descriptionsOf(context);
    const found = completionsAt(open.text, position, { place: open.place, names, descriptions });
    return { completions: found.slice(0, completionsMax), isCut: found.length > completionsMax };
  },

  async describe_at(context, { position, ...params }) {
    const open = await openDocument(context, params);
    if (open === undefined || open.text.length > documentLengthMax) return {};
    const [{ inspectDocument }, { meaningAt }] = await Promise.all([loadInspect(), loadCompletions()]);
    const { references } = await inspectDocument(open.world, open.place, open.text);
    const reference = references.find(
      ({ range: { start, end } }) =>
        start.line === position.line && start.character <= position.character && position.character <= end.character,
    );
    if (reference === undefined) return meaningAt(open.text, position, open.place) ?? {};
    const title = reference.title ?? (await descriptionsOf(context)).get(reference.id);
    return { range: reference.range, reference: { ...reference, ...defined({ title }) } };
  },
};

interface OpenDocument {
  readonly world: DocumentWorld;
  readonly place: DocumentPlace;
  readonly text: string;
}

/** Undefined if the file does not belong to the vault or does not exist yet. */
async function openDocument(
  { services: { disk, layout }, directory }: Pick<RequestContext, 'services' | 'directory'>,
  { file, text }: { readonly file: string; readonly text?: string | undefined },
): Promise<OpenDocument | undefined> {
  const { plans } = await directory.all();
  const place = placeOfDocument(layout, plans, file);
  if (place === undefined) return undefined;
  const shown = text ?? (await readTextIfExists(disk, place.file));
  return shown === undefined ? undefined : { world: { disk, layout, plans }, place, text: shown };
}

async function descriptionsOf({ scanner }: Pick<RequestContext, 'scanner'>): Promise<ReadonlyMap<string, string>> {
  const { seen } = await scanner.outlines();
  return new Map(seen.map(({ plan, value }) => [plan.id, value.description]));
}

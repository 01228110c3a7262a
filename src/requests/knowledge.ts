import type { Diagnostic } from '../base/errors.ts';
import { gapFolder } from '../experts/gaps.ts';
import type { Written } from '../knowledge/entries/entryWriter.ts';
import type { UseSums } from '../knowledge/uses/entryUse.ts';
import { usedNamesOf } from '../knowledge/uses/usedNames.ts';
import { loadUses } from '../knowledge/uses/useJournal.ts';
import { failure } from '../model/codes.ts';
import type { Json } from '../model/json.ts';
import type { EntryChangeResult, EntryPage, EntryUses, knowledgeRequests } from '../model/requests/knowledge.ts';
import { entryFaults } from '../vault/entryFaults.ts';
import { type EntryHead, entrySubject } from '../vault/entryFile.ts';
import { entryRowOf } from './entryRows.ts';
import { assertOwner, type HandlersOf } from './handlers.ts';

/** Characters of a body in one answer; larger ones are read from their file. */
const bodyLengthMax = 1_000_000;

// Only agents need it, so opening a vault does not load it.
const loadForAgents = () => import('./agentKnowledge.ts');

export const knowledgeHandlers: HandlersOf<typeof knowledgeRequests> = {
  async entries({ knowledge }, params, signal) {
    const { heads, ...counts } = await (await knowledge.base()).page(params, signal);
    return { entries: heads.map(entryRowOf), ...counts };
  },

  async entry({ knowledge, services: { disk, layout }, isOwner }, { entry: name }, signal) {
    const known = await (await knowledge.base()).survey(signal);
    const entry = await (await knowledge.base()).load(name, known);
    const head = known.heads.find(({ file }) => file === entry.file) ?? entry;
    const names = usedNamesOf(head);
    const uses = isOwner
      ? await knowledge.uses.of(names)
      : (await loadUses(disk, layout.uses, layout.usesAside)).fold.of(names);
    const { body } = entry;
    const { statementSections } = await import('../knowledge/entries/supersede.ts');
    return {
      row: entryRowOf(entry),
      fields: JSON.parse(JSON.stringify(entry.fields)) as Record<string, Json>,
      body: body.slice(0, bodyLengthMax),
      isCut: body.length > bodyLengthMax,
      statements: statementSections(entry).map(({ heading }) => heading),
      links: entry.links.map(({ key, target }) => ({
        key,
        target,
        leadsTo: known.index.find(target, entry).map(nameOf),
      })),
      backlinks: known.index.backlinks(head).map(({ key, from }) => ({ key, ...nameOf(from) })),
      ...(uses !== undefined && { uses: usesOf(uses) }),
    } satisfies EntryPage;
  },

  async search_knowledge(context, params, signal) {
    return (await loadForAgents()).findForAgent(context, params, signal);
  },

  async knowledge_gaps({ knowledge, services }, _params, signal) {
    const { heads } = await (await knowledge.base()).survey(signal);
    const { records: questions, diagnostics } = await gapFolder(services).loadAll();
    const { findGaps } = await import('../knowledge/entries/gaps.ts');
    return { gaps: findGaps(heads, questions), diagnostics };
  },

  async explore_knowledge(context, params, signal) {
    const { exploreKnowledge } = await import('./exploreKnowledge.ts');
    return exploreKnowledge(context, params, signal);
  },

  async read_horizon(context, params, signal) {
    return (await loadForAgents()).readHorizonOf(context, params, signal);
  },

  async knowledge_links({ knowledge }, _params, signal) {
    const { heads, index, diagnostics } = await (await knowledge.base()).survey(signal);
    const between = entryFaults(index).map((fault) => fault.diagnostic);
    return { diagnostics: between, entries: heads.length, unreadable: countUnreadable(diagnostics) };
  },

  async add_entry(context, { project = '', ...params }) {
    assertOwner(context);
    const source = params.source ?? context.services.person;
    return resultOf(await (await context.knowledge.base()).add({ ...params, project, source }));
  },

  async remember(context, params, signal) {
    return (await loadForAgents()).remember(context, params, signal);
  },

  async validate_entry(context, { entry, project, context: seen }) {
    assertOwner(context);
    return resultOf(await (await context.knowledge.base()).validate(entry, { project, context: seen }));
  },

  async supersede_entry(context, { entry, by, section, text, confidence, reason }) {
    assertOwner(context);
    const base = await context.knowledge.base();
    if (by !== undefined && text === undefined) return resultOf(await base.supersede(entry, by, reason));
    if (text !== undefined && by === undefined) {
      return resultOf(await base.supersedeStatement(entry, { section, text, confidence, reason }));
    }
    const help = 'Give `by` with the entry that takes its place, or `text` with the new statement.';
    throw failure('server/badParams', 'supersede_entry', 'Exactly one of `by` and `text` is needed.', { help });
  },

  async contradict_entry(context, { entry, other, reason }) {
    assertOwner(context);
    return resultOf(await (await context.knowledge.base()).contradict(entry, other, reason));
  },

  async rename_entry(context, { entry, title }) {
    assertOwner(context);
    return resultOf(await (await context.knowledge.base()).rename(entry, title));
  },

  async merge_entries(context, { entry, into }) {
    assertOwner(context);
    return resultOf(await (await context.knowledge.base()).merge(entry, into));
  },

  async archive_entry(context, { entry, reason }) {
    assertOwner(context);
    return resultOf(await (await context.knowledge.base()).archive(entry, reason));
  },

  async restore_entry(context, { entry }) {
    assertOwner(context);
    return resultOf(await (await context.knowledge.base()).restore(entry));
  },

  async delete_entry(context, { entry, reason }) {
    assertOwner(context);
    const { base, ask } = context.knowledge;
    const deletion = await (await base()).proposeDeletion(entry, reason);
    return { approval: await ask(deletion), entry: entrySubject(deletion) };
  },

  async record_use(context, { entry: named, kind }) {
    const { base, uses, newUse } = context.knowledge;
    const known = await (await base()).survey();
    const { findEntry } = await import('../knowledge/entries/findEntry.ts');
    const found = [named].flat().map((name) => findEntry(known, name, known.index));
    const keys = found.map((entry) => usedNamesOf(entry)[0]);
    const use = { ...newUse(), kind, entries: keys };
    // The journal has one writer, its owner; without one, the use waits for the next.
    await (context.isOwner ? uses.record(use) : uses.noteAside(use));
    return { entries: found.map(entrySubject) };
  },
};

/** Files that an error is about; one file can have several. */
function countUnreadable(diagnostics: readonly Diagnostic[]): number {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return new Set(errors.map(({ file, subject }) => file ?? subject)).size;
}

function nameOf(head: EntryHead): { readonly entry: string; readonly title: string } {
  return { entry: entrySubject(head), title: head.fields.title };
}

function usesOf({ shown, cited, opened, confirmed, weight, sessions, projects, last }: UseSums): EntryUses {
  return { shown, cited, opened, confirmed, weight, sessions: sessions.length, projects: projects.length, last };
}

function resultOf({ title, places, diagnostics }: Written): EntryChangeResult {
  return { did: title, entries: places.map(entrySubject), diagnostics };
}

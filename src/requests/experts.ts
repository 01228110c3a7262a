import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { checkExpertScopes } from '../experts/expertScope.ts';
import type { expertRequests } from '../model/requests/experts.ts';
import { commitInVault } from '../plans/commits/commitInVault.ts';
import { emitFor } from '../plans/services.ts';
import { loadExperts } from '../vault/expertStore.ts';
import { assertOwner, type HandlersOf, type RequestContext } from './handlers.ts';

// Only a person who adds experts needs it, so opening a vault does not load it.
const loadShipped = () => import('../experts/shippedExperts.ts');

export const expertHandlers: HandlersOf<typeof expertRequests> = {
  async experts({ services: { disk, layout }, registry }) {
    const { experts, diagnostics } = await registry.current();
    const rows = experts.map(({ actor, file, expert }) => ({ actor, file, declaration: expert }));
    return { experts: rows, diagnostics: [...diagnostics, ...(await checkExpertScopes({ disk, layout }, experts))] };
  },

  async expert(context, { expert }, signal) {
    // Only the page of an expert needs it.
    const { expertPage } = await import('./expertPage.ts');
    return expertPage(context, expert, signal);
  },

  async shipped_experts({ shipped, services: { disk, layout } }) {
    const { experts } = await loadExperts(disk, layout);
    const own = new Set<string>(experts.map(({ expert }) => expert['expert-id']));
    const { readShippedExperts } = await loadShipped();
    const rows = (await readShippedExperts(disk, shipped)).map(({ id, description, notes }) => {
      return { expert: id, description, entries: notes.length, isAdded: own.has(id) };
    });
    return { experts: rows };
  },

  async add_experts(context, { experts: wanted }) {
    assertOwner(context);
    const { services, knowledge } = context;
    const { disk, layout } = services;
    const { addShippedExperts, readShippedExperts } = await loadShipped();
    const shipped = await readShippedExperts(disk, context.shipped);
    const { index } = await (await knowledge.base()).survey();
    const added = await addShippedExperts({ disk, layout, shipped, wanted, index });
    if (added.files.length === 0) return { ...added, diagnostics: [] };
    const { experts, files } = added;
    const what = experts.length === 0 ? 'what shipped experts know' : `the shipped experts ${experts.join(', ')}`;
    return { ...added, diagnostics: await concludeAdded(services, files, what) };
  },

  async create_expert(context, params) {
    assertOwner(context);
    const { services } = context;
    const { declareExpert } = await import('../experts/declareExpert.ts');
    const { declared, diagnostics } = await declareExpert(services.disk, services.layout, params);
    const { actor, file } = declared;
    const files = [`experts/${declared.expert['expert-id']}.md`];
    return { actor, file, diagnostics: [...diagnostics, ...(await concludeAdded(services, files, actor))] };
  },
};

/** Commits and tells what was added. Gives warnings: the files stay also if they cannot be committed. */
async function concludeAdded(
  services: RequestContext['services'],
  files: readonly string[],
  what: string,
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  try {
    await commitInVault(services, files, `Add ${what}`);
  } catch (error) {
    if (!isRavelError(error)) throw error;
    diagnostics.push({ ...error.diagnostic, severity: 'warning' });
  }
  emitFor(services, 'vault', { type: 'vault.changed', files });
  return diagnostics;
}

import { basename } from 'node:path';
import { defined } from '../base/defined.ts';
import type { archiveRequests, ProjectRow, Removed, Renamed } from '../model/requests/archives.ts';
import { commitInVault } from '../plans/commits/commitInVault.ts';
import { listArchives } from '../vault/archive.ts';
import { loadProjects } from '../vault/projects.ts';
import { assertOwner, type HandlersOf, type RequestContext } from './handlers.ts';

export const archiveHandlers: HandlersOf<typeof archiveRequests> = {
  rename: (context, { plan, to }) => moving(context, () => context.relocations.rename(plan, to)),

  remove: (context, { plan, withChildren = false }) =>
    moving(context, () => context.relocations.remove(plan, { withChildren })),

  restore: (context, { archive, as }) =>
    moving(context, async () => {
      const restored = await context.relocations.restore(archive, as);
      if (archive.startsWith('projects/'))
        await commitRegistry(context, `Restore the project ${restored.plan.split('/')[0]}`);
      return restored;
    }),

  rename_project: (context, { project, to }) =>
    moving<Renamed>(context, async () => {
      const renamed = await context.relocations.renameProject(project, to);
      await commitRegistry(context, `Rename the project ${project} to ${to}`);
      return renamed;
    }),

  remove_project: (context, { project }) =>
    moving<Removed>(context, async () => {
      const removed = await context.relocations.removeProject(project);
      await commitRegistry(context, `Remove the project ${project}`);
      return removed;
    }),

  async projects({ services, directory }) {
    const { projects, diagnostics } = await loadProjects(services.disk, services.layout);
    const { plans } = await directory.rescan();
    const linked = plans.map(({ project, projectDirectory }): Omit<ProjectRow, 'plans'> => {
      return { name: project, path: projectDirectory };
    });
    const names = new Set([...projects, ...linked].map(({ name }) => name));
    const rows = [...names].sort().map((name): ProjectRow => {
      const entry = projects.find((one) => one.name === name);
      const own = plans.filter(({ project }) => project === name);
      const path = own[0]?.projectDirectory ?? entry?.path;
      return {
        name,
        ...defined({ remote: entry?.remote, path }),
        plans: own.length,
      };
    });
    return { projects: rows, diagnostics };
  },

  async archives({ services }) {
    const { archives, diagnostics } = await listArchives(services.disk, services.layout);
    const rows = archives.map(({ name, record }) => ({
      archive: name,
      kind: record.kind,
      of: record.kind === 'plan' ? record.plan : record.project,
      plans: record.plans,
      at: record.at,
    }));
    return { archives: rows, diagnostics };
  },
};

async function moving<T>(
  context: Pick<RequestContext, 'services' | 'catalog' | 'isOwner'>,
  move: () => Promise<T>,
): Promise<T> {
  assertOwner(context);
  const moved = await move();
  await context.catalog.refresh();
  return moved;
}

/** The one file about projects that the vault's repository tracks. */
async function commitRegistry({ services }: Pick<RequestContext, 'services'>, message: string): Promise<void> {
  await commitInVault(services, [basename(services.layout.projectsFile)], message);
}

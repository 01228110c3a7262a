import { isAbsolute, relative, sep } from 'node:path';
import { readRemote } from '../git/remote.ts';
import { commitOwnPaths } from '../git/vaultRepository.ts';
import { failure } from '../model/codes.ts';
import { protocolVersion } from '../model/protocol.ts';
import type { vaultRequests } from '../model/requests/vault.ts';
import { planRow } from '../plans/status.ts';
import { adoptProject } from '../vault/adoption.ts';
import { saveCatalog } from '../vault/catalog.ts';
import { verifyVault } from '../vault/verify.ts';
import type { HandlersOf, RequestContext } from './handlers.ts';

export const vaultHandlers: HandlersOf<typeof vaultRequests> = {
  async hello({ services, version }) {
    const { pid } = await services.processes.self();
    return { protocol: protocolVersion, version, vault: services.layout.root, pid };
  },

  verify({ services }) {
    return verifyVault(services.disk, services.layout);
  },

  async rescan(context) {
    return { plans: await rescan(context) };
  },

  async adopt(context, { project, description, name }) {
    const { services } = context;
    const { disk, layout, git } = services;
    if (isInside(project, layout.root)) {
      throw failure('project/inVault', project, `${project} belongs to the vault itself`);
    }
    const remote = await readRemote(git, project);
    const adopted = await adoptProject({
      ...{ disk, layout, project, description },
      ...(name !== undefined && { name }),
      ...(remote !== undefined && { remote }),
    });
    if (services.settings.vault.commit === 'auto') {
      await commitOwnPaths(git, layout.root, adopted.vaultPaths, `Adopt the project ${adopted.plan.split('/')[0]}`);
    }
    await rescan(context);
    return { plan: adopted.plan, directory: layout.plan(adopted.plan) };
  },

  async shutdown() {
    return {};
  },
};

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === '' || (!isAbsolute(way) && way.split(sep)[0] !== '..');
}

export async function rescan({ services, directory }: RequestContext): Promise<number> {
  const { plans } = await directory.rescan();
  const rows = [];
  for (const location of plans) {
    const { plan, description } = await planRow(services, location);
    rows.push({ plan, description });
  }
  await saveCatalog(services.disk, services.layout, rows);
  return plans.length;
}

import { formatTimestamp } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { readRemote } from '../git/remote.ts';
import { inspectProject } from '../inspect/inspectProject.ts';
import { failure } from '../model/codes.ts';
import { protocolVersion } from '../model/protocolVersion.ts';
import type { SettingView, vaultRequests } from '../model/requests/vault.ts';
import { type SettingPath, settingAt, settingPaths, settingRows } from '../model/settingRows.ts';
import { commitInVault } from '../plans/commits/commitInVault.ts';
import { effectiveSettings, type SettingOrigin } from '../plans/planSettings.ts';
import { emitFor, type PlanServices } from '../plans/services.ts';
import { adoptProject } from '../vault/adoption.ts';
import { homeOf } from '../vault/discovery.ts';
import { settingsDiagnostics, type WaitingSetting } from '../vault/liveSettings.ts';
import { resolveFolder } from '../vault/namedFolder.ts';
import { addObsidianFiles } from '../vault/obsidianTemplate.ts';
import { loadPlan } from '../vault/planStore.ts';
import { projectPlaceProblem } from '../vault/projectPlace.ts';
import { relinkProjects } from '../vault/relink.ts';
import type { Verification } from '../vault/verify.ts';
import { actorStatuses } from './actors.ts';
import { assertOwner, type HandlersOf, type RequestContext } from './handlers.ts';
import { policyFaults } from './policyFaults.ts';

export const vaultHandlers: HandlersOf<typeof vaultRequests> = {
  async secrets({ services }) {
    return { secrets: await services.inspectSecrets() };
  },

  async name_secret({ services: { disk, clock, environment } }, { name, kept }) {
    // Opening a vault does not load it.
    const { nameEditorSecret } = await import('../plans/keepSecret.ts');
    await nameEditorSecret({ disk, clock, environment }, name, kept);
    return {};
  },

  async give_secrets(context, { values }) {
    assertOwner(context);
    context.services.takeEditorSecrets(new Map(Object.entries(values)));
    return {};
  },

  async hello({ services, version }, { protocol }) {
    if (protocol !== protocolVersion) {
      const message = `You speak version ${protocol} of the protocol, the owner of the vault version ${protocolVersion}.`;
      throw failure('server/protocol', services.layout.root, message);
    }
    const { pid } = await services.processes.self();
    return { protocol: protocolVersion, version, vault: services.layout.root, pid };
  },

  verify: (context, _params, signal) => verify(context, signal),

  async rescan(context, { obsidian = false }, signal) {
    const { disk, layout } = context.services;
    const made = obsidian ? await addForObsidian(context.services) : [];
    const { linked, diagnostics } = await relinkProjects(disk, layout);
    await context.watch?.reconcile();
    const plans = await context.catalog.refresh();
    const found = await verify(context, signal);
    // What the registry alone tells is found by both.
    const known = new Set(diagnostics.map((problem) => JSON.stringify(problem)));
    const others = found.diagnostics.filter((problem) => !known.has(JSON.stringify(problem)));
    return { plans, linked, ...(obsidian && { made }), diagnostics: [...diagnostics, ...others] };
  },

  async adopt(context, { project, description, name }) {
    const { services } = context;
    const { disk, layout, git } = services;
    const path = await resolveFolder(disk, project);
    const problem = await projectPlaceProblem(disk, layout, { path, home: homeOf(services.environment) });
    if (problem !== undefined) throw problem;
    const remote = await readRemote(git, path);
    const adopted = await adoptProject({
      ...{ disk, layout, project: path },
      ...defined({ description, name, remote }),
    });
    await commitInVault(services, adopted.vaultPaths, `Adopt the project ${adopted.plan.split('/')[0]}`);
    await context.catalog.refresh();
    emitFor(services, adopted.plan, { type: 'plan.changed', change: 'created' });
    return { plan: adopted.plan, directory: layout.plan(adopted.plan) };
  },

  inspect_project: ({ services }, { project }) => inspectProject(services, project),

  async settings({ services, directory, liveSettings }, { plan }) {
    const { disk, layout, overrides = {} } = services;
    await services.refreshSettings?.();
    const own = plan === undefined ? undefined : (await loadPlan(disk, await directory.find(plan))).state;
    const { settings } = services;
    const { given, diagnostics } = liveSettings.loaded;
    const { waiting } = liveSettings;
    const waits = new Map(waiting.map((one) => [one.path, one]));
    const origins = new Map<SettingPath, SettingOrigin>();
    for (const path of settingPaths) {
      const isGiven = given.includes(path) && !waits.has(path);
      const isOver = overrides[path] !== undefined && settingAt(settings, path) === overrides[path];
      if (isOver) origins.set(path, 'editor');
      else if (isGiven) origins.set(path, 'daemon.toml');
    }
    const state = { waiting, problem: liveSettings.problem };
    return {
      settings: effectiveSettings(settings, origins, own).map((one) => ({
        ...one,
        ...settingRows[one.path],
        ...inFileOf(waits.get(one.path)),
      })),
      isOutdated: waiting.length > 0 || state.problem !== undefined,
      diagnostics: [...diagnostics, ...settingsDiagnostics(state, layout.settings)],
    };
  },

  async shutdown() {
    return {};
  },
};

/** What stands in the file of a setting that waits. */
function inFileOf(waiting: WaitingSetting | undefined): Pick<SettingView, 'waiting'> {
  if (waiting === undefined) return {};
  const { because, ...inFile } = waiting;
  return { waiting: { because, ...('value' in inFile && { value: inFile.value }) } };
}

/** Every file, and the actors that take in nothing. */
async function verify(context: RequestContext, signal: AbortSignal): Promise<Verification> {
  const found = await context.scanner.verify(reportProgress(context.services), signal);
  const faults = (await actorStatuses(context)).flatMap(({ actor, state }) =>
    state.kind === 'faulted' ? [{ ...state.fault, subject: actor }] : [],
  );
  const ofPolicies = await policyFaults(context, signal);
  return { ...found, diagnostics: [...found.diagnostics, ...ofPolicies, ...faults] };
}

async function addForObsidian(services: PlanServices): Promise<readonly string[]> {
  const made = await addObsidianFiles(services.disk, services.layout.root);
  if (made.length > 0) await commitInVault(services, made, 'Add the files for Obsidian');
  return made;
}

/** For those who wait long enough to wonder: the first time after half a second, then a few times a second, and at the end. */
export function reportProgress({
  clock,
  emit,
}: Pick<PlanServices, 'clock' | 'emit'>): (done: number, total: number) => void {
  let nextMs = clock.monotonicMs() + 500;
  let hasReported = false;
  return (done, total) => {
    const nowMs = clock.monotonicMs();
    const isEnd = hasReported && done === total;
    if (nowMs < nextMs && !isEnd) return;
    hasReported = true;
    nextMs = nowMs + 200;
    emit({ at: formatTimestamp(clock.wallMs()), actor: 'vault', type: 'vault.verifying', done, total });
  };
}

import { basename } from 'node:path';
import { CachedPromise } from '../base/cachedPromise.ts';
import type { Disk } from '../base/disk.ts';
import { ifThere, namesNothing } from '../base/diskErrors.ts';
import { exists } from '../base/files.ts';
import type { RavelEvent } from '../model/event.ts';
import type { QualifiedId } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import type { Recipient } from '../model/routing.ts';
import { projectOfRecipient } from '../model/senders.ts';
import type { Experts } from '../vault/expertStore.ts';
import type { VaultLayout } from '../vault/layout.ts';
import { presentName } from '../vault/planRenames.ts';
import { readLinks } from '../vault/projectLinks.ts';
import type { PlanLocation } from '../vault/walk.ts';
import type { Reachable } from './targets.ts';

export interface DirectoryPorts {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  /** Where the plans are; `isAfresh` walks the vault again. */
  readonly plans: (isAfresh: boolean) => Promise<readonly PlanLocation[]>;
  /** Those that can be asked. */
  readonly experts: () => Promise<Experts>;
  /** What each plan is for: a look into every plan's folder. */
  readonly descriptions: () => Promise<readonly { readonly plan: PlanLocation; readonly description: string }[]>;
}

/** Whom messages can be routed to, and where the files of their projects lie. */
export interface KnownRecipients {
  /** Plans by their ids, then experts by theirs. */
  readonly recipients: readonly Recipient[];
  readonly byId: ReadonlyMap<string, Recipient>;
  /** Real paths of the projects that have a plan, by name. */
  readonly projects: ReadonlyMap<string, string>;
}

/**
 * Whom messages can be routed to, as of the last look: names cost a walk over folders, what they are for a look into
 * every plan. Both are kept until something changes, so that with 10,000 plans a decision costs neither.
 */
export class RecipientDirectory {
  readonly #ports: DirectoryPorts;
  readonly #names = new CachedPromise<Reachable>();
  readonly #known = new CachedPromise<KnownRecipients>();

  constructor(ports: DirectoryPorts) {
    this.#ports = ports;
  }

  /** What an event of the vault makes out of date. */
  onEvent(event: RavelEvent): void {
    if (event.type === 'plan.changed') {
      if (event.change !== 'edited') this.#names.forget();
      if (event.change !== 'edited' || event.files === undefined || event.files.includes(planFiles.marker)) {
        this.#known.forget();
      }
    }
    if (event.type === 'vault.changed' && event.files.some(concernsRecipients)) this.forget();
  }

  forget(): void {
    this.#names.forget();
    this.#known.forget();
  }

  /** Only the names, for callers that look up a receiver by name. */
  names(): Promise<Reachable> {
    return this.#names.get(() => this.#read(false));
  }

  /** The same, read again: a change by another program may not have been noticed yet. */
  namesAfresh(): Promise<Reachable> {
    this.forget();
    return this.#names.get(() => this.#read(true));
  }

  /** All plans and experts with their descriptions. */
  known(): Promise<KnownRecipients> {
    return this.#known.get(() => this.#describe());
  }

  /** Whether the folder of a project is there at this moment. */
  async isProjectThere(project: string): Promise<boolean> {
    const { disk, layout } = this.#ports;
    const stat = await ifThere(layout.project(project), () => disk.stat(layout.project(project)), namesNothing);
    return stat?.kind === 'directory';
  }

  /** Whether this plan or expert is there at this moment. */
  async isThere(recipient: QualifiedId): Promise<boolean> {
    const { disk, layout } = this.#ports;
    if (projectOfRecipient(recipient) !== undefined)
      return exists(disk, `${layout.plan(recipient)}/${planFiles.marker}`);
    return (await this.names()).experts.has(recipient);
  }

  /** The same one as it is called now; undefined if it is gone. */
  async present(recipient: QualifiedId): Promise<QualifiedId | undefined> {
    const name = await presentName(this.#ports, recipient);
    return name !== undefined && (await this.isThere(name)) ? name : undefined;
  }

  async #read(isAfresh: boolean): Promise<Reachable> {
    const { disk, layout, plans, experts: declared } = this.#ports;
    const [locations, { experts, diagnostics }, links] = await Promise.all([
      plans(isAfresh),
      declared(),
      readLinks(disk, layout),
    ]);
    return {
      plans: new Set(locations.map(({ id }) => id)),
      experts: new Set(experts.map(({ actor }) => actor)),
      faultyExperts: faultsOf(diagnostics),
      projects: new Map(links.map(({ name, resolves }) => [name, resolves ? 'there' : 'gone'])),
    };
  }

  async #describe(): Promise<KnownRecipients> {
    const { descriptions, experts: declared } = this.#ports;
    const [plans, { experts }] = await Promise.all([descriptions(), declared()]);
    const recipients: Recipient[] = [
      ...plans.map(({ plan, description }) => ({ id: plan.id, description, tags: [] })),
      ...experts.map(({ actor, expert }) => ({ id: actor, description: expert.description, tags: expert.tags })),
    ];
    return {
      recipients,
      byId: new Map(recipients.map((recipient) => [recipient.id, recipient])),
      projects: new Map(plans.map(({ plan }) => [plan.project, plan.projectDirectory])),
    };
  }
}

/** The first fault of each declaration; one whose last valid version is in force is among the experts as well. */
function faultsOf(diagnostics: Experts['diagnostics']): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  for (const { severity, subject, file, message } of diagnostics) {
    if (severity !== 'error') continue;
    const actor = subject.startsWith('expert:') ? subject : `expert:${basename(file ?? subject, '.md')}`;
    if (!faults.has(actor)) faults.set(actor, message);
  }
  return faults;
}

function concernsRecipients(file: string): boolean {
  return file.startsWith('experts/') || file.startsWith('projects/') || /^projects\b.*\.yaml$/.test(file);
}

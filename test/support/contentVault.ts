import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { QualifiedId } from '../../src/model/id.ts';
import { planFiles } from '../../src/model/plan.ts';
import type { Recipient } from '../../src/model/routing.ts';
import { projectOfRecipient } from '../../src/model/senders.ts';
import { ContentIndex, type ContentPorts } from '../../src/routing/content/contentIndex.ts';
import type { KnownRecipients } from '../../src/routing/recipientDirectory.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { ManualClock } from './manualClock.ts';

/** What a plan's files hold; what is left out has no file. */
export interface PlanContent {
  readonly readme?: string;
  readonly tasks?: readonly TaskContent[];
  readonly memory?: readonly { readonly title: string; readonly body?: string }[];
}

export interface TaskContent {
  readonly title: string;
  readonly description?: string | undefined;
  readonly results?: string | undefined;
}

/** A folder with the files of plans, and the index of what they are about. */
export class ContentVault {
  readonly layout: VaultLayout;
  readonly content: ContentIndex;
  readonly known: KnownRecipients;

  constructor(root: string, recipients: readonly Recipient[], more: Partial<ContentPorts> = {}) {
    this.layout = new VaultLayout(join(root, 'vault'));
    const usual = { disk: nodeDisk, layout: this.layout, clock: new ManualClock(), isWatched: () => false };
    this.content = new ContentIndex({ ...usual, ...more });
    const projects = new Set(recipients.flatMap(({ id }) => projectOfRecipient(id) ?? []));
    this.known = {
      recipients,
      byId: new Map(recipients.map((recipient) => [recipient.id, recipient])),
      projects: new Map([...projects].map((project) => [project, join(root, 'work', project)])),
    };
  }

  /** Writes the files of a plan as they are to be from now on. */
  async write(plan: QualifiedId, { readme = '', tasks, memory }: PlanContent): Promise<void> {
    const folder = this.layout.plan(plan);
    await mkdir(folder, { recursive: true });
    const description = this.known.byId.get(plan)?.description ?? '';
    const marker = `---\nschema-version: 1\ndescription: ${JSON.stringify(description)}\n---\n\n${readme}\n`;
    await writeFile(join(folder, planFiles.marker), marker);
    if (tasks !== undefined) {
      const rows = tasks.map((task, at) => ({ id: `t${at}`, ...task, category: 'work', status: 'not_started' }));
      await writeFile(join(folder, planFiles.backlog), stringify({ 'schema-version': 1, tasks: rows }));
    }
    if (memory !== undefined) {
      const entries = memory.map((entry, at) => ({ id: `m${at}`, body: '', ...entry }));
      await writeFile(join(folder, planFiles.memory), stringify({ 'schema-version': 1, entries }));
    }
  }

  /** Reads what changed. */
  async refresh(): Promise<ContentIndex> {
    await this.content.refresh(this.known);
    return this.content;
  }
}

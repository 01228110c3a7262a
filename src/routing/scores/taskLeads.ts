import { nextTurn } from '../../base/async.ts';
import type { ContentIndex, LabelledTask } from '../content/contentIndex.ts';
import type { PreparedRecipients } from '../facts/preparedRecipients.ts';
import { leadOf } from '../lead.ts';
import { examplesMax, type TaskLead } from './calibration.ts';
import type { LeadsFile } from './leadsFile.ts';
import { scoreCandidates } from './scoring.ts';

export interface TaskLeadsPorts {
  readonly content: Pick<ContentIndex, 'digest' | 'labelledTasks' | 'score' | 'unchanged'>;
  /** Keeps them from one owner to the next; without it they are made again. */
  readonly file?: LeadsFile;
}

/**
 * What scores would say about tasks of the plans: each one comes as a message, and is left out of its plan meanwhile. The leads
 * are computed in slices when they are asked for, and kept until a text changes.
 */
export class TaskLeads {
  readonly #ports: TaskLeadsPorts;
  #digest: string | undefined;
  #leads = new Map<string, readonly TaskLead[]>();

  constructor(ports: TaskLeadsPorts) {
    this.#ports = ports;
  }

  /** Of messages to one project, or to none. */
  of(within: string | undefined, prepared: PreparedRecipients): Promise<readonly TaskLead[]> {
    const { content, file } = this.#ports;
    return content.unchanged(async () => {
      const { digest } = content;
      if (this.#digest !== digest) {
        this.#leads = new Map(await file?.load(digest));
        this.#digest = digest;
      }
      const scope = within ?? '';
      const known = this.#leads.get(scope);
      if (known !== undefined) return known;
      const leads = await this.#make(within, prepared);
      this.#leads.set(scope, leads);
      if (leads.length > 0) await file?.save(digest, this.#leads);
      return leads;
    });
  }

  async #make(within: string | undefined, prepared: PreparedRecipients): Promise<readonly TaskLead[]> {
    const tasks = this.#ports.content.labelledTasks(examplesMax, within);
    // With one plan alone there is nothing to choose, and no lead to learn from.
    if (new Set(tasks.map(({ plan }) => plan)).size < 2) return [];
    const leads: TaskLead[] = [];
    for (const each of tasks) {
      leads.push(this.#leadFor(each, within, prepared));
      await nextTurn();
    }
    return leads;
  }

  #leadFor({ id, plan, text }: LabelledTask, within: string | undefined, prepared: PreparedRecipients): TaskLead {
    const content = this.#ports.content.score(text, { within, leftOut: id, quoted: 0 });
    const candidates = scoreCandidates(
      { on: 'dispatch', from: 'person', facts: [], text, within },
      { prepared, content },
    );
    return { lead: leadOf(candidates), isRight: candidates[0]?.recipient === plan, plan };
  }
}

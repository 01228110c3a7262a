import { LitElement } from 'lit';
import type { Ulid } from '../../src/model/id.ts';
import type { PlanStatus } from '../../src/model/requests/plans.ts';
import type { HostConnection } from '../host.ts';

/** What the frame hands every tab: as properties, set before the tab is in the document and whenever they change. */
export interface TabProperties {
  readonly host: HostConnection;
  /** A new object at each change of the plan. */
  readonly status: PlanStatus;
  /** The session that is looked at: the one that runs, or a past one; undefined if the plan had none yet. */
  readonly session: Ulid | undefined;
  /** Why nothing may be changed here, as a sentence; undefined if it may. */
  readonly readOnly: string | undefined;
}

/** What every tab is: only the one that is shown is in the document, so `disconnectedCallback` drops its listeners. */
export abstract class TabElement extends LitElement implements TabProperties {
  static override properties = {
    host: { attribute: false },
    status: { attribute: false },
    session: { attribute: false },
    readOnly: { attribute: false },
  };

  declare host: HostConnection;
  declare status: PlanStatus;
  declare session: Ulid | undefined;
  declare readOnly: string | undefined;
}

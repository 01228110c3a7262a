import { formatTimestamp } from '../../base/clock.ts';
import type { VaultApprovalKind } from '../../model/approval.ts';
import { failure } from '../../model/codes.ts';
import type { Ulid } from '../../model/id.ts';
import type { ExpertPosition, Ingestion, IngestionCandidate, IngestionStep } from '../../model/ingestion.ts';
import type { QuestionPorts } from '../../questions/questionPorts.ts';
import { ingestionFolder } from './ingestions.ts';

/** Asks a person; with the same id only once. */
export type AskPerson = (question: {
  readonly kind: VaultApprovalKind;
  readonly subject: string;
  readonly details: unknown;
  readonly id: Ulid;
}) => Promise<Ulid>;

type StepPorts = Pick<QuestionPorts, 'disk' | 'layout' | 'clock' | 'newUlid' | 'emit'>;

/** The steps of what one cycle taught: each is in its record before it has an effect elsewhere. */
export class IngestionSteps {
  readonly #ports: StepPorts;
  readonly #askPerson: AskPerson;

  constructor(ports: StepPorts, askPerson: AskPerson) {
    this.#ports = ports;
    this.#askPerson = askPerson;
  }

  /** Asks once, also across a crash: the id of the question is in the record before it is asked. */
  async ask(
    record: Ingestion,
    at: number,
    question: { readonly kind: VaultApprovalKind; readonly subject: string; readonly details: unknown },
    about = '',
  ): Promise<Ingestion> {
    const asked = record.candidates[at]?.asked ?? {};
    const key = `${question.kind} ${about}`.trim();
    const id = asked[key] ?? this.#ports.newUlid();
    const now = asked[key] === undefined ? await this.set(record, at, { asked: { ...asked, [key]: id } }) : record;
    await this.#askPerson({ ...question, id });
    return now;
  }

  /** Leaves it to a person, who is asked once. */
  async wait(
    record: Ingestion,
    at: number,
    changes: Partial<IngestionCandidate>,
    subject: string,
    about = '',
  ): Promise<Ingestion> {
    const now = await this.set(record, at, changes);
    const candidate = now.candidates[at];
    const details = { ingestion: record.id, at, plan: record.plan, ...candidate };
    const question = { kind: 'learned-statement', subject: `${subject}: ${candidate?.title}`, details } as const;
    const asked = await this.ask(now, at, question, about);
    return this.settle(asked, at, { state: 'waiting', outcome: 'A person is asked.' });
  }

  /** What one expert said. */
  async position(record: Ingestion, at: number, position: ExpertPosition): Promise<Ingestion> {
    const positions = [...(record.candidates[at]?.positions ?? []), position];
    const now = await this.set(record, at, { positions, asking: undefined });
    this.tell(now, at, 'judged', `${position.expert}: ${position.verdict}. ${position.reason}`);
    return now;
  }

  /** Tells that a candidate got on. */
  tell(record: Ingestion, at: number, step: IngestionStep, text: string): void {
    const { title = '' } = record.candidates[at] ?? {};
    const about = { at: this.now(), actor: record.plan, ingestion: record.id, title };
    this.#ports.emit({ ...about, type: 'knowledge.step', step, text });
  }

  /** A state that a person may want to see. */
  async settle(record: Ingestion, at: number, changes: Partial<IngestionCandidate>): Promise<Ingestion> {
    const now = await this.set(record, at, { ...changes, asking: undefined });
    const { title = '', state = 'new', outcome = '' } = now.candidates[at] ?? {};
    const { emit } = this.#ports;
    emit({
      at: this.now(),
      actor: record.plan,
      type: 'knowledge.candidate',
      ingestion: record.id,
      title,
      state,
      outcome,
    });
    return now;
  }

  /** The record with this of one candidate; durable once it resolves. */
  set(record: Ingestion, at: number, changes: Partial<IngestionCandidate>): Promise<Ingestion> {
    const candidates = record.candidates.map((one, place) => (place === at ? { ...one, ...changes } : one));
    return this.save({ ...record, candidates });
  }

  async save(record: Ingestion): Promise<Ingestion> {
    await ingestionFolder(this.#ports).save(record.id, record);
    return record;
  }

  /** Throws `knowledge/unknownIngestion`. */
  async load(id: Ulid): Promise<Ingestion> {
    const record = await ingestionFolder(this.#ports).load(id);
    if (record !== undefined) return record;
    throw failure('knowledge/unknownIngestion', id, `There is no record ${id} of what a plan learned.`);
  }

  now(): string {
    return formatTimestamp(this.#ports.clock.wallMs());
  }
}

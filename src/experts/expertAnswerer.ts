import { join } from 'node:path';
import { formatTimestamp } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { ifThere, isAbsent } from '../base/diskErrors.ts';
import { isRavelError, type RavelError } from '../base/errors.ts';
import type { VaultSearch } from '../knowledge/search/vaultSearch.ts';
import { usedName } from '../knowledge/uses/usedNames.ts';
import type { UseJournal } from '../knowledge/uses/useJournal.ts';
import { failure } from '../model/codes.ts';
import { isQualifiedId, projectOf, type QualifiedId } from '../model/id.ts';
import { person } from '../model/person.ts';
import { type AnswerReceipt, type Asker, receiptSchema } from '../model/receipt.ts';
import type { Settings } from '../model/settings.ts';
import type { Answerer, AnsweringSession, AnswerTurn, Prepared } from '../questions/answerTurn.ts';
import type { QuestionPorts } from '../questions/questionPorts.ts';
import { dialogueOf, type QueryAnswer, type Question } from '../questions/questions.ts';
import type { DeclaredExpert } from '../vault/expertStore.ts';
import { expertPrompt, expertPrompts } from './expertPrompt.ts';
import type { ExpertRegistry } from './expertRegistry.ts';
import { situationNow } from './expertSituation.ts';
import { type ExpertVerdict, expertTools } from './expertTools.ts';
import { gapFolder } from './gaps.ts';
import type { PromptHashes } from './promptHashes.ts';
import { receiptKey } from './receiptKey.ts';
import type { Receipts } from './receipts.ts';

export interface ExpertAnswererParts {
  readonly ports: QuestionPorts & { readonly settings: Settings };
  readonly prompts: PromptHashes;
  readonly registry: Pick<ExpertRegistry, 'find' | 'lastOf'>;
  readonly receipts: Receipts;
  readonly search: Pick<VaultSearch, 'search'>;
  readonly uses: Pick<UseJournal, 'record'>;
}

/**
 * Questions to experts: each is asked over the entries of the expert's scope that fit it best, or answered from the
 * receipt of the very same situation.
 */
export function createExpertAnswerer(parts: ExpertAnswererParts): Answerer {
  return {
    atOnce: 4,
    prepare: (expert, question, turn, signal) => prepare(parts, expert, question, turn, signal),
    conclude: (expert, { message }, answer, concluded) =>
      conclude(parts, { ...message, to: expert }, answer, concluded),
    async patience(expert) {
      const declared = await parts.registry.find(expert);
      if (declared === undefined) throw removed(expert);
      return declared.expert.dialogue['idle-minutes'] * 60_000;
    },
  };
}

/** As it is declared now, or was before it went away in this run. Throws `expert/removed`. */
export async function declaredExpert(
  registry: Pick<ExpertRegistry, 'lastOf'>,
  actor: QualifiedId,
): Promise<DeclaredExpert> {
  const declared = await registry.lastOf(actor);
  if (declared !== undefined) return declared;
  throw removed(actor);
}

function removed(actor: QualifiedId): RavelError {
  return failure('expert/removed', actor, `${actor} is not declared any more.`);
}

async function prepare(
  parts: ExpertAnswererParts,
  actor: QualifiedId,
  question: Question,
  turn: AnswerTurn,
  signal: AbortSignal,
): Promise<Prepared> {
  const { ports, prompts, receipts, registry, search } = parts;
  const { message } = question;
  const { expert } = await declaredExpert(registry, actor);
  const dialogue = dialogueOf(question);
  const asked = { actor, expert, question: message.question, dialogue };
  const { entries, situation } = await situationNow({ ...ports, prompts, search }, asked, signal);
  if (entries.length === 0) return { kind: 'answer', answer: nothingFound };
  const key = receiptKey(situation);
  const earlier = await receipts.find(key);
  if (earlier !== undefined) {
    // Before the answer is given: its asker is told once it is stale, and proves nothing by repeating it.
    await receipts.change(earlier.id, (receipt) => reused(receipt, message));
    return { kind: 'answer', answer: answerOf(earlier) };
  }
  const questionsLeft = expert.dialogue['max-questions'] - dialogue.length;
  const draft = { ...situation, key, id: message.id, from: message.from, session: turn.session, promptBytes: 0 };
  const take = async (verdict: ExpertVerdict): Promise<void> => {
    if (verdict.kind === 'askedBack') return turn.askBack(verdict.text);
    const receipt: AnswerReceipt = { ...draft, at: formatTimestamp(ports.clock.wallMs()), ...receiptFields(verdict) };
    await turn.keep({ ...answerOf(receipt), details: { receipt } });
  };
  return {
    kind: 'ask',
    request: {
      ...{ session: turn.session, purpose: 'answer', actor },
      system: { file: expertPrompts.system, values: {} },
      prompt: expertPrompt(expert, { entries, dialogue, questionsLeft, question: message.question }),
      tools: expertTools({ entries, questionsLeft, take }),
      timeMs: ports.settings.limits['answer-minutes'] * 60_000,
      ...defined({ model: expert.model ?? undefined }),
    },
  };
}

function reused(receipt: AnswerReceipt, { id, from }: Asker): AnswerReceipt {
  if (from === person || from === receipt.from) return receipt;
  const others = (receipt.reusedBy ?? []).filter((one) => one.from !== from);
  return { ...receipt, reusedBy: [...others, { id, from }], isStaleTold: false };
}

/** Without an entry nothing could be cited, so no session is asked. */
const nothingFound: QueryAnswer = {
  state: 'refused',
  text: 'I do not know: no entry of my knowledge is about this.',
  citations: [],
  details: { gap: {} },
};

function receiptFields(
  verdict: Exclude<ExpertVerdict, { kind: 'askedBack' }>,
): Pick<AnswerReceipt, 'state' | 'answer' | 'citations' | 'isSupported' | 'confidence'> {
  if (verdict.kind === 'unknown')
    return { state: 'unknown', answer: verdict.missing, citations: [], isSupported: true };
  const { text: answer, passages: citations, isSupported, confidence } = verdict;
  return { state: 'answered', answer, citations, isSupported, confidence };
}

/** The answer that a receipt holds, as its asker gets it. */
function answerOf({ id, state, answer, citations, isSupported, confidence, promptBytes }: AnswerReceipt): QueryAnswer {
  const reused = promptBytes > 0 ? { reusedFrom: id } : {};
  if (state === 'unknown') return { state: 'refused', text: `I do not know: ${answer}`, citations: [], ...reused };
  const names = new Set(citations.map(({ title, path }) => `${title} (${path})`));
  const checked = { passages: [...citations], isSupported, ...defined({ confidence }) };
  return { state: 'answered', text: answer, citations: [...names], ...checked, ...reused };
}

/** A new receipt of an answer that a session gave; a gap if nothing was known. Repeated, it changes nothing. */
async function conclude(
  { ports, receipts, uses }: ExpertAnswererParts,
  message: Question['message'],
  { details }: QueryAnswer,
  { session, model: reported, usd }: AnsweringSession,
): Promise<void> {
  const { receipt: draft, gap } = detailsOf(details);
  if (draft !== undefined && session !== undefined) {
    const promptBytes = await bytesGiven(ports, draft);
    await receipts.save({ ...draft, promptBytes, ...defined({ reported, usd }) });
    await recordUses({ ports, uses }, draft);
  }
  const isUnknown = draft?.state === 'unknown' || gap;
  if (!isUnknown || (await gapFolder(ports).has(message.id))) return;
  const at = formatTimestamp(ports.clock.wallMs());
  const { id, to: expert, question } = message;
  const entries = draft?.entries.map((entry) => entry.id) ?? [];
  await gapFolder(ports).save(id, { id, at, expert, question, entries, ...defined({ missing: draft?.answer }) });
  ports.emit({ at, actor: expert, type: 'knowledge.gap', gap: id, question });
}

/** What the session was shown, and what its answer cites. An answer does not depend on it. */
async function recordUses(
  { ports, uses }: Pick<ExpertAnswererParts, 'ports' | 'uses'>,
  { id, session, from, entries, citations, isSupported }: AnswerReceipt,
): Promise<void> {
  const at = formatTimestamp(ports.clock.wallMs());
  const by = { at, session, ...defined({ project: isQualifiedId(from) ? projectOf(from) : undefined }) };
  const cited = isSupported ? [...new Set(citations.map(({ entry, path }) => usedName({ id: entry, path })))] : [];
  try {
    await uses.record({
      ...by,
      use: `${id}-shown`,
      kind: 'shown',
      entries: entries.map(usedName),
    });
    if (cited.length > 0) await uses.record({ ...by, use: `${id}-cited`, kind: 'cited', entries: cited });
  } catch (error) {
    if (!isRavelError(error)) throw error;
    ports.log.warn('the uses of entries could not be recorded', { query: id, error: error.message });
  }
}

function detailsOf(details: unknown): { readonly receipt?: AnswerReceipt; readonly gap: boolean } {
  if (typeof details !== 'object' || details === null) return { gap: false };
  const { data } = receiptSchema.safeParse('receipt' in details ? details.receipt : undefined);
  return { ...defined({ receipt: data }), gap: 'gap' in details };
}

/** Bytes of the prompts as the session was given them; at least one. */
async function bytesGiven({ disk, layout }: QuestionPorts, { session }: AnswerReceipt): Promise<number> {
  const folder = layout.session(session);
  let bytes = 0;
  for (const name of ['system.md', 'prompt.md']) {
    const file = join(folder, name);
    // The folder can have been removed to make room.
    bytes += (await ifThere(file, () => disk.stat(file), isAbsent))?.size ?? 0;
  }
  return Math.max(1, bytes);
}

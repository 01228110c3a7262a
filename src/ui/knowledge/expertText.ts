import { t } from '@vscode/l10n';
import { localTime } from '../../base/localTime.ts';
import { counted } from '../../base/text.ts';
import type { ExpertPage } from '../../model/requests/experts.ts';
import type { OpenQuestionRow } from '../../model/requests/messages.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import { receiptWords } from '../trees/expertRows.ts';
import { type LinkedPart, type Page, PageWriter } from './page.ts';
import { freshnessWords, quoted } from './receiptText.ts';

/** An expert as a page to read: what waits, what it answered and could not, what it covers, and who it is. */
export function expertDocument(expert: ExpertPage, declarationPath: string): Page {
  const { actor, declaration, questions, answers, gaps, scopes, entries, diagnostics } = expert;
  const page = new PageWriter();
  const name = sanitizeLabel(declaration['expert-id'], 120);
  page.line(t`# Expert ${name}`);
  page.lines(['', sanitizeLabel(declaration.description, 1000), '']);
  const ask = link(t('Ask a question'), t('Ask this expert'), 'ravel.askQuestion', actor);
  const declared = { text: t('Open its declaration'), tooltip: t('Open the file'), to: { file: declarationPath } };
  page.line(
    ask,
    ' · ',
    declared,
    ' · ',
    link(t('Show all answers'), t('Choose an answer'), 'ravel.showReceipts', actor),
  );

  if (diagnostics.length > 0) page.heading(t('Problems'));
  page.lines(diagnostics.map(({ message }) => `- ${sanitizeLabel(message, 400)}`));

  page.heading(t`Open questions: ${questions.length}`);
  for (const question of questions) openQuestion(page, question);
  if (questions.length === 0) page.line(t('Every question has its answer.'));

  page.heading(newest(t('Latest answers'), answers));
  for (const { comparison, ...row } of answers.shown) {
    const now = comparison === undefined ? [] : [freshnessWords(comparison)];
    const words = [receiptWords(row), sanitizeLabel(localTime(row.at), 40), ...now].join(', ');
    page.line('- ', link(questionLabel(row.question), t('Open the answer'), 'ravel.openReceipt', row.id), `: ${words}`);
  }
  if (answers.total === 0) page.line(t('It has not answered yet.'));

  page.heading(newest(t('What it could not answer'), gaps));
  for (const { id, question, missing } of gaps.shown) {
    const asked = link(questionLabel(question), t('Show the question'), 'ravel.openAnswer', id);
    page.line('- ', asked, missing === undefined ? t(': no entry was about it') : `: ${sanitizeLabel(missing, 400)}`);
  }
  if (gaps.total === 0) page.line(t('Nothing so far.'));

  page.heading(t`What it covers: ${counted(entries.total, t('{0} entry'), t('{0} entries'))}`);
  page.lines(
    scopes.map(
      ({ scope, entries: count }) => `- ${sanitizeLabel(scope)}: ${counted(count, t('{0} entry'), t('{0} entries'))}`,
    ),
  );
  if (entries.shown.length > 0) page.line();
  for (const { title, path, kind, status } of entries.shown) {
    const words = [kind ?? t('plain note'), status === 'staged' ? 'staged' : ''].filter((word) => word !== '');
    const entry = { text: sanitizeLabel(title), tooltip: t('Open the entry'), to: { file: path } };
    page.line('- ', entry, ` (${sanitizeLabel(words.join(', '), 80)})`);
  }
  const left = entries.total - entries.shown.length;
  if (left > 0) page.line(t`- and ${counted(left, t('{0} more entry'), t('{0} more entries'))}`);

  page.heading(t('Persona'));
  page.lines(quoted(declaration.persona.trim()));
  return page.page();
}

/** A question in a list, without the code that it brings along. */
function questionLabel(question: string): string {
  const code = question.indexOf('```');
  return sanitizeLabel(code > 0 ? `${question.slice(0, code).trimEnd()} …` : question);
}

function newest(
  title: string,
  { total, shown }: { readonly total: number; readonly shown: readonly unknown[] },
): string {
  return shown.length < total ? t`${title}: the newest ${shown.length} of ${total}` : `${title}: ${total}`;
}

function openQuestion(page: PageWriter, { query, from, at, question, askedBack }: OpenQuestionRow): void {
  const who = sanitizeLabel(from === 'person' ? 'a person' : from, 120);
  page.line(t`- ${questionLabel(question)} (asked by ${who}, ${sanitizeLabel(localTime(at), 40)})`);
  const place = link(t('Answer in its place'), t('Give the answer yourself'), 'ravel.answerForActor', query);
  if (askedBack === undefined) {
    page.line(t('  - A session is asked. '), place);
    return;
  }
  const reply = link(t('Reply'), t('Reply to what it asks back'), 'ravel.replyToQuestion', query);
  page.line(t`  - It asks back: “${sanitizeLabel(askedBack.text, 1000)}” `, reply, ' · ', place);
}

function link(text: string, tooltip: string, command: string, ...args: readonly unknown[]): LinkedPart {
  return { text, tooltip, to: { command, arguments: args } };
}

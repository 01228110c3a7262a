import type { Ulid } from '../../../src/model/id.ts';
import { stamp } from '../../webview/events.ts';
import { approval, plan } from './shownPage.ts';

/** A session asks a person something. */
export const input = {
  ...{
    approval,
    kind: 'needs-input',
    plan,
    subject: `work of ${plan}: Hello or hi?`,
    createdAt: stamp.at,
    options: [],
  },
  ...{ decisions: ['accept', 'reject'], contentHash: 'h1', asks: 'A session wants to know.', shown: 'Hello or hi?' },
  answers: [
    { decision: 'accept', text: 'the answer', does: 'Gives it to the next session.' },
    { decision: 'reject', does: 'Drops the proposal.' },
  ],
  ...{ details: {}, file: '/v/a.json' },
};
/** A message that no plan took. */
export const lost = {
  ...{ approval: '01M7X4TZFWPVQT6PFG4SYTM4BR' as Ulid, kind: 'unroutable-message', subject: '“Count twice”: where?' },
  ...{ createdAt: stamp.at, options: ['shop/project-root'], decisions: ['accept', 'reject'], contentHash: 'h2' },
  ...{ asks: 'No plan took this message.', shown: 'Count twice\n\nas on Monday', details: {}, file: '/v/b.json' },
  answers: [
    { decision: 'accept', option: 'shop/project-root', does: 'Sends it.' },
    { decision: 'accept', text: 'the plan or expert that receives it', does: 'Sends it to the one that you name.' },
    { decision: 'reject', does: 'Does not deliver it.' },
  ],
};
/** A person and a session changed the same. */
export const conflict = {
  ...input,
  ...{
    approval: '01M7X4TZFWPVQT6PFG4SYTM4BS' as Ulid,
    kind: 'merge-conflict',
    decisions: ['accept', 'edit', 'reject'],
  },
  answers: [
    { decision: 'accept', option: 'session', does: 'Takes the version of the session.' },
    { decision: 'edit', does: 'Opens both sides.' },
    { decision: 'reject', does: 'Drops the proposal.' },
  ],
};

/** Plans that a session proposes for a goal. */
export const plans = {
  ...{
    approval: '01M7X4TZFWPVQT6PFG4SYTM4BT' as Ulid,
    kind: 'new-plans',
    subject: 'Plans for “Search”',
    createdAt: stamp.at,
  },
  ...{ options: [], decisions: ['accept', 'edit', 'reject'], contentHash: 'h4', asks: 'Plans are proposed.' },
  ...{ shown: '# Search', file: '/v/d.json' },
  answers: [
    { decision: 'accept', does: 'Makes all of it.' },
    { decision: 'edit', does: 'Opens it in an editor.' },
    { decision: 'reject', does: 'Makes nothing.' },
  ],
  details: {
    ...{ under: 'shop/project-root', goal: 'Search the catalogue', notes: [] },
    proposal: {
      description: 'Search the catalogue',
      plans: [
        {
          slug: '.',
          tasks: [
            { title: 'Index it', category: 'feature', description: 'Write it to a file.' },
            { title: 'Query it', dependencies: ['Index it'] },
          ],
        },
        {
          slug: 'page',
          description: 'Shows what was found',
          tasks: [{ title: 'List it' }],
          memory: [{ title: 'CSS', body: 'Plain.' }],
        },
      ],
      suggestions: { expert: 'A librarian', rule: 'Words go to search.' },
    },
  },
};

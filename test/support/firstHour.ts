/**
 * A repository, a goal for it, and what sessions do in place of a model: what a person needs to try the first hour, from an
 * empty folder to a work phase that is finished. Each work session writes a page about its task.
 */
export const firstHourGoal = 'parseDuration understands durations of several parts, such as 1h30m';

export const firstHourProject: Readonly<Record<string, string>> = {
  'README.md': '# duration\n\nReads durations such as `2h`. Run the tests with `npm test`.\n',
  'package.json': `${JSON.stringify({ name: 'duration', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'src/duration.js':
    'const unitMs = { h: 3600000, m: 60000, s: 1000 };\n\nexport function parseDuration(text) {\n  const match = /^(\\d+)([hms])$/.exec(text);\n  if (match === null) throw new Error(`not a duration: ${text}`);\n  return Number(match[1]) * unitMs[match[2]];\n}\n',
  'test/duration.test.js':
    "import { equal } from 'node:assert/strict';\nimport test from 'node:test';\nimport { parseDuration } from '../src/duration.js';\n\ntest('one part', () => equal(parseDuration('2h'), 7200000));\n",
};

const proposal = {
  description: 'Read durations of several parts',
  plans: [
    {
      slug: '.',
      tasks: [
        {
          ...{ title: 'Parse durations of several parts', category: 'feature' },
          description: 'parseDuration in src/duration.js throws at 1h30m. It is to give the sum of the parts.',
          done_when: 'npm test passes with a case for 1h30m',
        },
        { title: 'Show one in the README', category: 'docs', done_when: 'README.md shows 1h30m' },
      ],
    },
  ],
  suggestions: { expert: 'An expert on notations of time' },
};

export const firstHourScenario = {
  version: 1,
  consultations: {
    plan: [
      {
        steps: [
          { call: 'read_file', with: { path: 'README.md' } },
          { call: 'search_files', with: { text: 'parseDuration' } },
          { call: 'propose_plan', with: proposal },
        ],
      },
    ],
  },
  phases: {
    work: [
      { call: 'backlog_set_status', with: { id: '${task}', status: 'in_progress' } },
      { edit: { path: 'docs/${task}.md', content: 'What was done, in a page.\n' } },
      { call: 'backlog_set_results', with: { id: '${task}', body: 'A page says what was done.' } },
      { call: 'backlog_set_status', with: { id: '${task}', status: 'done' } },
      { finish: { outcome: 'done', summary: 'A page says what was done.' } },
    ],
    'analyse-work': [
      { call: 'session_set_latest', with: { title: 'A page', body: 'A page was written.\n' } },
      { call: 'commits_set', with: { commits: [{ paths: ['docs'], message: 'Write a page about a task' }] } },
      { finish: { outcome: 'done', summary: 'One commit.' } },
    ],
    reflect: [{ finish: { outcome: 'done', summary: 'There is nothing to remember.' } }],
    dream: [{ finish: { outcome: 'done', summary: 'The memory stays as it is.' } }],
    triage: [{ finish: { outcome: 'done', summary: 'The backlog stays as it is.' } }],
  },
};

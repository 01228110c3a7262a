import { expect, test } from 'vitest';
import { type SurveyFacts, surveyProject } from '../../src/goals/survey.ts';

/** One that the mask knows by its form, which needs all of its characters. */
const token = `ghp_${'85RKTjrXp3l2pdI4YTHRu3kowQ2hZAPfWq6S'}`;

test.each(Array.from({ length: 8 }, (_, index) => 60 + index * 5))(
  'a secret that begins at character %d of a title is masked although the title is cut',
  async (at) => {
    const title = `${'w'.repeat(at - 1)} ${token}`;
    const facts: SurveyFacts = {
      ...{ project: 'shop', under: 'shop/project-root', experts: [`x: ${'y'.repeat(220 + at)} ${token}`] },
      commits: [title],
      plans: [{ plan: 'shop/project-root', description: 'x', tasks: [{ title, status: 'not_started' }] }],
    } as never;
    const files = { paths: [], isCut: false, readAll: async () => [] } as never;
    expect(await surveyProject(files, facts)).not.toContain(token.slice(0, 8));
  },
);

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textEvents, useShownPages } from './support/shownPage.ts';

const german = JSON.parse(readFileSync(new URL('../../l10n/bundle.l10n.de.json', import.meta.url), 'utf8'));
const show = useShownPages();

test('the page of a plan is in the language of the editor, also what a screen reader says', async () => {
  const { page, problems } = await show({ events: textEvents('Hello.'), texts: german });
  expect(await page.getAttribute('html', 'lang')).toBe('de');
  await page.getByRole('tablist', { name: 'Ansichten des Plans' }).waitFor();
  expect(await page.getByRole('tab').allInnerTexts()).toEqual([
    'Sitzung',
    'Vorgabe',
    'Änderungen',
    'Verlauf',
    'Backlog',
    'Gedächtnis',
    'Stände',
  ]);
  await page.getByRole('button', { name: 'Stoppen' }).waitFor();
  await page.getByRole('list', { name: 'Phasen' }).waitFor();
  // A text in a field, and the words of a person stay as they are.
  await page.getByLabel('Notiz an die Sitzung').waitFor();
  await page.getByText('Hello.').waitFor();
  await page.getByRole('tab', { name: 'Backlog' }).click();
  await page.getByText('Noch gibt es keine Aufgaben.').waitFor();
  expect(problems).toEqual([]);
  await page.close();
});

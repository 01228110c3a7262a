import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Which pictures of the last test run the papers show, by their names there. */
const shown = {
  'walkthrough.png': 'start-4-task-light.png',
  'live.png': 'start-6-live.png',
  'complete.png': 'start-7-complete-dark.png',
};
/** A page that shows them has to load quickly. */
const bytesMax = 150_000;

const from = new URL('../../../test-results/', import.meta.url);
const to = new URL('../../../docs/pictures/', import.meta.url);

mkdirSync(to, { recursive: true });
for (const [name, picture] of Object.entries(shown)) {
  const { size } = statSync(new URL(picture, from));
  if (size > bytesMax)
    throw new Error(`${picture} has ${size} bytes, more than the ${bytesMax} that a picture may have.`);
  copyFileSync(new URL(picture, from), new URL(name, to));
  console.log(fileURLToPath(new URL(name, to)));
}

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EditorPage } from './editorPage.ts';

/** In each folder that a dialog is led to: once it lists this one, it has read what was typed. */
const inside = 'inside';

/** A folder beside the one that the window shows, with these files. */
export async function folderBeside(
  { folder: shown }: { readonly folder: string },
  name: string,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = join(dirname(shown), name);
  await mkdir(join(folder, inside), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** Types a folder into the dialog that asks for one, which takes no Enter while it still reads what was typed. */
export async function chooseFolder(window: EditorPage, folder: string): Promise<void> {
  const dialog = window.question();
  const input = dialog.locator('input.input').first();
  // The dialog looks for where it begins, and then writes that over what was typed meanwhile.
  await dialog.locator('.monaco-list-row').first().waitFor();
  await input.fill(`${folder}/`);
  await dialog.getByRole('option', { name: inside }).waitFor();
  await input.press('Enter');
  await dialog.locator('.quick-input-action').first().waitFor({ state: 'hidden' });
}

import { config } from '@vscode/l10n';

const texts = document.querySelector('meta[name="texts"]')?.getAttribute('content');
if (typeof texts === 'string') config({ contents: texts });

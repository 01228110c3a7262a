import { stringify } from 'yaml';

/** The text of a declaration of an expert: a valid one, with these fields in the place of its own. */
export function declaration(fields: object = {}, id = 'rust'): string {
  const usual = {
    'actor-type': 'expert',
    'expert-id': id,
    description: 'Knows Rust',
    persona: 'You are precise.',
    'knowledge-scope': ['languages/rust'],
    tags: ['rust'],
  };
  return `---\n${stringify({ ...usual, ...fields })}---\nNotes.\n`;
}

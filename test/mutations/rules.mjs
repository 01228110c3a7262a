import { commandRules } from './commands.mjs';
import { durabilityRules } from './durability.mjs';
import { endingRules } from './endings.mjs';
import { fileRules } from './files.mjs';
import { otherRules } from './others.mjs';
import { policyRules } from './policies.mjs';
import { proposalRules } from './proposals.mjs';
import { protectionRules } from './protections.mjs';
import { sandboxRules } from './sandbox.mjs';
import { secretRules } from './secrets.mjs';
import { shellRules } from './shells.mjs';
import { tokenRules } from './tokens.mjs';
import { toolRules } from './tools.mjs';

/** @type {readonly import('./rules.mjs').Rule[]} */
export const rules = [
  ...durabilityRules,
  ...fileRules,
  ...proposalRules,
  ...policyRules,
  ...secretRules,
  ...toolRules,
  ...commandRules,
  ...sandboxRules,
  ...protectionRules,
  ...tokenRules,
  ...shellRules,
  ...endingRules,
  ...otherRules,
];

/** A source without the rule; or why it cannot be taken out, which is a fault of the rule. */
export function takeOut({ file, edits }, source) {
  let text = source;
  for (const [search, replacement] of edits) {
    const count = text.split(search).length - 1;
    if (count !== 1) return { problem: `${file} has the text to replace ${count} times: ${search.trim()}` };
    text = text.replace(search, () => replacement);
  }
  return text === source ? { problem: `${file} stays as it is` } : { text };
}

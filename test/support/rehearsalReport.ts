import type { QualifiedId } from '../../src/model/id.ts';
import type { RehearsalReport } from '../../src/model/rehearsal.ts';

const patch = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1 +1 @@
-one
+two
diff --git a/other/src/a.ts b/other/src/a.ts
new file mode 100644
--- /dev/null
+++ b/other/src/a.ts
@@ -0,0 +1 @@
+three
`;

/** A report with something under every heading. */
export const sampleReport: RehearsalReport = {
  plan: 'shop/project-root' as QualifiedId,
  project: '/code/shop',
  harness: 'claude-code',
  report: { phases: [], stop: 'waiting', reason: 'Which colour?' },
  tasks: [
    {
      id: 'a',
      title: 'Paint [it](command:x)',
      change: 'changed',
      fields: [{ name: 'status', before: 'new', after: 'done' }],
    },
    { id: 'b', title: 'Dry it', change: 'removed', fields: [] },
  ],
  memory: [{ id: 'm', title: 'Paint dries', change: 'added', fields: [] }],
  files: [
    { path: 'src/a.ts', status: 'changed', added: 1, removed: 1 },
    { path: 'other/src/a.ts', status: 'added', added: 1, removed: 0 },
    { path: 'logo.png', status: 'added' },
  ],
  patch,
  commits: [{ commit: '0'.repeat(40), message: 'Paint it\n\nIt was grey.', paths: ['src/a.ts'] }],
  withheld: [{ type: 'dispatch', to: 'bank', reason: 'It pays', body: 'Pay.' }],
  refusals: [{ phase: 'work', gate: 'tool', subject: 'Write', call: 'Write /etc/x', reason: 'It lies outside.' }],
  questions: [{ kind: 'needs-input', subject: 'Which colour?' }],
  problems: [
    { code: 'run/treeShared', severity: 'warning', message: 'Work of another plan is there.', subject: 'shop' },
  ],
  confinement: { state: 'unconfined', reason: 'bubblewrap is not installed.' },
  costUsd: 0.5,
  durationMs: 61_000,
  copy: { files: 1, bytes: 2048, durationMs: 1000, leftOut: ['out'] },
  outside: 'It keeps its records elsewhere.',
};

import { describe, expect, test } from 'vitest';
import { hasChange, parseUnifiedDiff } from '../../src/gates/unifiedDiff.ts';

const diff = parseUnifiedDiff(`diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@ function a() {
 first
-old
--- a/not/a/header.ts
+new
++++ b/nor/this.ts
@@ -9 +9 @@
-nine
+NINE
diff --git a/image.bin b/image.bin
Binary files a/image.bin and b/image.bin differ
diff --git a/old.ts b/new.ts
similarity index 100%
rename from old.ts
rename to new.ts
diff --git "a/b\\303\\244r \\"x\\".txt" "b/b\\303\\244r \\"x\\".txt"
--- "a/b\\303\\244r \\"x\\".txt"
+++ "b/b\\303\\244r \\"x\\".txt"
@@ -1 +1 @@
-a
+b
`);

test('its files, by old and new names', () => {
  expect([...diff.keys()]).toEqual(['src/a.ts', 'image.bin', 'old.ts', 'new.ts', 'bär "x".txt']);
});

describe('a change', () => {
  test.each<[string, string, string | undefined, boolean]>([
    ['anywhere in a file', 'src/a.ts', undefined, true],
    ['in a file named from here', './src/a.ts', undefined, true],
    ['in a binary file', 'image.bin', undefined, true],
    ['in another file', 'src/b.ts', undefined, false],
    ['in what only looks like a header', 'not/a/header.ts', undefined, false],
    ['by the header of its hunk', 'src/a.ts', '@@ -1,3 +1,3 @@', true],
    ['by another header', 'src/a.ts', '@@ -2,3 +2,3 @@', false],
    ['by a line', 'src/a.ts', '+new', true],
    ['by a line without its mark', 'src/a.ts', 'new', true],
    ['by lines that stand together', 'src/a.ts', '  first\n\n-old', true],
    ['by lines that do not', 'src/a.ts', 'first\n+NINE', false],
    ['by a line that is not there', 'src/a.ts', '+newer', false],
  ])('%s', (_name, path, hunk, expected) => expect(hasChange(diff, path, hunk)).toBe(expected));
});

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

test('parseUnifiedDiff lists each file by its new name', () => {
  expect([...diff.keys()]).toEqual(['src/a.ts', 'image.bin', 'old.ts', 'new.ts', 'bär "x".txt']);
});

describe('hasChange', () => {
  test.each<[string, string, string | undefined, boolean]>([
    ['finds a change anywhere in a file', 'src/a.ts', undefined, true],
    ['finds a change in a path with "./"', './src/a.ts', undefined, true],
    ['finds a change in a binary file', 'image.bin', undefined, true],
    ['finds no change in another file', 'src/b.ts', undefined, false],
    ['ignores a line that only looks like a header', 'not/a/header.ts', undefined, false],
    ['finds a change by its hunk header', 'src/a.ts', '@@ -1,3 +1,3 @@', true],
    ['finds no change by another hunk header', 'src/a.ts', '@@ -2,3 +2,3 @@', false],
    ['finds a change by a line', 'src/a.ts', '+new', true],
    ['finds a change by a line without its mark', 'src/a.ts', 'new', true],
    ['finds a change by adjacent lines', 'src/a.ts', '  first\n\n-old', true],
    ['finds no change by lines from different hunks', 'src/a.ts', 'first\n+NINE', false],
    ['finds no change by a missing line', 'src/a.ts', '+newer', false],
  ])('%s', (_name, path, hunk, expected) => expect(hasChange(diff, path, hunk)).toBe(expected));
});

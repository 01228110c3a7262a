import { expect, test } from 'vitest';
import { transcriptText } from '../../../src/ui/runner/transcriptText.ts';
import { cycleEvents } from '../../cli/render/cycleEvents.ts';
import { expectGolden } from '../../support/golden.ts';
import { outputEvent } from '../../webview/events.ts';

const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as never;

test('a transcript of a cycle matches its Markdown golden', () =>
  expectGolden(transcriptText('s1', cycleEvents), 'ui/transcript.md'));

test('the output of a program cannot close the fence around it', () => {
  const text = transcriptText('s1', [
    outputEvent(session, 0, { kind: 'toolEnded', callId: '1', isError: false, output: 'a\n````\n# b\n' }),
  ]);
  expect(text).toContain('`````\na\n````\n# b\n`````');
});

test('escape codes in the words of a session are removed', () => {
  const escapeCode = String.fromCharCode(27);
  expect(transcriptText('s1', [outputEvent(session, 0, { kind: 'text', text: `a${escapeCode}[2Jb` })])).not.toContain(
    escapeCode,
  );
});

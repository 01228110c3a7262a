import { expect, test } from 'vitest';
import { pageHtml } from '../../../src/ui/runner/pageHtml.ts';

const html = pageHtml({
  title: 'A Page',
  cspSource: 'https://page.test',
  nonce: 'once',
  script: 'runner.js',
  style: 'page.css',
  language: 'de',
  texts: { Open: '"Öffnen" & <mehr>' },
});
const policy = /content="(default-src[^"]*)"/.exec(html)?.[1] ?? '';

test('the policy of a page allows only our own resources', () =>
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    'img-src https://page.test',
    'font-src https://page.test',
    "style-src https://page.test 'nonce-once'",
    "script-src 'nonce-once'",
  ]));

test('the policy comes before every script, link and style', () =>
  expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.search(/<(?:script|link|style)/)));

test('a page has no inline scripts or styles', () =>
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/));

test('a page has its texts in the language of the editor, as data that cannot become a tag', () => {
  expect(html).toContain('<html lang="de">');
  expect(html).toContain('content="{&quot;Open&quot;:&quot;\\&quot;Öffnen\\&quot; &amp; &lt;mehr>&quot;}"');
});

test('a page without a translation is in English and brings no texts', () => {
  const plain = pageHtml({
    ...{ title: 'A Page', cspSource: '', nonce: '', script: '', style: '', language: 'fr', texts: undefined },
  });
  expect(plain).toContain('<html lang="en">');
  expect(plain).not.toContain('name="texts"');
});

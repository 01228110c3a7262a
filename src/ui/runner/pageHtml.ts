export interface PageHtmlParts {
  /** What the page is, for who cannot see it. */
  readonly title: string;
  /** Of the webview, as its policy names what lies in its own folder. */
  readonly cspSource: string;
  /** Another one for each page. */
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
  /** The language of the editor, as `de` or `pt-br`. */
  readonly language: string;
  /** The texts of the page in that language, by the English ones; undefined for English. */
  readonly texts?: Readonly<Record<string, unknown>> | undefined;
}

/** A page of ours. Its policy lets it run our script, load our style and font, and nothing else. */
export function pageHtml({ title, cspSource, nonce, script, style, language, texts }: PageHtmlParts): string {
  const policy = [
    `default-src 'none'`,
    `img-src ${cspSource}`,
    `font-src ${cspSource}`,
    // The controls try one rule in an element of their own, which takes its nonce from the page.
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${texts === undefined ? 'en' : language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${texts === undefined ? '' : `<meta name="texts" content="${escapeAttribute(JSON.stringify(texts))}">\n`}<link rel="stylesheet" href="${style}">
</head>
<body>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

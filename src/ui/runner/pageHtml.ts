export interface PageHtmlParts {
  /** What the page is, for who cannot see it. */
  readonly title: string;
  /** Of the webview, as its policy names what lies in its own folder. */
  readonly cspSource: string;
  /** Another one for each page. */
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
}

/** A page of ours. Its policy lets it run our script, load our style and font, and nothing else. */
export function pageHtml({ title, cspSource, nonce, script, style }: PageHtmlParts): string {
  const policy = [
    `default-src 'none'`,
    `img-src ${cspSource}`,
    `font-src ${cspSource}`,
    // The controls try one rule in an element of their own, which takes its nonce from the page.
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}

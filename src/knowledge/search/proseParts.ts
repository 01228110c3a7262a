/** The parts of a text in Markdown that count differently. */
export interface ProseParts {
  readonly headings: readonly string[];
  readonly firstParagraph: string;
  readonly body: string;
  /** What stands below a heading “Superseded”. */
  readonly superseded: string;
}

const heading = /^#{1,6}[ \t]+(\S.*)$/;

export function partsOfProse(text: string): ProseParts {
  const headings: string[] = [];
  const first: string[] = [];
  const body: string[] = [];
  const superseded: string[] = [];
  let isSuperseded = false;
  let isFirst = true;
  for (const line of text.split(/\r?\n/)) {
    const [, title] = heading.exec(line) ?? [];
    if (title !== undefined) {
      isSuperseded = /^superseded\s*$/i.test(title);
      isFirst = first.length === 0;
      if (!isSuperseded) headings.push(title);
    } else if (isSuperseded) {
      superseded.push(line);
    } else if (isFirst && line.trim() !== '') {
      first.push(line);
    } else {
      isFirst = isFirst && first.length === 0;
      body.push(line);
    }
  }
  return {
    headings,
    firstParagraph: first.join('\n'),
    body: body.join('\n').trim(),
    superseded: superseded.join('\n').trim(),
  };
}

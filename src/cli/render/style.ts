/** The few emphases there are; each gives the text back unchanged if there is no colour. */
export interface Style {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly notice: (text: string) => string;
  readonly accent: (text: string) => string;
}

/** How text for a person is laid out: its emphases, and the width of its lines in columns. */
export interface TextLayout {
  readonly style: Style;
  readonly columns: number;
}

/** Colours of the terminal's own palette, so that its theme decides how they look. */
export const colourStyle: Style = {
  strong: (text) => `\u001b[1m${text}\u001b[22m`,
  faint: (text) => `\u001b[2m${text}\u001b[22m`,
  good: (text) => `\u001b[32m${text}\u001b[39m`,
  bad: (text) => `\u001b[31m${text}\u001b[39m`,
  notice: (text) => `\u001b[33m${text}\u001b[39m`,
  accent: (text) => `\u001b[36m${text}\u001b[39m`,
};

const unchanged = (text: string) => text;

export const plainStyle: Style = {
  strong: unchanged,
  faint: unchanged,
  good: unchanged,
  bad: unchanged,
  notice: unchanged,
  accent: unchanged,
};

/** NO_COLOR (any value that is not empty), `--no-color` and a dumb terminal each switch colours off. */
export function chooseStyle(options: {
  readonly isTty: boolean;
  readonly colorFlag: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): Style {
  const { isTty, colorFlag, environment } = options;
  const unwanted = !colorFlag || (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
  return isTty && !unwanted ? colourStyle : plainStyle;
}

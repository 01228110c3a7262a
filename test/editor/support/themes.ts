/** The themes that pictures are taken in: their setting and name, and the class that the window has in them. */
export const editorThemes = {
  light: { setting: 'Light Modern', label: 'Light Modern', className: 'vs' },
  dark: { setting: 'Dark Modern', label: 'Dark Modern', className: 'vs-dark' },
  contrast: { setting: 'Default High Contrast', label: 'Dark High Contrast', className: 'hc-black' },
} as const;

export type EditorTheme = keyof typeof editorThemes;

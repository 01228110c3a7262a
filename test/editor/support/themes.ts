/** The themes that pictures are taken in: their setting, and the class that the window has in them. */
export const editorThemes = {
  light: { setting: 'Default Light Modern', className: 'vs' },
  dark: { setting: 'Default Dark Modern', className: 'vs-dark' },
  contrast: { setting: 'Default High Contrast', className: 'hc-black' },
} as const;

export type EditorTheme = keyof typeof editorThemes;

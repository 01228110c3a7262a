/**
 * The themes that pictures are taken in: their setting, the class that the window has in them, and the key for them, as the
 * editor spells it and as the browser does.
 */
export const editorThemes = {
  light: { setting: 'Light Modern', className: 'vs', ...keys(7) },
  dark: { setting: 'Dark Modern', className: 'vs-dark', ...keys(8) },
  contrast: { setting: 'Default High Contrast', className: 'hc-black', ...keys(9) },
} as const;

export type EditorTheme = keyof typeof editorThemes;

function keys(n: number) {
  return { key: `ctrl+shift+alt+f${n}`, pressed: `Control+Shift+Alt+F${n}` };
}

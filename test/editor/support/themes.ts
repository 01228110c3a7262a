/**
 * The themes that pages are looked at in: their setting, the class that the window has in them, and the key for them, as the
 * editor spells it and as the browser does. Pictures of windows are taken in the first three.
 */
export const editorThemes = {
  light: { setting: 'Light Modern', className: 'vs', ...keys(7) },
  dark: { setting: 'Dark Modern', className: 'vs-dark', ...keys(8) },
  lightPlus: { setting: 'Light+', className: 'vs', ...keys(10) },
  contrastLight: { setting: 'Default High Contrast Light', className: 'hc-light', ...keys(11) },
  contrast: { setting: 'Default High Contrast', className: 'hc-black', ...keys(9) },
} as const;

export type ThemeName = keyof typeof editorThemes;
export type EditorTheme = 'light' | 'dark' | 'contrast';

function keys(n: number) {
  return { key: `ctrl+shift+alt+f${n}`, pressed: `Control+Shift+Alt+F${n}` };
}

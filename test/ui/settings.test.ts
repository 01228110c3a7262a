import { describe, expect, test } from 'vitest';
import { settingAt } from '../../src/model/settingRows.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { settingOverrides, settingsOverVault } from '../../src/ui/settings.ts';
import { readManifest } from '../support/manifestTexts.ts';

interface Property {
  readonly default: unknown;
  readonly scope: string;
  readonly order: number;
  readonly markdownDescription: string;
}

interface Manifest {
  readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, Property>> } };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
}

const manifest = readManifest<Manifest>();
const { properties } = manifest.contributes.configuration;

describe('the editor settings', () => {
  test('override nothing by default', () => {
    const read = (name: string) => properties[`ravel.${name}`]?.default;
    expect(settingOverrides(read)).toEqual({});
  });

  test('override those of the vault if they are set', () => {
    const values: Readonly<Record<string, unknown>> = {
      harness: 'scripted',
      'claudeCode.program': '/bin/claude',
      sessionUsd: 2,
      sessionMinutes: 5,
    };
    expect(settingOverrides((name) => values[name])).toEqual({
      'run.harness': 'scripted',
      'harnesses.claude-code.program': '/bin/claude',
      'limits.session-usd': 2,
      'limits.session-minutes': 5,
    });
  });

  test.each(Object.entries(settingsOverVault))(
    'include %s, which overrides a vault setting and is restricted in untrusted windows',
    (name, path) => {
      expect(properties).toHaveProperty([`ravel.${name}`]);
      expect(settingAt(defaultSettings, path)).toBeDefined();
      expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toContain(`ravel.${name}`);
    },
  );

  test.each(Object.entries(properties))('describe %s in a sentence and give its scope', (_name, property) => {
    expect(property.markdownDescription).toMatch(/^[A-Z].*\.$/s);
    expect(['window', 'resource', 'machine', 'machine-overridable']).toContain(property.scope);
    expect(property).toHaveProperty('default');
    expect(property).toHaveProperty('order');
  });
});

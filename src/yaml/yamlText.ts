import type { RecordText } from '../base/recordFolder.ts';
import { formatYaml, parseYaml } from './yaml.ts';

/** A file of one record in YAML. */
export const yamlText: RecordText = {
  ending: '.yaml',
  format: formatYaml,
  parse(text, file) {
    const { value, diagnostics } = parseYaml(text, { file, subject: file });
    const problem = diagnostics.find(({ severity }) => severity === 'error')?.message;
    return problem === undefined ? { value } : { problem };
  },
};

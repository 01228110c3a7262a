import * as z from 'zod';
import { type NameField, type TargetField, type TargetFields, targetFields } from './namedTarget.ts';

type TargetShape = {
  [Field in TargetField]: z.ZodOptional<Field extends NameField ? z.ZodString : z.ZodLiteral<'auto'>>;
};

/** The fields of a target, for the schema of what names one; `name` bounds a name. */
export function targetShape(name: z.ZodString = z.string()): TargetShape {
  const shape = targetFields.map(({ field, word, use }) => [
    field,
    (word === undefined ? name : z.literal(word)).optional().describe(use),
  ]);
  return Object.fromEntries(shape) as TargetShape;
}

/** The target of a kept message. Unknown fields survive. */
export const targetFieldsSchema: z.ZodType<TargetFields> = z.looseObject(targetShape());

// Body of a configuration set: a named, typed shape with its scope chain and dating.
import { z } from 'zod'
import {
  configFieldType,
  editGrants,
  key,
  precision,
  readGrants,
  scale,
  scopeChain,
  nonEmptyText,
} from '../shapes.ts'

export const configField = z.strictObject({
  key,
  type: configFieldType,
  required: z.boolean().default(false),
  precision: precision.optional(),
  scale: scale.optional(),
  valueSet: key.optional(),
  label: nonEmptyText.optional(),
  help: z.string().optional(),
})

export const keyedBy = z.strictObject({
  key,
  type: configFieldType.exclude(['credential_reference']),
  valueSet: key.optional(),
})

/** `<object>.<field>` or a list of them; parsing makes it a sorted list (docs/reference/resolution-and-dates.md). */
const asOfField = z
  .union([z.string(), z.array(z.string()).min(1)])
  .transform((paths) => [...new Set(typeof paths === 'string' ? [paths] : paths)].sort())

export const configSetBody = z.strictObject({
  cardinality: z.enum(['singleton', 'keyed']),
  keyedBy: keyedBy.optional(),
  scopes: scopeChain,
  effectiveDated: z.boolean().default(false),
  asOfField: asOfField.optional(),
  fields: z.array(configField),
  read: readGrants,
  edit: editGrants,
})

export type ConfigSetBody = z.output<typeof configSetBody>
export type ConfigField = z.output<typeof configField>

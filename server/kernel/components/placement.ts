// Sections of a page and their items (docs/reference/lookup-field.md).
import { z } from 'zod'
import { integerBetween, nonEmptyText } from './shapes.ts'

/** A placed element or field. `inputs` contains only values, never functions. */
export const placedItem = z.strictObject({
  id: nonEmptyText,
  type: z.enum(['component', 'field']),
  key: nonEmptyText,
  inputs: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
})

export const section = z.strictObject({
  id: nonEmptyText,
  section: z.string(),
  columns: integerBetween(1, 4).default(1),
  items: z.array(placedItem).default([]),
})

export type PlacedItem = z.output<typeof placedItem>
export type Section = z.output<typeof section>

/** What the sections are about: a stored record, a new one that is not saved yet, or no record. */
export type PlacedOn = { kind: 'record' | 'draft'; object: string } | { kind: 'page' }

// Body of a list view: columns, filter and order over one object.
import { z } from 'zod'
import { expression, key, nonEmptyText } from '../shapes.ts'

export const orderBy = z.strictObject({ field: nonEmptyText, dir: z.enum(['asc', 'desc']).default('asc') })

export const listViewBody = z.strictObject({
  object: key,
  /** Fields, which can follow a reference: `customer.name`. */
  columns: z.array(nonEmptyText),
  filter: expression.optional(),
  orderBy: z.array(orderBy).default([]),
})

export type ListViewBody = z.output<typeof listViewBody>

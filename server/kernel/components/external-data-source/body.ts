// Body of an external data source: the adapter behind virtual objects.
import { z } from 'zod'
import { key, integerBetween } from '../shapes.ts'

export const pushdown = z.strictObject({
  filter: z.boolean().default(false),
  sort: z.boolean().default(false),
  paging: z.literal('server').default('server'),
  aggregate: z.boolean().default(false),
})

export const externalDataSourceBody = z.strictObject({
  adapter: z.enum(['odata_v4']),
  namedCredential: key,
  pushdown: pushdown.prefault({}),
  pageSize: integerBetween(1, 2000).default(50),
  /** A hard time limit for one list view. */
  listViewDeadlineMs: integerBetween(1, 60_000).default(3000),
})

export type ExternalDataSourceBody = z.output<typeof externalDataSourceBody>

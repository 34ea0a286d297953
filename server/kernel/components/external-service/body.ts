// Body of an external service: operations generated from an OpenAPI description.
import { z } from 'zod'
import { key, sortedUniqueList, nonEmptyText } from '../shapes.ts'

export const serviceSpec = z.strictObject({
  format: z.literal('openapi_3_1'),
  /** The URL of the description, or the description itself. */
  source: z.union([nonEmptyText, z.record(z.string(), z.unknown())]),
  /** SHA-256 of the canonical bundled document; fixed at import. */
  hash: z
    .string()
    .regex(/^(sha256:)?[0-9a-f]{64}$/, {
      error: 'A hash must have 64 hexadecimal digits, with or without "sha256:".',
    })
    .optional(),
})

export const externalServiceBody = z.strictObject({
  namedCredential: key,
  spec: serviceSpec,
  /** Operation ids; all if omitted. */
  operations: sortedUniqueList(nonEmptyText).optional(),
  onSpecDrift: z.enum(['fail', 'warn']).default('fail'),
})

export type ExternalServiceBody = z.output<typeof externalServiceBody>

// Body of an external service: operations generated from an OpenAPI description.
import { z } from 'zod'
import { key, sortedUniqueList, nonEmptyText } from '../shapes.ts'

export const serviceSpec = z.strictObject({
  format: z.literal('openapi_3_1'),
  /** The URL of the description, or the description itself. */
  source: z.union([nonEmptyText, z.record(z.string(), z.unknown())]),
  /** Of the bundled description, by our own recipe; fixed at import. */
  hash: z
    .string()
    .regex(/^oas1:sha256:[0-9a-f]{64}$/, {
      error: 'A hash is "oas1:sha256:" and 64 hexadecimal digits. Remove it: the import fills it in.',
    })
    .optional(),
})

export const externalServiceBody = z.strictObject({
  namedCredential: key,
  spec: serviceSpec,
  /** Names of operations: the operationId, or method and path as in `GET /pets/{id}`; all if omitted. */
  operations: sortedUniqueList(nonEmptyText).optional(),
  /** The permission sets whose holders can call its operations; without it, nobody. */
  grantedTo: sortedUniqueList(key).optional(),
  onSpecDrift: z.enum(['fail', 'warn']).default('fail'),
})

export type ExternalServiceBody = z.output<typeof externalServiceBody>

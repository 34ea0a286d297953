// Body of a registered integration client: authentication, identity and rate limit.
import { z } from 'zod'
import { integerBetween, nonEmptyText } from '../shapes.ts'

const amountWords =
  'Use a whole number from 1 to 1,000,000, or a whole percentage of the org’s limit from "1%" to "100%".'

/** A number, or a share of the org's ceiling such as "10%" (docs/reference/http.md). */
const amount = z.union(
  [integerBetween(1, 1_000_000), z.string().regex(/^(100|[1-9][0-9]?)%$/, { error: amountWords })],
  { error: amountWords },
)

export const rateLimit = z.strictObject({
  /** Requests per second. */
  sustained: amount.default(50),
  burst: amount.default(100),
  concurrency: amount.default(10),
})

export const integrationClientBody = z.strictObject({
  authScheme: z.enum(['oauth2_client_credentials', 'oauth2_jwt_bearer', 'api_key']),
  runAs: nonEmptyText,
  rateLimit: rateLimit.prefault({}),
  deprecationWindowDays: integerBetween(0, 3650).default(30),
  /** Public keys of the client, for oauth2_jwt_bearer. */
  jwks: z.strictObject({ keys: z.array(z.record(z.string(), z.unknown())) }).optional(),
})

export type IntegrationClientBody = z.output<typeof integrationClientBody>

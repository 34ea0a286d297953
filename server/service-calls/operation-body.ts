// The body of a response as its operation declares it.
import { explainExtent } from '#kernel/components/json-extent.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ServiceValue } from '#kernel/service-values/index.ts'
import type { CalloutResponse } from '../callouts/index.ts'
import { readResponse, type CallableOperation } from '../external-services/index.ts'

/** Values of one response. */
const mostValues = 100_000

/**
 * @throws AlmanacError `integration.wrong_type` if the response is not as its description declares,
 * `integration.too_large`
 */
export function operationBody(
  callable: CallableOperation,
  key: string,
  response: CalloutResponse,
): ServiceValue {
  const mediaType = response.headers['content-type']
  const text = Buffer.from(response.body).toString('utf8')
  const fault = explainExtent(response.body, mostValues)
  if (fault !== null)
    throw new AlmanacError(
      'integration.too_large',
      `${key} was carried out, but its response (${response.status}) ${fault}, so it was not read. Call an operation that returns less.`,
      { origin: 'integration.callout', details: [{ operation: key, path: '' }] },
    )
  const read = readResponse(callable, {
    ...{ status: response.status, text },
    ...(mediaType === undefined ? {} : { mediaType }),
  })
  if (read.ok) return read.value
  throw new AlmanacError(
    'integration.wrong_type',
    `${key} was carried out, but its response (${response.status}) is not as its description declares: ${read.issue.message}`,
    { origin: 'integration.callout', details: [{ operation: key, path: read.issue.pointer }] },
  )
}

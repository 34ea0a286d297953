// The body of a response as its operation declares it.
import { explainExtent } from '#kernel/components/json-extent.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ServiceValue } from '#kernel/service-values/index.ts'
import { requireKnownCharset, type CalloutResponse } from '../callouts/index.ts'
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
  if (response.body.length > 0)
    requireKnownCharset(mediaType, `${key} was carried out, but its response (${response.status})`)
  const text = Buffer.from(response.body).toString('utf8')
  const fault = explainExtent(response.body, mostValues)
  if (fault !== null) throw tooLargeResponse(key, response, fault)
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

/** @param fault continues the sentence: `has more than 100,000 values` */
export const tooLargeResponse = (
  key: string,
  { status }: Pick<CalloutResponse, 'status'>,
  fault: string,
): AlmanacError =>
  new AlmanacError(
    'integration.too_large',
    `${key} was carried out, but its response (${status}) ${fault}. Call an operation that returns less.`,
    { origin: 'integration.callout', details: [{ operation: key, path: '' }] },
  )

// The body of a response as its operation declares it.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ServiceValue } from '#kernel/service-values/index.ts'
import { explainExtent, type CalloutResponse } from '../callouts/index.ts'
import { readResponse, type CallableOperation } from '../external-services/index.ts'

/**
 * @throws AlmanacError `integration.wrong_type` if the response is not as its description declares, `integration.too_large` if
 * it has too many values
 */
export function operationBody(
  callable: CallableOperation,
  key: string,
  response: CalloutResponse,
): ServiceValue {
  const mediaType = response.headers['content-type']
  const isJson = mediaType === undefined || /json/i.test(mediaType)
  const extent = isJson ? explainExtent(response.body) : null
  if (extent !== null)
    throw new AlmanacError(
      'integration.too_large',
      `${key} was carried out, but its response (${response.status}) ${extent}.`,
      { origin: 'integration.callout', details: [{ operation: key }] },
    )
  const text = Buffer.from(response.body).toString('utf8')
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

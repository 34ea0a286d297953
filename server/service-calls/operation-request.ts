// The part of a callout that an operation decides: everything but who calls, and where.
import type { ValueIssue } from '#kernel/service-values/index.ts'
import type { Callout } from '../callouts/index.ts'
import { writeRequest, type CallableOperation } from '../external-services/index.ts'
import { argumentValues, type SentArguments } from './argument-values.ts'

export type OperationRequest = Pick<
  Callout,
  'method' | 'path' | 'endpointPath' | 'query' | 'headers' | 'body'
>

export type OperationRequestResult =
  { ok: true; request: OperationRequest } | { ok: false; issue: ValueIssue }

/** Issues have a pointer into the arguments: `/body/amount`. */
export function operationRequest(callable: CallableOperation, sent: SentArguments): OperationRequestResult {
  const values = argumentValues(callable, sent)
  if (!values.ok) return values
  const written = writeRequest(callable, values.args)
  if (!written.ok) return written
  const { method, path, query, headers, body } = written.request
  return {
    ok: true,
    request: {
      ...{ method: method as Callout['method'], path, headers },
      endpointPath: callable.structure.path,
      query: pairsOf(query),
      ...(body === null ? {} : { body: { bytes: Buffer.from(body.text), mediaType: body.mediaType } }),
    },
  }
}

/** The executor encodes them again. */
function pairsOf(query: string): [name: string, value: string][] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=')
      const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
      return [decodeURIComponent(name), decodeURIComponent(value)]
    })
}

// The scheme aws_sigv4: a request to AWS in the form in which it is signed, so that exactly that is sent.
import type { ExternalCredentialBody } from '#kernel/components/external-credential/body.ts'
import { canonicalQuery, encodedPath } from './aws-canonical.ts'
import { signAwsRequest } from './aws-signature.ts'
import type { OutgoingRequest } from './outgoing-request.ts'
import type { SlotValues } from './slot-values.ts'

type AwsBody = Extract<ExternalCredentialBody, { scheme: 'aws_sigv4' }>

/** Their keys can contain repeated slashes, so their path is not normalised. */
const plainPath: ReadonlySet<string> = new Set(['s3', 's3express', 's3-object-lambda', 's3-outposts'])

/** @param request names of headers in lower case */
export function awsAuthentication(
  { region, service }: AwsBody,
  slots: SlotValues,
  { method, url, headers, body = '' }: OutgoingRequest,
  now: string,
): { url: string; headers: Record<string, string> } {
  const { protocol, host, pathname, search } = new URL(url)
  const query = canonicalQuery(search.slice(1))
  const isPlain = plainPath.has(service)
  const path = isPlain ? encodedPath(pathname) : pathname
  const sessionToken =
    slots.optional('sessionToken') === undefined ? undefined : slots.forHeader('sessionToken')
  const keys = {
    accessKeyId: keyIdOf(slots),
    secretAccessKey: slots.forHeader('secretAccessKey'),
    sessionToken,
  }
  const sent = { ...headers, host }
  const signature = signAwsRequest(
    { method, path, query, headers: Object.entries(sent), body },
    keys,
    // The hash of the body is required by some services and accepted by all.
    { region, service, now, sendBodyHash: true, normalisePath: !isPlain },
  )
  const target = query === '' ? path : `${path}?${query}`
  return { url: `${protocol}//${host}${target}`, headers: { ...sent, ...signature.headers } }
}

/** Part of the scope of the signature, whose parts have separators. */
function keyIdOf(slots: SlotValues): string {
  const id = slots.forHeader('accessKeyId')
  if (/[\s,/]/.test(id)) throw slots.invalid('accessKeyId', 'contains a space, a comma or a slash')
  return id
}

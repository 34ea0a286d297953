// AWS Signature Version 4, in a header. Signed with the secret alone: no derived key is kept after the call.
import { createHash, createHmac } from 'node:crypto'
import { canonicalHeaders, canonicalPath, canonicalQuery, encodedPath } from './aws-canonical.ts'

export interface AwsKeys {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

export interface AwsScope {
  region: string
  service: string
  /** ISO 8601 instant. */
  now: string
  /** Whether `x-amz-content-sha256` is sent. */
  sendBodyHash: boolean
  /** Whether the path is normalised and encoded a second time; S3 does neither. */
  normalisePath: boolean
}

/** A request in the parts that are signed. `path` and `query` as they are sent. */
export interface AwsRequest {
  method: string
  path: string
  query: string
  /** In the order in which they are sent; a name can occur several times. */
  headers: readonly (readonly [string, string])[]
  body: string | Uint8Array
}

export interface AwsSignature {
  /** Headers to add, names in lower case. */
  headers: Record<string, string>
  /** For tests against published cases. */
  canonicalRequest: string
  stringToSign: string
}

/** Signs a request whose headers include `host`. */
export function signAwsRequest(request: AwsRequest, keys: AwsKeys, scope: AwsScope): AwsSignature {
  const { region, service, now, sendBodyHash, normalisePath } = scope
  const time = now.replace(/[-:]|\.\d+/g, '')
  const date = time.slice(0, 8)
  const bodyHash = createHash('sha256').update(request.body).digest('hex')
  const added: Record<string, string> = { 'x-amz-date': time }
  if (keys.sessionToken !== undefined) added['x-amz-security-token'] = keys.sessionToken
  if (sendBodyHash) added['x-amz-content-sha256'] = bodyHash
  const headers = canonicalHeaders([
    ...request.headers.filter(([name]) => !Object.hasOwn(added, name.toLowerCase())),
    ...Object.entries(added),
  ])
  const signedHeaders = [...headers.keys()].join(';')
  const canonicalRequest = [
    request.method,
    normalisePath ? canonicalPath(request.path) : encodedPath(request.path),
    canonicalQuery(request.query),
    ...[...headers].map(([name, value]) => `${name}:${value}`),
    '',
    signedHeaders,
    bodyHash,
  ].join('\n')
  const credentialScope = `${date}/${region}/${service}/aws4_request`
  const hash = createHash('sha256').update(canonicalRequest).digest('hex')
  const stringToSign = `AWS4-HMAC-SHA256\n${time}\n${credentialScope}\n${hash}`
  const signature = hmac(signingKey(keys.secretAccessKey, [date, region, service]), stringToSign)
  const credential = `${keys.accessKeyId}/${credentialScope}`
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signedHeaders}, Signature=${signature.toString('hex')}`
  return { headers: { ...added, authorization }, canonicalRequest, stringToSign }
}

function signingKey(secret: string, steps: readonly string[]): Buffer {
  return [...steps, 'aws4_request'].reduce(hmac, Buffer.from(`AWS4${secret}`))
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

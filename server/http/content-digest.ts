// The header Content-Digest (RFC 9530): digests of a body as it was sent.
import { createHash, type Hash } from 'node:crypto'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { BodyStream } from './read-body.ts'

const algorithms = { 'sha-256': 'sha256', 'sha-512': 'sha512' } as const

/**
 * Follows a body. The returned function is called after its last byte.
 * @throws AlmanacError `request.malformed` for a header without a digest that is known; `ingest.digest`, once it is called,
 * for a body that does not have the digest
 */
export function digestCheck(header: string | undefined, body: BodyStream): () => void {
  if (header === undefined) return () => undefined
  const declared = [...header.matchAll(/([a-z0-9-]+)\s*=\s*:([A-Za-z0-9+/=]*):/g)].flatMap(
    ([, name = '', value = '']): { name: string; value: string; hash: Hash }[] =>
      Object.hasOwn(algorithms, name)
        ? [{ name, value, hash: createHash(algorithms[name as keyof typeof algorithms]) }]
        : [],
  )
  if (declared.length === 0)
    throw new AlmanacError(
      'request.malformed',
      'Content-Digest has neither a sha-256 nor a sha-512. Write it as in "sha-256=:<base64>:", or leave the header out.',
    )
  body.onSent((chunk) => {
    for (const { hash } of declared) hash.update(chunk)
  })
  return () => {
    const wrong = declared.find(({ hash, value }) => !hash.digest().equals(Buffer.from(value, 'base64')))
    if (wrong === undefined) return
    throw new AlmanacError(
      'ingest.digest',
      `The body does not have the ${wrong.name} that Content-Digest declares. Send it again.`,
    )
  }
}

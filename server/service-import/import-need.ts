// What is sent to the thread that fetches and imports: small values and one text, because a large object takes that thread long
// to receive.
import type { Sha256 } from '#kernel/change/index.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { isDescriptionAddress } from '#kernel/components/external-service/source.ts'
import type { DescriptionSource } from '../external-services/index.ts'

export interface ImportNeed {
  service: ImportingService
  source: DescriptionSource | { url: string }
  /** Equal for needs with the same result for one user. */
  digest: string
  credential: ComponentOf<'named_credential'> | undefined
  /** The external credential is added by the same list, so it cannot have a secret. */
  hasNoSecret: boolean
}

/** A service without the source of its description. */
export interface ImportingService {
  key: string
  /** Pinned by the author. */
  hash?: string | undefined
  operations?: readonly string[] | undefined
}

export interface ImportedSource extends Pick<ImportNeed, 'credential' | 'hasNoSecret'> {
  service: ComponentOf<'external_service'>
  /** The text that comes with the list; null to read the source. */
  text: string | null
}

export function importNeed(
  { service: { key, body }, text, credential, hasNoSecret }: ImportedSource,
  sha256: Sha256,
): ImportNeed {
  const { operations, spec } = body
  const source = sourceOf(key, spec.source, text)
  const digest = sha256(JSON.stringify([source, operations ?? null, credential?.body ?? null]))
  return { service: { key, hash: spec.hash, operations }, source, digest, credential, hasNoSecret }
}

function sourceOf(
  key: string,
  source: ComponentOf<'external_service'>['body']['spec']['source'],
  text: string | null,
): ImportNeed['source'] {
  if (text !== null) return { text, name: `external_service/${key}.openapi.json` }
  if (isDescriptionAddress(source)) return { url: source }
  const name = `the description of ${key}`
  return { text: typeof source === 'string' ? source : JSON.stringify(source), name }
}

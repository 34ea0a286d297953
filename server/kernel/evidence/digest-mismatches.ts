// Checks that every revision in a bundle is the one that the binding recorded
// (docs/reference/bindings-and-evidence.md).
import { appendAll } from '../append-all.ts'
import { componentDigest } from '../change/component-digest.ts'
import { setDigest, type Digest } from '../change/digest.ts'
import type { Sha256 } from '../change/sha256.ts'
import { idOf } from '../components/component.ts'
import type { EvidenceBundle } from './bundle.ts'

/**
 * Returns the reasons if revisions do not have their stated digests, or sets do not have the digests of the binding.
 */
export function digestMismatches(bundle: EvidenceBundle, sha256: Sha256): string[] {
  const reasons: string[] = []
  const digests = new Map<string, Digest>()
  for (const { digest, component } of bundle.components) {
    const actualDigest = componentDigest(component, sha256)
    digests.set(idOf(component), actualDigest)
    if (actualDigest !== digest)
      reasons.push(`The digest of ${idOf(component)} is ${actualDigest}, not ${digest}.`)
  }
  for (const set of bundle.sets) appendAll(reasons, setReasons(bundle, set, digests, sha256))
  for (const key of Object.keys(bundle.result.binding.config))
    if (!bundle.sets.some(({ set }) => set === key))
      reasons.push(`The bundle does not contain the bound set ${key}.`)
  return reasons
}

function setReasons(
  { components, result }: EvidenceBundle,
  { set, definition, entries }: EvidenceBundle['sets'][number],
  digests: ReadonlyMap<string, Digest>,
  sha256: Sha256,
): string[] {
  const reasons: string[] = []
  const found = digests.get(`config_set/${set}`) ?? digests.get(`feature_flag/${set}`)
  if (found !== definition) reasons.push(`The definition of ${set} does not match its digest.`)
  const whole = setDigest(definition, entries, sha256)
  const bound = result.binding.config[set] ?? 'nothing'
  if (whole !== bound)
    reasons.push(`The configuration digest of ${set} is ${whole}, but the binding has ${bound}.`)
  const known = new Set(entries)
  for (const { digest, component } of components)
    if (component.type === 'config_entry' && component.body.set === set && !known.has(digest))
      reasons.push(`${idOf(component)} is not an entry of the bound revision of ${set}.`)
  return reasons
}

// Reads the bundle from a text and checks that every byte is as RFC 8785 and the format require
// (docs/reference/bindings-and-evidence.md).
import { canonicalJson, type JsonValue } from '../change/canonical.ts'
import { parseComponent } from '../components/parse.ts'
import { bundleSchema, type EvidenceBundle } from './bundle.ts'
import { decodeStrictUtf8 } from './strict-utf8.ts'

/** Returns the bundle, or the reason why it is not valid. Its components parse and are in their normal form. */
export function parseBundle(evidence: string | Uint8Array): EvidenceBundle | string {
  const text = typeof evidence === 'string' ? evidence : decodeStrictUtf8(evidence)
  if (text === null) return 'The bundle is not UTF-8 text.'
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'The bundle is not JSON.'
  }
  const parsed = bundleSchema.safeParse(json)
  if (!parsed.success) {
    const places = parsed.error.issues.map(({ path }) => `/${path.join('/')}`)
    return `The bundle does not match the format almanac-evidence/1 at ${places.slice(0, 5).join(', ')}.`
  }
  if (!isCanonical(json as JsonValue, text))
    return 'The text is not in canonical form: a byte was added, removed or changed.'
  const at = parsed.data.components.findIndex(({ component }) => !isNormal(component))
  if (at >= 0) return `/components/${at}/component is not a component in its normal form.`
  return json as EvidenceBundle
}

/** Each content has exactly one text; content with a lone surrogate has none. */
function isCanonical(json: JsonValue, text: string): boolean {
  try {
    return `${canonicalJson(json)}\n` === text
  } catch {
    return false
  }
}

/** Whether parsing leaves the component unchanged, as a bundle requires. */
function isNormal(json: unknown): boolean {
  const { component } = parseComponent(json)
  if (component === null) return false
  return canonicalJson(component as unknown as JsonValue) === canonicalJson(json as JsonValue)
}

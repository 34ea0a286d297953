// Extracts the part of an entry without schema faults, so that rules can still check it.
import type { ComponentOf } from './body-types.ts'
import { configEntryBody } from './config-entry/body.ts'
import { explainKey } from './component.ts'

/**
 * Returns the entry without its faults. Null if its key, its set or the whole body is faulty.
 * @param faults JSON pointers into the envelope
 */
export function parsePartialEntry(
  envelope: Readonly<Record<string, unknown>>,
  faults: readonly string[],
): ComponentOf<'config_entry'> | null {
  const { key, label, body } = envelope
  if (typeof key !== 'string' || explainKey('config_entry', key) !== null) return null
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null
  const part: Record<string, unknown> = { ...body }
  const values: Record<string, unknown> =
    typeof part['values'] === 'object' && part['values'] !== null ? { ...part['values'] } : {}
  for (const fault of faults) {
    const [top, name, inner] = fault.split('/').slice(1)
    if (top !== 'body') continue
    if (name === undefined) return null
    if (name !== 'values') delete part[name]
    else if (inner !== undefined) delete values[inner.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  const parsed = configEntryBody.safeParse({ ...part, scope: part['scope'] ?? { kind: 'org' }, values })
  if (!parsed.success) return null
  return { type: 'config_entry', key, label: typeof label === 'string' ? label : key, body: parsed.data }
}

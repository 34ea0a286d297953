// The rows of a binding, and whether each is the same in a second one.
import type { Binding } from '../api/wire.ts'
import { longDate } from '../text/words.ts'

export interface BindingRow {
  /** A label of the studio, or the key of a set or function. */
  name: string
  /** What the key belongs to. */
  type?: 'config_set' | 'calc_function'
  vintage: string
  now: string
  same: boolean
}

/** Returns the rows of a binding; `now` is empty without a second one to compare. */
export function bindingRows(vintage: Binding, now?: Binding): BindingRow[] {
  const row = (name: string, before: string, after: string): BindingRow => ({
    name,
    vintage: before,
    now: after,
    same: before === after,
  })
  const rows = [
    row('Generation', String(vintage.generation), now ? String(now.generation) : ''),
    row('As of', dateWords(vintage), now ? dateWords(now) : ''),
  ]
  for (const part of ['config', 'functions'] as const) {
    const names = [
      ...new Set([...Object.keys(vintage[part] ?? {}), ...Object.keys(now?.[part] ?? {})]),
    ].sort()
    for (const name of names)
      rows.push({
        ...row(name, shortDigest(vintage[part][name]), now ? shortDigest(now[part][name]) : ''),
        type: part === 'config' ? 'config_set' : 'calc_function',
      })
  }
  rows.push(row('Scope', pathWords(vintage), now ? pathWords(now) : ''))
  return rows
}

/** The first eight digits of a digest, as two groups. */
export function shortDigest(digest: string | undefined): string {
  if (digest === undefined) return 'not read'
  const hex = digest.split(':').at(-1) ?? ''
  return `${hex.slice(0, 4)} ${hex.slice(4, 8)}`
}

const dateWords = ({ asOf }: Binding): string => (asOf === null ? 'no date' : longDate(asOf))

function pathWords({ scopePath }: Binding): string {
  const parts = Object.entries(scopePath ?? {}).map(
    ([kind, name]) => `${kind.replace('_', ' ')} ${Array.isArray(name) ? name.join(' ') : name}`,
  )
  return parts.join(', ') || 'org'
}

/** Bytes of a text in UTF-8, as two hexadecimal digits each. */
export function bytesOf(text: string): string[] {
  return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0'))
}

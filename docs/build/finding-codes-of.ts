// The finding codes that the rules of a room can report: those that its modules, and the shared modules that they
// import, name.
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ComponentType } from '#kernel/components/component.ts'
import { findingCodes, type FindingCode } from '#kernel/errors/finding-codes.ts'

const components = fileURLToPath(new URL('../../server/kernel/components', import.meta.url))
const imported = /^(?:import|export) (?!type\b)[^'"]*?from '(\.[^']+)'/gms

/** Modules that check several components of a type together; the rooms do not import them. */
const checksTogether: Partial<Record<ComponentType, readonly string[]>> = {
  config_entry: ['range-findings', 'coverage', 'permission-ties'].map((name) => `../config-set/${name}.ts`),
}

/** In the order of the catalogue. Codes that every type can have are not included. */
export function findingCodesOf(type: ComponentType): FindingCode[] {
  const seen = new Set<string>()
  const named = new Set<string>()
  const room = join(components, type.replaceAll('_', '-'))
  const open = ['index.ts', ...(checksTogether[type] ?? [])].map((file) => join(room, file))
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const source = readFileSync(file, 'utf8')
    for (const [, code] of source.matchAll(/'([a-z]+\.[a-z_]+)'/g)) named.add(code!)
    // What a module takes from another room reports nothing of that room.
    for (const [, path] of source.matchAll(imported)) {
      const next = resolve(dirname(file), path!)
      if ([room, components].includes(dirname(next))) open.push(next)
    }
  }
  const all = Object.keys(findingCodes) as FindingCode[]
  return all.filter((code) => named.has(code) && !isGeneral(code))
}

/** Every component is parsed, and its keys, references and expressions are checked, in the same way. */
export function isGeneral(code: FindingCode): boolean {
  return /^(?:body|envelope|key|reference|expr)\./.test(code) && !specific.has(code)
}

/** Of these prefixes, but reported by the rules of single types. */
const specific: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'key.shared_space',
  'key.entry_set',
  'expr.not_pushed_down',
])

// The type of a value that is one of several.
import type { ServiceType } from '#kernel/components/external-service/service-types.ts'

/** Returns the common type; null if the types differ in more than whether they can be absent. */
export function unionOf(types: readonly ServiceType[]): ServiceType | null {
  const present = types.filter(({ kind }) => kind !== 'absent')
  const [first, ...others] = present
  if (first === undefined) return { kind: 'absent' }
  let union: ServiceType | null = first
  for (const other of others) union = union === null ? null : common(union, other)
  if (union === null || union.kind === 'dyn') return union
  const nullable = present.length < types.length || present.some((type) => type.nullable === true)
  return nullable ? { ...union, nullable: true } : union
}

function common(a: ServiceType, b: ServiceType): ServiceType | null {
  if (a.kind === 'text' && b.kind === 'text') {
    if (a.values === undefined || b.values === undefined) return { kind: 'text' }
    return { kind: 'text', values: [...new Set([...a.values, ...b.values])] }
  }
  if (a.kind === 'decimal' && b.kind === 'decimal') {
    if (a.wire !== b.wire) return null
    return a.integer === b.integer ? a : { kind: 'decimal', ...(a.wire && { wire: a.wire }) }
  }
  if (a.kind === 'list' && b.kind === 'list') {
    const of = unionOf([a.of, b.of])
    return of === null ? null : { kind: 'list', of }
  }
  if (a.kind === 'object' && b.kind === 'object') return a.name === b.name ? a : null
  return a.kind === b.kind ? a : null
}

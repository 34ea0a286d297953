// The path of one row: `/Orders('A-1')`.
import type { VirtualObject } from '../virtual-object.ts'
import { literalOf } from './literal.ts'

/** Null if no row can have this id: it is not a value of the key. */
export function keyPath({ body, keyType }: VirtualObject, id: string): string | null {
  const literal = id === '' || !id.isWellFormed() ? null : literalOf(id, keyType)
  return literal === null ? null : `/${encodeURIComponent(body.remoteEntity)}(${encodeURIComponent(literal)})`
}

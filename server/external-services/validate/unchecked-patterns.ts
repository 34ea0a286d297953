// Warnings about patterns that are not checked.
import { truncateInput } from '#kernel/errors/truncate-input.ts'
import { isObject, textIn } from '../json.ts'
import type { SchemaGraph } from '../structure/schema-graph.ts'
import type { TypeWarning } from '../types/schema-types.ts'
import { patternMatcher } from './pattern-engine.ts'

/** Returns one warning for each pattern that the operations of the graph reach. */
export function uncheckedPatterns(graph: SchemaGraph): TypeWarning[] {
  const patterns = new Set(
    graph.schemas.flatMap((schema) => (isObject(schema) ? [textIn(schema, 'pattern') ?? ''] : [])),
  )
  return [...patterns]
    .filter((pattern) => patternMatcher(pattern) === null)
    .sort()
    .map((pattern) => ({
      place: pattern,
      message: `Values are not checked against the pattern ${truncateInput(pattern)}: look-around, back references and very large patterns are not supported.`,
    }))
}

import { expect, it } from 'vitest'
import type { SchemaGraph } from '../structure/schema-graph.ts'
import { uncheckedPatterns } from './unchecked-patterns.ts'

it('a pattern that is not checked is named, and a long one by its beginning', () => {
  const graph = { schemas: [{ pattern: '(?=a)' }, { pattern: 'b'.repeat(500_000) }, { pattern: 'c' }, true] }
  const messages = uncheckedPatterns(graph as unknown as SchemaGraph).map(({ message }) => message)
  expect(messages).toHaveLength(2)
  expect(messages[0]).toContain('the pattern (?=a): look-around')
  expect(messages[1]!.length).toBeLessThan(1000)
})

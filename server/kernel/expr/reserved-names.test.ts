import { describe, expect, it } from 'vitest'
import { reservedFunctionNames, reservedMemberNames, reservedNames } from '../components/reserved-names.ts'
import { MemoryView } from '../components/memory-view.ts'
import { compileExpression } from './compile.ts'
import { configSet, field, objectOf } from './fixture.ts'
import { builtIns } from './functions.ts'

const compilerFor = (name: string) => {
  const view = new MemoryView([configSet('s', [field(name, 'text')]), objectOf('o', [field(name, 'text')])])
  return (source: string) => compileExpression(source, { kind: 'list_filter', object: 'o' }, view).ok
}

describe('reserved names of the language', () => {
  it('are those of all built-in functions', () => {
    const names = builtIns.map(({ name }) => name).filter((name) => /^[a-z_]+$/.test(name))
    expect(names.filter((name) => !reservedFunctionNames.has(name))).toEqual([])
  })

  it.each([...reservedNames])(
    '%s cannot be read as a field, nor after a dot if it is reserved there',
    (name) => {
      const compiles = compilerFor(name)
      expect(compiles(`present(${name}) && ${name} == "x"`)).toBe(false)
      expect(compiles(`config.s.${name} == "x"`)).toBe(!reservedMemberNames.has(name))
    },
  )

  it.each([
    'size',
    'callout',
    'now',
    'filter',
    'has',
    'type',
    'string',
    'int',
    'bool',
    'list',
    'is',
    'class',
  ])('%s is not reserved for a field', (name) => {
    expect(reservedNames.has(name)).toBe(false)
    expect(compilerFor(name)(`present(${name}) && ${name} == "x"`)).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import { machineSpeed } from '../../../test/resources/machine-speed.ts'
import type { Component } from '../components/body-types.ts'
import { MemoryView } from '../components/memory-view.ts'
import { compileExpression } from './compile.ts'
import { functionCycles } from './cycles.ts'
import {
  calcFunction,
  components,
  evaluateSource,
  field,
  inputOf,
  objectOf,
  playground,
  programOf,
} from './fixture.ts'
import { libraryOf } from './library.ts'
import { createMeter } from './meter.ts'

const list = `[${Array.from({ length: 100 }, (_, i) => i).join(', ')}]`
const nines = '9'.repeat(900)
const tooCostly = expect.objectContaining({ code: 'expression.too_costly' }) as Error
const over = (...more: Component[]) => new MemoryView([...components, ...more])
const compiled = (source: string, ...more: Component[]) =>
  compileExpression(source, playground, over(...more))
const chain = (length: number, last: string) =>
  Array.from({ length }, (_, i) =>
    calcFunction(`f${i}`, [['n', 'number']], 'number', i === length - 1 ? last : `f${i + 1}(n) + 1`),
  )

describe('the cost of an evaluation', () => {
  it.each<[string, string, Record<string, string>]>([
    [
      'lists within lists',
      `size(${list}.filter(a, ${list}.exists(b, ${list}.exists(c, a + b + c > 999))))`,
      {},
    ],
    ['products of long numbers', `${list}.exists(a, ${list}.exists(b, n * n < 0))`, { n: nines }],
    ['patterns over long texts', 't.matches("(a|b|ab|x*y?){1,200}z")', { t: 'ab'.repeat(50_000) }],
    [
      'long texts repeatedly',
      `${list}.exists(a, ${list}.exists(b, size(t) == 1))`,
      { t: 'x'.repeat(50_000) },
    ],
    ['tests that fail', `${list}.exists(a, ${list}.exists(b, 1 / (n - n) == a + b))`, { n: '1' }],
    ['a list that contains one list many times', `[1]${'.map(x, [x, x])'.repeat(40)}`, {}],
    ['one long text many times in the result', `${list}.map(a, ${list}.map(b, t))`, { t: 'x'.repeat(9_000) }],
  ])('is bounded for %s', (_name, source, values) => {
    expect(() => evaluateSource(source, values)).toThrow(tooCostly)
  })

  it('names the place and the fix', () => {
    const source = `1 + size(${list}.filter(a, ${list}.exists(b, ${list}.exists(c, a + b + c > 999))))`
    expect(() => evaluateSource(source)).toThrow(
      /more than 200,000 steps.*shorter lists.*at characters \d+ to \d+/,
    )
  })

  it('is bounded for functions with repeated double calls', () => {
    const twice = Array.from({ length: 26 }, (_, i) =>
      calcFunction(`f${i}`, [], 'number', i === 0 ? '1' : `f${i - 1}() + f${i - 1}()`),
    )
    const program = programOf(compiled('f25()', ...twice))
    expect(() => program.evaluate(inputOf())).toThrow(tooCostly)
    expect(() => program.evaluate(inputOf())).toThrow(/of calc function f/)
  })

  it('is bounded for a text that is doubled repeatedly', () => {
    const doubled = Array.from({ length: 32 }, (_, i) =>
      calcFunction(`f${i}`, [['t', 'text']], 'text', i === 31 ? 't' : `f${i + 1}(t + t)`),
    )
    expect(() => programOf(compiled('f0("x")', ...doubled)).evaluate(inputOf())).toThrow(
      expect.objectContaining({
        code: 'expression.too_costly',
        message: expect.stringContaining('characters of text') as string,
      }) as Error,
    )
  })

  const manyItems = Array.from({ length: 9_000 }, (_, i) => String.fromCharCode(0x4e00 + 2 * i)).join('')
  it.each<[string, string]>([
    [
      'a class of 9,000 characters, 800 times, twice',
      `"${'b'.repeat(900)}".matches("(?:(?:[${manyItems}]?){800}){2}")`,
    ],
    ['a class of 9,000 characters over a text', `"${'b'.repeat(9_000)}".matches("[${manyItems}]*$")`],
    [
      'one constant after another',
      `[${Array(8).fill('"aaaaaaaaaaaaaaaaaaaaaaaaaa".matches("(?:a?){800}b")').join()}].exists(x, x)`,
    ],
    [
      'patterns whose counts multiply',
      `[${Array(400).fill('"a".matches("((a{16}){16}){15}")').join()}].exists(x, x)`,
    ],
    ['counts of nothing', `[${Array(400).fill('"a".matches("((){70}){70}")').join()}].exists(x, x)`],
    ['choices that share a beginning', `"${'a'.repeat(5_000)}".matches("(${'a*|'.repeat(400)}b)*c")`],
    ['nested stars', `"${'a'.repeat(5_000)}".matches("((((a*)*)*)*)*b")`],
    ['edges of words', `"${'a '.repeat(2_500)}".matches("(\\\\b\\\\B?){1000}c")`],
    ['all characters but one, many times', `"${'a'.repeat(5_000)}".matches("([^b]?){1000}b")`],
  ])('is bounded for a compile and an evaluation of %s', (_name, source) => {
    const start = process.threadCpuUsage()
    try {
      evaluateSource(source)
    } catch (error) {
      expect((error as Error).message).toMatch(/steps|too large|have|compile/)
    }
    const { user, system } = process.threadCpuUsage(start)
    // Ten times what they need; without the budget they take seconds.
    expect(((user + system) / 1000) * machineSpeed()).toBeLessThan(700)
  })

  it('is one budget for all constants of a compile, through the functions that it calls', () => {
    const library = libraryOf(over())
    compileExpression('"aaaa".matches("(?:a?){800}b")', playground, library.view, 'any', library)
    const one = createMeter().steps - library.folding.steps
    const source = Array(5).fill('"aaaa".matches("(?:a?){800}b")').join(' || ')
    compileExpression(source, playground, library.view, 'any', library)
    expect(one).toBeGreaterThan(1_000)
    expect(createMeter().steps - library.folding.steps).toBe(5 * one)
  })

  it('starts again with every evaluation, and does not limit ordinary work', () => {
    const pairs = programOf(compiled(`size(${list}.filter(a, ${list}.exists(b, a * b == n)))`))
    for (let i = 0; i < 3; i++) expect(pairs.evaluate(inputOf({ n: '97.5' }))).toBeDefined()
    expect(evaluateSource('t.matches("^[a-z]+$")', { t: 'abc'.repeat(10_000) })).toBe(true)
  })
})

describe('the cost of a check', () => {
  it('suggests names only for the first problems, but reports all', () => {
    const { problems } = compiled(`[${Array(700).fill('grosz').join(', ')}]`)
    expect(problems).toHaveLength(700)
    expect(problems.filter(({ suggestion }) => suggestion === 'gross')).toHaveLength(50)
  })
})

describe('calc functions that call each other', () => {
  it('are evaluated along a long chain', () => {
    const program = programOf(compiled('f0(1)', ...chain(300, 'n')))
    expect(program.evaluate(inputOf())).toEqual(programOf(compiled('300')).evaluate(inputOf()))
  })

  it('are refused without a stack overflow if the chain is too long', () => {
    const problems = compiled('f0(1)', ...chain(2500, 'n')).problems
    expect(problems.map(({ code }) => code)).toEqual(['expr.function'])
    expect(problems[0]?.message).toMatch(/levels deep; at most 1000/)
  })

  it('report a cycle of any length', () => {
    const ring = chain(2500, 'f0(n)')
    expect(compiled('f0(1)', ...ring).problems.map(({ code }) => code)).toEqual(['expr.function'])
    expect(functionCycles(over(...ring))).toHaveLength(1)
    expect(functionCycles(over(...ring))[0]?.message.length).toBeLessThan(500)
  })

  it('report the same in any order of compilation', () => {
    const view = over(...chain(1200, 'n'))
    const problemOf = (key: string, library = libraryOf(view)) =>
      compileExpression(`${key}(1)`, playground, view, 'any', library).problems
    const shared = libraryOf(view)
    const late = problemOf('f900', shared)
    expect(late).toEqual([])
    expect(problemOf('f0', shared)).toEqual(problemOf('f0'))
  })

  it('are read through a chain of virtual formulas of any length', () => {
    const fields = Array.from({ length: 2500 }, (_, i) => {
      const expression = i === 2499 ? 'config.limits.credit' : `v${i + 1} + 1`
      return field(`v${i}`, 'number', { formula: { expression, stored: false } })
    })
    const { reads } = compileExpression(
      'v0',
      { kind: 'validation_rule', object: 'long' },
      over(objectOf('long', fields)),
    )
    expect(reads.deepSets).toEqual([{ set: 'limits', fields: ['credit'] }])
  })
})

// Results follow what they read by identity: through renames, swaps, removals, reused keys, rollbacks.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOf, type Engines } from '../compose/engines.ts'
import { initOrg, type OpenedOrg } from '../compose/open-org.ts'

let folder: string
let org: OpenedOrg
let engines: Engines

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-identity-'))
  org = initOrg(folder, { name: 'T', environment: 'dev' })
  engines = enginesOf(org)
})
afterEach(async () => {
  await org.close()
  rmSync(folder, { recursive: true, force: true })
})

const by = { actor: 'admin', correlationId: 't' }
const fn = (key: string, expression: string) => ({
  type: 'calc_function',
  key,
  label: key,
  body: { params: [], returns: 'text', expression },
})
const set = (key: string) => ({
  type: 'config_set',
  key,
  label: key,
  body: {
    cardinality: 'singleton',
    scopes: ['app', 'org'],
    fields: [{ key: 'v', type: 'text', required: true }],
    read: { administrator: 'read' },
    edit: { administrator: 'edit' },
  },
})
const entry = (of: string, v: string, scope: object = { kind: 'org' }) => ({
  type: 'config_entry',
  key: `${of}.${'app' in scope ? 'narrow' : 'all'}`,
  label: 'All',
  body: { set: of, scope, values: { v } },
})
const apply = (components: unknown[], ...removals: string[]) =>
  org.apply({ source: { kind: 'components', components, removals: removals as never[] }, actor: 'admin' })
const storeResult = async (expression: string, scope?: object) => {
  const ask = { expression, store: 'R', ...(scope === undefined ? {} : { scope }) }
  return engines.evaluation.evaluate(by, ask)
}
/** Uses the stored result, and the same result given as a file. */
const today = async (
  { resultId, value, binding }: Awaited<ReturnType<typeof storeResult>>,
  expression: string,
) => {
  const requests = [{ resultId: resultId! }, { expression, value, binding }]
  const answers = await Promise.all(
    requests.map((each) =>
      engines.evaluation.recompute(by, each).then(
        (answer) => answer.value,
        (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
      ),
    ),
  )
  expect(answers[1]).toBe(answers[0])
  return answers[0]!
}

describe('a recompute', () => {
  it('does not use a new function in place of the one that had its key', async () => {
    await apply([fn('cf', '"old"')])
    const storedResult = await storeResult('cf()')
    await apply([{ ...fn('cg', '"old"'), renamedFrom: 'cf' }])
    expect(await today(storedResult, 'cf()')).toBe('"old"')
    await apply([fn('cf', '"new"')])
    expect(await today(storedResult, 'cf()')).toBe('"old"')
    await apply([], 'calc_function/cg')
    expect(await today(storedResult, 'cf()')).toMatch(
      /^component.not_found: The calc function cf, .* removed by generation 5, .* Today's cf is a different calc function\./,
    )
  })

  it('does not use a set that was created again in place of the removed one', async () => {
    await apply([set('rate'), entry('rate', '1')])
    const storedResult = await storeResult('config.rate.v')
    await apply([], 'config_entry/rate.all', 'config_set/rate')
    await apply([set('rate'), entry('rate', '1')])
    expect(await today(storedResult, 'config.rate.v')).toMatch(
      /^config.unknown_set: .* removed by generation 3/,
    )
    await org.rollback(2, { actor: 'admin' })
    expect(await today(storedResult, 'config.rate.v')).toBe('"1"')
  })

  it('does not use a field that was added again in place of the removed one', async () => {
    const withFields = (...keys: string[]) => ({
      ...set('rate'),
      body: { ...set('rate').body, fields: keys.map((key) => ({ key, type: 'text' })) },
    })
    const values = (of: Record<string, string>) => ({
      ...entry('rate', ''),
      body: { ...entry('rate', '').body, values: of },
    })
    await apply([withFields('v', 'w'), values({ v: '1', w: '9' })])
    const storedResult = await storeResult('config.rate.v')
    await apply([withFields('w', 'v'), values({ v: '2', w: '9' })])
    expect(await today(storedResult, 'config.rate.v')).toBe('"2"')
    await apply([withFields('w'), values({ w: '9' })])
    expect(await today(storedResult, 'config.rate.v')).toMatch(
      /^expression.invalid: The field v of rate, .* removed by generation 4, so it has no value today\. A replay/,
    )
    await apply([withFields('w', 'x', 'v'), values({ w: '9', v: '777' })])
    expect(await today(storedResult, 'config.rate.v')).toMatch(
      /was removed by generation 4, .* Today's v is a different field\./,
    )
    await org.rollback(3, { actor: 'admin' })
    expect(await today(storedResult, 'config.rate.v')).toBe('"2"')
  })

  it('follows both sets of a swap', async () => {
    await apply([set('a'), entry('a', 'A'), set('b'), entry('b', 'B')])
    const storedResult = await storeResult('config.a.v + config.b.v')
    await apply([
      { ...set('a'), renamedFrom: 'b' },
      { ...set('b'), renamedFrom: 'a' },
    ])
    expect(await today(storedResult, 'config.a.v + config.b.v')).toBe('"AB"')
  })

  it('ignores what only a calc function read, once that no longer reads it', async () => {
    await apply([set('rate'), entry('rate', '1'), fn('cf', 'config.rate.v')])
    const made = await storeResult('cf()')
    await apply([fn('cf', '"2"')], 'config_entry/rate.all', 'config_set/rate')
    expect(await today(made, 'cf()')).toBe('"2"')
  })

  it('runs in the app of the result, not in a new one with its key', async () => {
    const app = (key: string) => ({
      type: 'app',
      key,
      label: key,
      body: { objects: [], pages: [], flows: [], order: 1 },
    })
    const shop = { kind: 'app', app: 'shop' }
    await apply([app('shop'), set('rate'), entry('rate', '1'), entry('rate', '5', shop)])
    const storedResult = await storeResult('config.rate.v', { app: 'shop' })
    expect(storedResult.value).toBe('"5"')
    await apply([{ ...app('store'), renamedFrom: 'shop' }])
    expect(await today(storedResult, 'config.rate.v')).toBe('"5"')
    await apply([], 'config_entry/rate.narrow', 'app/store')
    await apply([app('shop'), entry('rate', '7', shop)])
    expect(await today(storedResult, 'config.rate.v')).toBe('"1"')
  })
})

it('tokens of two clients whose keys are swapped follow their clients', () => {
  const token = (client: string) => ({
    hash: `of ${client}`,
    client,
    user: 'admin',
    expiresAt: '2999-01-01',
    operator: null,
    key: null,
  })
  const client = (was: string) => org.store.read((reader) => reader.tokens.get(`of ${was}`)?.client)
  org.store.write((transactor) => {
    for (const each of ['a', 'b', 'c']) transactor.tokens.put(token(each))
    transactor.tokens.move(
      new Map([
        ['a', 'b'],
        ['b', 'a'],
        ['c', null],
      ]),
    )
  })
  expect(['a', 'b', 'c'].map(client)).toEqual(['b', 'a', undefined])
})

describe('any history of renames, removals, additions and rollbacks', () => {
  const keys = ['a', 'b', 'c', 'd'] as const
  type Key = (typeof keys)[number]
  /** The component of each key; its number is also its value. */
  type State = ReadonlyMap<Key, number>

  const action = fc.oneof(
    { weight: 3, arbitrary: fc.constant('keep' as const) },
    { weight: 4, arbitrary: fc.constantFrom(...keys).map((to) => ({ to })) },
    { weight: 1, arbitrary: fc.constant('remove' as const) },
    { weight: 2, arbitrary: fc.constant('add' as const) },
  )
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(action, action, action, action) },
    { weight: 1, arbitrary: fc.nat().map((back) => ({ back })) },
  )

  /** The requested renames that can be applied together. */
  function possible(state: State, wished: ReadonlyMap<Key, Key>): Map<Key, Key> {
    let renames = [...wished].filter(([from, to]) => state.has(from) && from !== to)
    renames = renames.filter(([, to], at) => renames.findIndex(([, other]) => other === to) === at)
    for (;;) {
      const from = new Map(renames)
      const fit = renames.filter(([, to]) => !state.has(to) || from.has(to))
      if (fit.length === renames.length) return from
      renames = fit
    }
  }

  it('is followed as in a model that has only identities', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
        const home = mkdtempSync(join(tmpdir(), 'almanac-history-'))
        const own = initOrg(home, { name: 'T', environment: 'dev' })
        try {
          const { evaluation } = enginesOf(own)
          const states: State[] = [new Map()]
          const results: { id: string; component: number }[] = []
          let [state, born] = [states[0]!, 0]
          for (const each of steps) {
            if ('back' in each) {
              const generation = 1 + (each.back % states.length)
              state = states[generation - 1]!
              const { unchanged } = await own.rollback(generation, { actor: 'admin' })
              if (unchanged) continue
            } else {
              const wished = keys.flatMap((key, at): [Key, Key][] => {
                const of = each[at]!
                return typeof of === 'object' ? [[key, of.to]] : []
              })
              const renames = possible(state, new Map(wished))
              const next = new Map<Key, number>()
              const components: object[] = []
              const removals: string[] = []
              for (const [at, key] of keys.entries()) {
                const [had, to] = [state.get(key), renames.get(key)]
                if (had !== undefined && to !== undefined) {
                  next.set(to, had)
                  components.push({ ...fn(to, `"${had}"`), renamedFrom: key })
                } else if (had !== undefined && each[at] === 'remove') removals.push(`calc_function/${key}`)
                else if (had !== undefined) next.set(key, had)
                else if (each[at] === 'add' && ![...renames.values()].includes(key)) {
                  next.set(key, (born += 1))
                  components.push(fn(key, `"${born}"`))
                }
              }
              if (components.length + removals.length === 0) continue
              state = next
              const source = { kind: 'components' as const, components, removals: removals as never[] }
              await own.apply({ source, actor: 'admin' })
            }
            states.push(state)
            for (const [key, component] of state) {
              const { resultId } = await evaluation.evaluate(by, { expression: `${key}()`, store: 'R' })
              results.push({ id: resultId!, component })
            }
          }
          const alive = new Set(state.values())
          for (const { id, component } of results) {
            const value = await evaluation.recompute(by, { resultId: id }).then(
              (answer) => answer.value,
              (error: { code: string }) => error.code,
            )
            expect(value).toBe(alive.has(component) ? `"${component}"` : 'component.not_found')
          }
        } finally {
          await own.close()
          rmSync(home, { recursive: true, force: true })
        }
      }),
      { numRuns: 25 },
    )
  }, 120_000)
})

// Generations in storage: any history is read back, at each of its generations, as it was written.
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Component } from '#kernel/components/body-types.ts'
import { idOf, type ComponentId } from '#kernel/components/component.ts'
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { dialects } from './stores.ts'
import { digestOf, entry, writeSteps, type Step } from './write.ts'

/** Business keys, ascending. */
function keysOf(components: Iterable<Component>): string[] {
  const keys = [...components].flatMap((each) => (each.type === 'config_entry' ? [each.body.key!] : []))
  return [...new Set(keys)].sort()
}

describe.each(dialects)('generations on %s', (_, make) => {
  const harness = make()
  afterAll(() => harness.dispose())

  it('read back as written, at every generation of a random history', () => {
    const slug = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const wish = fc.record({ slug, amount: fc.constantFrom('1', '2', '3', 'gone') })
    const history = fc.array(fc.uniqueArray(wish, { selector: (each) => each.slug, minLength: 1 }), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(history, (generations) => {
        const store = harness.create()
        const model: Map<ComponentId, Component>[] = [new Map()]
        for (const wishes of generations) {
          const now = new Map(model.at(-1))
          const steps = wishes.flatMap((each) => stepOf(now, each.slug, each.amount))
          if (steps.length === 0) continue
          model.push(now)
          expect(writeSteps(store, steps, sorted(now))).toBe(model.length - 1)
        }
        store.read((reader) => {
          model.forEach((expected, generation) => {
            const view = reader.generations.view(generation)
            expect([...view.entriesOf('fee')]).toEqual(sorted(expected))
            expect([...view.keys('config_entry')]).toEqual(sorted(expected).map(({ key }) => key))
            expect(view.count('config_entry')).toBe(expected.size)
            const digests = [...reader.components.digests(generation)].sort()
            expect(digests).toEqual([...expected].map(([id, each]) => [id, digestOf(each)]).sort())
            const some = [...model.at(-1)!.keys()].filter((_, at) => at % 2 === 0)
            expect([...reader.components.digestsOf(generation, some)].sort()).toEqual(
              digests.filter(([id]) => some.includes(id)),
            )
            expect(JSON.parse(reader.sets.entryDigests(generation, 'fee'))).toEqual(
              sorted(expected).map(digestOf),
            )
            expect(reader.sets.businessKeys(generation, 'fee')).toEqual(keysOf(expected.values()))
            for (const [other, before] of model.entries()) {
              const ids = new Set([...expected.keys(), ...before.keys()])
              const differing = [...ids]
                .filter((id) => digestAt(expected, id) !== digestAt(before, id))
                .sort()
              expect(reader.components.changedBetween(other, generation)).toEqual(differing)
              // Includes values that were changed and changed back.
              expect(reader.sets.changedKeysBetween(other, generation, 'fee')).toEqual(
                expect.arrayContaining(keysOf(differing.map((id) => expected.get(id) ?? before.get(id)!))),
              )
              const named = other > 0 && generation > 0 && differing.length > 0
              if (other > 0 && generation > 0)
                expect(reader.sets.changedBetween(other, generation)).toEqual(named ? ['fee'] : [])
            }
          })
          for (const key of ['A', 'B', 'C', 'D', 'E']) {
            const id = `config_entry/fee.${key.toLowerCase()}` as const
            const moved = model.flatMap((each, generation) =>
              generation > 0 && digestAt(each, id) !== digestAt(model[generation - 1]!, id)
                ? [generation]
                : [],
            )
            expect(reader.generations.ofKey('fee', key)).toEqual(moved.reverse())
          }
        })
      }),
      { numRuns: 40 },
    )
  })

  it('store unchanged content only once', () => {
    const store = harness.create()
    const all = Array.from({ length: 300 }, (_, index) => entry(`k${index}`, '1'))
    writeSteps(
      store,
      all.map((component) => ({ kind: 'added' as const, component })),
    )
    for (let amount = 2; amount <= 6; amount += 1)
      writeSteps(store, [{ kind: 'changed', component: entry('k7', String(amount)) }])
    store.read((reader) => {
      expect(reader.components.versions('config_entry/fee.k7').map(({ from, to }) => [from, to])).toEqual([
        [6, null],
        [5, 6],
        [4, 5],
        [3, 4],
        [2, 3],
        [1, 2],
      ])
      expect(reader.components.versions('config_entry/fee.k8')).toHaveLength(1)
      expect(reader.components.versionAt(4, 'config_entry/fee.k8')).toMatchObject({
        from: 1,
        to: null,
        actor: 'mara',
      })
      expect(reader.components.versionAt(4, 'config_entry/fee.k7')).toMatchObject({ from: 4, to: 5 })
    })
  })

  it('end the old key when a component is renamed, and audit before and after', () => {
    const store = harness.create()
    writeSteps(store, [{ kind: 'added', component: entry('old', '1') }])
    writeSteps(store, [{ kind: 'renamed', from: 'config_entry/fee.old', component: entry('new', '1') }])
    store.read((reader) => {
      expect([...reader.generations.view(2).keys('config_entry')]).toEqual(['fee.new'])
      expect([...reader.generations.view(1).keys('config_entry')]).toEqual(['fee.old'])
      const [row] = reader.audit.list({ generation: 2 })
      expect(row).toMatchObject({
        component: 'config_entry/fee.new',
        kind: 'renamed',
        actor: 'mara',
        rationale: 'because',
        before: { key: 'fee.old' },
        after: { key: 'fee.new' },
        hints: { renamedFrom: 'old' },
      })
    })
  })

  it.each([3, 250])('find the same components, of a type with %d, however many were read before', (count) => {
    const store = harness.create()
    const apps = Array.from({ length: count }, (_, at) => ({
      ...{ type: 'app' as const, key: `app_${at}`, label: `App ${at}` },
      body: { objects: [], pages: [], flows: [], order: at },
    }))
    writeSteps(
      store,
      apps.map((component) => ({ kind: 'added', component })),
    )
    writeSteps(store, [{ kind: 'removed', id: 'app/app_0' }])
    const keys = apps.map(({ key }) => key)
    const [old, now] = [1, 2].map((generation) => store.read((reader) => reader.generations.view(generation)))
    for (let round = 0; round < 100; round += 1) {
      const at = round % (count + 2)
      expect(old!.has('app', `app_${at}`), `round ${round}`).toBe(at < count)
      expect(now!.get('app', `app_${at}`)?.label, `round ${round}`).toBe(
        at > 0 && at < count ? `App ${at}` : undefined,
      )
    }
    expect([...now!.keys('app')]).toEqual(keys.slice(1).sort())
    expect(now!.has('app', 'app_0')).toBe(false)
    expect(now!.has('app', 'app_1')).toBe(true)
  })

  it('find entries by business key, with and without one', () => {
    const store = harness.create()
    const { key: _, ...body } = entry('x', '9').body
    const keyless: Component = {
      type: 'config_entry',
      key: 'limit.x',
      label: 'Limit',
      body: { ...body, set: 'limit' },
    }
    writeSteps(store, [
      { kind: 'added', component: entry('a', '1') },
      { kind: 'added', component: keyless },
    ])
    const view = store.read((reader) => reader.generations.view(1))
    expect([...view.entriesAt('fee', 'A')].map(({ key }) => key)).toEqual(['fee.a'])
    expect([...view.entriesAt('fee', 'B')]).toEqual([])
    expect([...view.entriesAt('limit', null)].map(({ key }) => key)).toEqual(['limit.x'])
    expect([...view.entriesOf('lim')]).toEqual([])
  })

  it('refuse a generation that does not exist', () => {
    const store = harness.create()
    expect(() => store.read((reader) => reader.generations.view(3))).toThrow(
      expect.objectContaining({ code: 'generation.not_found' }) as AlmanacError,
    )
  })
})

function stepOf(now: Map<ComponentId, Component>, slug: string, amount: string): Step[] {
  const component = entry(slug, amount)
  const id = idOf(component)
  const known = now.get(id)
  if (amount === 'gone') return now.delete(id) ? [{ kind: 'removed', id }] : []
  if (known !== undefined && digestOf(known) === digestOf(component)) return []
  now.set(id, component)
  return [{ kind: known === undefined ? 'added' : 'changed', component }]
}

function sorted(model: ReadonlyMap<ComponentId, Component>): Component[] {
  return [...model.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

function digestAt(model: ReadonlyMap<ComponentId, Component>, id: ComponentId): string | undefined {
  const component = model.get(id)
  return component === undefined ? undefined : digestOf(component)
}

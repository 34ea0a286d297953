import { describe, expect, it } from 'vitest'
import type { Component } from '#kernel/components/body-types.ts'
import { createSigner, verifyBundle } from '#kernel/evidence/index.ts'
import { MemoryOrgStore } from '../../test/support/memory-org-store.ts'
import { entry, buildComponent, normalised } from '../../test/support/metadata.ts'
import { createEvaluation, evidenceOf } from './index.ts'

const dated = (
  key: string,
  country: string,
  rate: string,
  effectiveFrom: string,
  effectiveTo: string | null,
) => entry(key, { key: country, effectiveFrom, effectiveTo, values: { rate } } as never)

const vat = buildComponent('config_set', 'vat', {
  cardinality: 'keyed',
  keyedBy: { key: 'country', type: 'text' },
  effectiveDated: true,
  asOfField: 'invoice.on',
  scopes: ['org', 'environment', 'user'],
  fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4 }],
  read: { readers: 'read' },
  edit: { editors: 'edit' },
})
const gross = (expression: string) =>
  buildComponent('calc_function', 'gross', {
    params: [{ key: 'net', type: 'number' }],
    returns: 'number',
    expression,
  })
const hidden = buildComponent('config_set', 'hidden', {
  cardinality: 'singleton',
  fields: [{ key: 'rate', type: 'number', precision: 4, scale: 2 }],
})
const common: Component[] = [
  buildComponent('permission_set', 'readers', {}),
  buildComponent('permission_set', 'editors', { systemPermissions: ['config.author'] }),
  buildComponent('permission_set', 'shapers', { systemPermissions: ['metadata.author'] }),
  buildComponent('permission_set', 'operators', { systemPermissions: ['operations.manage'] }),
  vat,
  hidden,
  entry('hidden.org', { values: { rate: '1.00' } }),
  buildComponent('feature_flag', 'round_up', {
    owner: 'user:mara',
    expiresOn: '2027-01-01',
    default: true,
    read: { readers: 'read' },
  }),
  buildComponent('calc_function', 'peek', {
    params: [],
    returns: 'number',
    expression: 'config.hidden.rate',
  }),
]
const de1 = dated('vat.de_1', 'DE', '0.16', '1998-04-01', '2007-01-01')
const de2 = dated('vat.de_2', 'DE', '0.19', '2007-01-01', null)
const first = normalised([...common, gross('net * (1 + config.vat("DE").rate)'), de1, de2])
const second = normalised([
  ...common,
  gross('net * (1 + config.vat("DE").rate)'),
  dated('vat.de_1', 'DE', '0.16', '1998-04-01', '2007-01-01'),
  dated('vat.de_2', 'DE', '0.19', '2007-01-01', '2026-01-01'),
  dated('vat.de_3', 'DE', '0.21', '2026-01-01', null),
])
const third = normalised([...second.filter(({ key }) => key !== 'gross'), gross('net * 2')])

function org(generations: Component[][] = [first], facts: object = {}) {
  const store = new MemoryOrgStore(facts)
  for (const [index, components] of generations.entries())
    store.addGeneration(components, index === 0 ? 'admin' : 'mara')
  store.putUser({ key: 'rita', permissionSets: ['readers'] })
  store.putUser({ key: 'sam', permissionSets: ['shapers'] })
  store.putUser({ key: 'otto', permissionSets: ['readers', 'operators'] })
  store.putUser({ key: 'nobody' })
  let count = 0
  const keys = createSigner(new Uint8Array(32).fill(3))
  const engine = createEvaluation({
    store,
    write: async (work) => store.write(work),
    snapshots: store.snapshots(),
    clock: { now: () => '2026-03-01T10:00:00.000Z', today: () => '2026-03-01' },
    ids: { uuid: () => `r${String((count += 1)).padStart(3, '0')}` },
    buildEvidence: async (result) => evidenceOf({ store, snapshotAt: store.snapshots().at, keys }, result),
  })
  return { store, engine }
}
const rita = { actor: 'rita', correlationId: 'c' }
const as = (actor: string) => ({ actor, correlationId: 'c' })
const code = (expected: string) => expect.objectContaining({ code: expected })
const price = {
  expression: 'round(gross(amount), 2)',
  inputs: { amount: { type: 'number', value: '100' } },
  asOf: '2026-06-01',
}

describe('evaluate', () => {
  it('returns value, type and binding, and stores on request, with an audit row', async () => {
    const { engine, store } = org()
    const answer = await engine.evaluate(rita, price)
    expect(answer).toMatchObject({
      value: '"119"',
      type: 'number',
      binding: { generation: 1, asOf: '2026-06-01' },
    })
    expect(answer.resultId).toBeUndefined()
    expect(store.audit).toEqual([])
    const { resultId } = await engine.evaluate(rita, { ...price, store: 'A price' })
    expect(engine.result(rita, resultId!)).toMatchObject({
      label: 'A price',
      value: '"119"',
      inputs: price.inputs,
    })
    expect(store.audit).toMatchObject([
      { component: `result/${resultId}`, kind: 'result.stored', actor: 'rita' },
    ])
  })
  it('has no default date', async () => {
    await expect(org().engine.evaluate(rita, { ...price, asOf: null })).rejects.toThrow(
      code('config.as_of_required'),
    )
    await expect(org().engine.evaluate(rita, { ...price, asOf: '2026-02-30' })).rejects.toThrow(
      code('request.invalid'),
    )
  })
  it('refuses a binary number as input and names the fix', async () => {
    const inputs = { amount: { type: 'number', value: 1.5 } }
    await expect(org().engine.evaluate(rita, { ...price, inputs })).rejects.toThrow(/"1\.5"/)
  })
  it('refuses half of a character, in an input, its name, the scope and the expression', async () => {
    const refused = (expected: string, change: object) =>
      expect(org().engine.evaluate(rita, { ...price, store: 'x', ...change })).rejects.toThrow(code(expected))
    const text = (name: string, value: string) => ({ inputs: { [name]: { type: 'text', value } } })
    await refused('request.invalid', { expression: 't', ...text('t', 'a\ud800') })
    await refused('request.invalid', { expression: '1', ...text('t\udc00', 'a') })
    await refused('request.invalid', { scope: { environment: '\ud800' } })
    await refused('request.invalid', { scope: { permission_set: ['\ud800'] } })
    await refused('expression.invalid', { expression: '1 // \ud800' })
    const { value } = await org().engine.evaluate(rita, { expression: 't', ...text('t', '\ud83d\ude00') })
    expect(value).toBe('"\ud83d\ude00"')
  })
  it('resolves as the caller, or at the given scope', async () => {
    const own = normalised([
      ...first,
      entry('vat.rita', {
        key: 'DE',
        scope: { kind: 'user', user: 'rita' },
        effectiveFrom: '2000-01-01',
        values: { rate: '0.01' },
      } as never),
    ])
    const { engine } = org([own])
    expect((await engine.evaluate(rita, price)).value).toBe('"101"')
    expect((await engine.evaluate(rita, { ...price, scope: {} })).value).toBe('"119"')
    expect((await engine.evaluate(as('otto'), { ...price, scope: { user: 'rita' } })).value).toBe('"101"')
  })
})

describe('reads outside of logic', () => {
  const direct = { expression: 'config.vat("DE").rate', asOf: '2026-06-01' }
  it('need a read grant on every set, through calc functions too', async () => {
    const { engine } = org()
    await expect(engine.evaluate(as('nobody'), direct)).rejects.toThrow(code('expression.invalid'))
    await expect(engine.evaluate(as('nobody'), price)).rejects.toThrow(code('expression.invalid'))
    await expect(engine.evaluate(rita, { expression: 'peek()' })).rejects.toThrow(code('expression.invalid'))
    await expect(engine.evaluate(as('sam'), direct)).rejects.toThrow(code('access.denied'))
    await expect(engine.evaluate(as('sam'), price)).rejects.toThrow(code('access.denied'))
    expect(() => engine.resolve(as('sam'), { set: 'vat', key: 'DE', asOf: '2026-06-01' })).toThrow(
      code('access.denied'),
    )
  })
  it.each([
    ['config.hiddem.rate', /"hidden"/],
    ['flag.round_upp', /"round_up"/],
  ])('report %s as missing, even to users who see definitions', async (expression, near) => {
    const { engine } = org()
    await expect(engine.evaluate(as('sam'), { expression, asOf: '2026-06-01' })).rejects.toMatchObject({
      code: 'expression.invalid',
      message: expect.stringMatching(near) as string,
    })
  })
  it('do not distinguish a hidden set from a missing one for any user', async () => {
    const { engine } = org()
    const refusalOf = (set: string): string => {
      try {
        engine.resolve(rita, { set })
        return ''
      } catch (error) {
        return (error as Error).message.replaceAll(set, '?')
      }
    }
    expect(refusalOf('hidden')).toBe(refusalOf('hiddem'))
    const problems = (name: string): string =>
      JSON.stringify(engine.check(rita, { expression: `config.${name}.rate` }).problems).replaceAll(name, '?')
    expect(problems('hidden')).toBe(problems('hiddem'))
    const { items } = engine.complete(rita, { expression: 'config.', offset: 7 })
    expect(items.map(({ label }) => label)).toEqual(['vat'])
  })
  it('use the current grants, for older generations too', async () => {
    const closed = buildComponent('config_set', 'vat', { ...vat.body, read: {} })
    const { engine, store } = org([first])
    store.addGeneration([...first.filter((each) => each !== vat && each.key !== 'vat'), closed])
    await expect(engine.evaluate(rita, { ...direct, generation: 1 })).rejects.toThrow(
      code('expression.invalid'),
    )
    expect(() => engine.resolve(rita, { set: 'vat', key: 'DE', asOf: '2026-06-01', generation: 1 })).toThrow(
      code('config.unknown_set'),
    )
    const without = common.filter(({ key }) => !['vat', 'peek', 'hidden'].includes(key))
    store.addGeneration(without)
    await expect(engine.evaluate(rita, { ...direct, generation: 1 })).rejects.toThrow(
      code('expression.invalid'),
    )
    const removed = org([first, normalised(without)])
    expect((await removed.engine.evaluate(rita, { ...direct, generation: 1 })).value).toBe('"0.19"')
  })
  it('hide stored results with what they read', async () => {
    const { engine } = org()
    const { resultId } = await engine.evaluate(rita, { ...price, store: 'x' })
    expect(() => engine.result(as('nobody'), resultId!)).toThrow(code('binding.not_found'))
    expect(engine.results(as('nobody'))).toEqual([])
    expect(engine.results(rita)).toHaveLength(1)
  })
})

describe('an expression', () => {
  it('is compiled once, for checking its reads and for its value', async () => {
    const { engine, store } = org([
      normalised([
        buildComponent('value_set', 'countries', { values: [{ key: 'DE', label: 'Germany', active: true }] }),
        buildComponent('config_set', 'vat', {
          ...vat.body,
          effectiveDated: false,
          keyedBy: { key: 'country', type: 'text', valueSet: 'countries' },
        }),
        ...common.filter(({ key }) => key !== 'vat'),
        entry('vat.de', { key: 'DE', values: { rate: '0.19' } } as never),
      ]),
    ])
    // Only the expression checker reads the possible values of a key.
    const looks: string[] = []
    const { view } = store.snapshotAt(1)
    const get = view.get.bind(view)
    view.get = ((type: 'value_set', key: string) => {
      if (type === 'value_set') looks.push(key)
      return get(type, key)
    }) as typeof view.get
    const once = (): number => looks.splice(0).length
    const request = { expression: 'config.vat("DE").rate', store: 'x' }
    const { resultId } = await engine.evaluate(rita, request)
    expect(once()).toBe(1)
    engine.replay(rita, { resultId: resultId! })
    expect(once()).toBe(1)
    await engine.recompute(rita, { resultId: resultId! })
    expect(once()).toBe(1)
  })
})

describe('replay', () => {
  it('returns the same bytes after every later change to the active generation', async () => {
    const { engine, store } = org()
    const { resultId } = await engine.evaluate(rita, { ...price, store: 'x' })
    store.addGeneration(second, 'mara')
    store.addGeneration(third, 'tom')
    const replayed = engine.replay(rita, { resultId: resultId! })
    expect(replayed).toMatchObject({ value: '"119"', identical: true, differences: [] })
    expect(replayed.binding).toEqual(engine.result(rita, resultId!).binding)
    expect((await engine.evaluate(rita, price)).value).toBe('"200"')
  })
  it('repeats every read, with the user who deployed the entry', async () => {
    const { engine } = org([first, second])
    const { resultId } = await engine.evaluate(rita, { ...price, store: 'x' })
    const [walk] = engine.replay(rita, { resultId: resultId! }).steps
    expect(walk).toMatchObject({ set: 'vat', key: 'DE', resolution: { entry: 'vat.de_3' } })
    expect(walk!.steps.at(-1)).toMatchObject({ matched: true, deployedBy: { generation: 2, actor: 'mara' } })
  })
  it('accepts a binding from the caller, and finds its content in another org by digest', async () => {
    const { engine } = org([first])
    const { value, binding } = await engine.evaluate(rita, { ...price, scope: { environment: 'prod' } })
    const elsewhere = org([[...common], second, first, third], {
      environment: 'prod2',
      lineage: 'other',
    }).engine
    const given = { expression: price.expression, inputs: price.inputs, value, binding }
    const replayed = elsewhere.replay(rita, given)
    expect(replayed).toMatchObject({ identical: true, differences: [], honouredEnvironment: 'prod' })
    expect(replayed.binding.generation).toBe(3)
  })
  it('reports per set what differs elsewhere, with the entry of the recorded environment', async () => {
    const prod = entry('vat.de_prod', {
      key: 'DE',
      scope: { kind: 'environment', environment: 'prod' },
      effectiveFrom: '2000-01-01',
      values: { rate: '0.10' },
    } as never)
    const { engine } = org([first])
    const { value, binding } = await engine.evaluate(rita, { ...price, scope: { environment: 'prod' } })
    const elsewhere = org([normalised([...first, prod])], { environment: 'prod' }).engine
    const replayed = elsewhere.replay(rita, { ...price, value, binding })
    expect(replayed).toMatchObject({
      identical: false,
      value: '"110"',
      differences: [{ kind: 'config', key: 'vat' }],
    })
    expect(replayed.differences[0]!.message).toMatch(/environment=prod here: vat\.de_prod/)
    expect(replayed.differences[0]!.message).toContain(
      'Here DE resolves to vat.de_prod at environment=prod: rate 0.1000.',
    )
    expect(replayed.differences[0]!.here).toMatchObject([
      { key: 'DE', entry: 'vat.de_prod', scope: { kind: 'environment' }, values: { rate: '0.1000' } },
    ])
    const { engine: moved } = org([third])
    const [set, called] = moved.replay(rita, {
      ...price,
      expression: 'gross(amount) + config.vat("DE").rate',
      value,
      binding,
    }).differences
    expect(set!.message).toContain('Here DE resolves to vat.de_3: rate 0.2100.')
    expect(called!.message).toMatch(/^The calc function gross is .* here; it was .*: net \* 2$/)
    const without = org([[...common.filter(({ key }) => key !== 'vat'), gross('net')]]).engine
    expect(() => without.replay(rita, { expression: 'config.vat("DE").rate', value, binding })).toThrow(
      code('binding.differs'),
    )
  })
  it('reports a different value as not identical', async () => {
    const { engine } = org()
    const { binding } = await engine.evaluate(rita, price)
    expect(engine.replay(rita, { ...price, value: '"119.0"', binding }).identical).toBe(false)
    expect(() => engine.replay(rita, { ...price, value: '1', binding: {} })).toThrow(code('binding.invalid'))
  })
})

describe('recompute', () => {
  it('resolves again against the active generation and reports why it differs, storing nothing unless requested', async () => {
    const { engine, store } = org()
    const { resultId } = await engine.evaluate(rita, { ...price, store: 'x' })
    store.addGeneration(second, 'mara')
    const answer = await engine.recompute(rita, { resultId: resultId! })
    expect(answer).toMatchObject({
      before: '"119"',
      value: '"121"',
      changed: true,
      binding: { generation: 2 },
    })
    expect(answer.reasons).toEqual([
      'vat changed: vat.de_2 by mara in generation 2, vat.de_3 by mara in generation 2.',
    ])
    expect(engine.result(rita, resultId!).binding.generation).toBe(1)
    store.addGeneration(third, 'tom')
    expect((await engine.recompute(rita, { resultId: resultId! })).reasons[1]).toBe(
      'The calc function gross changed: gross by tom in generation 3.',
    )
  })
  it('reports what changed even if the value did not change', async () => {
    const { engine, store } = org()
    const { resultId } = await engine.evaluate(rita, { ...price, asOf: '2010-01-01', store: 'x' })
    store.addGeneration(second, 'mara')
    const answer = await engine.recompute(rita, { resultId: resultId! })
    expect(answer).toMatchObject({ changed: false })
    expect(answer.reasons).toEqual(['vat changed: vat.de_2 by mara in generation 2.'])
  })
  it('names only what the result reads: its key, its date, its scope', async () => {
    const { engine, store } = org()
    const { resultId } = await engine.evaluate(rita, { ...price, store: 'x' })
    const reasons = async () => (await engine.recompute(rita, { resultId: resultId! })).reasons
    const beside = [...first, dated('vat.fr_1', 'FR', '0.2', '2014-01-01', null)]
    const earlier = beside.filter(({ key }) => key !== 'vat.de_1')
    store.addGeneration(
      normalised([...earlier, dated('vat.de_1', 'DE', '0.15', '1998-04-01', '2007-01-01')]),
      'mara',
    )
    expect(await reasons()).toEqual(['vat changed, but not in anything that is read here.'])
    const scoped = { ...dated('vat.de_dev', 'DE', '0.05', '2020-01-01', null) }
    const body = { ...scoped.body, scope: { kind: 'environment' as const, environment: 'dev' } }
    store.addGeneration(normalised([...beside, { ...scoped, body } as Component]), 'tom')
    // The former entry is unchanged; the one that applies now is new.
    expect(await reasons()).toEqual(['vat changed: vat.de_dev by tom in generation 3.'])
    store.addGeneration(
      normalised([
        ...beside.filter(({ key }) => key !== 'vat'),
        buildComponent('config_set', 'vat', { ...vat.body, scopes: ['org'] }),
      ]),
      'ann',
    )
    expect(await reasons()).toContain('vat changed: vat by ann in generation 4.')
  })
  it('names a flag whose default applies', async () => {
    const { engine, store } = org()
    const request = { expression: 'flag.round_up', store: 'x' }
    const { resultId } = await engine.evaluate(rita, request)
    const off = first.map((each) =>
      each.type === 'feature_flag' ? { ...each, body: { ...each.body, default: false } } : each,
    )
    store.addGeneration(off, 'mara')
    expect((await engine.recompute(rita, { resultId: resultId! })).reasons).toEqual([
      'round_up changed: round_up by mara in generation 2.',
    ])
  })
  it('rebinds: the result releases its generation, audited with before and after', async () => {
    const { engine, store } = org()
    const { resultId } = await engine.evaluate(rita, { ...price, store: 'x' })
    store.addGeneration(second, 'mara')
    expect(await engine.rebind(rita, resultId!)).toMatchObject({ value: '"121"', resultId })
    expect(engine.result(rita, resultId!)).toMatchObject({ value: '"121"', binding: { generation: 2 } })
    expect(store.audit.at(-1)).toMatchObject({
      kind: 'result.rebound',
      before: { value: '"119"' },
      after: { value: '"121"' },
    })
  })
  it("prevents changes to another user's result without operations.manage", async () => {
    const { engine, store } = org()
    store.putUser({ key: 'ruth', permissionSets: ['readers'] })
    const { resultId } = await engine.evaluate(rita, { ...price, store: 'x' })
    await expect(engine.rebind(as('ruth'), resultId!)).rejects.toThrow(code('access.denied'))
    await expect(engine.archive(as('ruth'), resultId!)).rejects.toThrow(code('access.denied'))
    expect((await engine.rebind(as('otto'), resultId!)).changed).toBe(false)
  })
})

describe('archive', () => {
  it('returns evidence that verifies without an org, even after the history was purged', async () => {
    const { engine, store } = org()
    const { resultId } = await engine.evaluate(rita, { ...price, store: 'x' })
    store.addGeneration(second, 'mara')
    const { evidence } = await engine.archive(rita, resultId!)
    expect(await engine.evidence(rita, resultId!)).toBe(evidence)
    expect(verifyBundle(evidence)).toMatchObject({ ok: true, value: '"119"' })
    expect(engine.result(rita, resultId!).state).toBe('archived')
    expect(store.audit.at(-1)).toMatchObject({ kind: 'result.archived', after: { state: 'archived' } })
    store.forget(1)
    await expect(engine.evidence(rita, resultId!)).rejects.toThrow(code('generation.not_found'))
    expect(verifyBundle(evidence).ok).toBe(true)
  })
})

describe('explain', () => {
  it('names the user who deployed each entry, and a flag by its own version', async () => {
    const { engine } = org([first, second])
    const flag = engine.explain(rita, { set: 'round_up' })
    expect(flag.resolution).toMatchObject({ entry: 'round_up', values: { value: true } })
    expect(flag.steps).toMatchObject([{ matched: true, deployedBy: { generation: 1, actor: 'admin' } }])
    const before = engine.explain(rita, { set: 'vat', key: 'DE', asOf: '1990-01-01' })
    expect(before).toMatchObject({ resolution: null, error: { code: 'config.not_effective' } })
    const old = engine.explain(rita, { set: 'vat', key: 'DE', asOf: '2026-06-01', generation: 1 })
    expect(old.resolution).toMatchObject({ entry: 'vat.de_2', generation: 1 })
  })
})

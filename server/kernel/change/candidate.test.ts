import { describe, expect, it } from 'vitest'
import type { Component } from '../components/body-types.ts'
import type { ApplyHints } from '../components/component.ts'
import { MemoryView } from '../components/memory-view.ts'
import { component, date, principals } from '../components/rule-fixture.ts'
import { buildCandidate } from './candidate.ts'
import { changeDigest, buildPlan, plannedChanges } from './plan.ts'
import { nobleSha256 } from './sha256.ts'
import { validateCandidate, validateView } from './validate.ts'
import { describeChange } from './change-description.ts'

const set = (more: object = {}): Component =>
  component('config_set/vat', {
    cardinality: 'keyed',
    keyedBy: { key: 'territory', type: 'text' },
    scopes: ['org', 'environment'],
    effectiveDated: true,
    asOfField: 'invoice.tax_point',
    fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
    ...more,
  })
const invoice = component('object/invoice', {
  fields: [
    { key: 'name', type: 'text', required: true },
    { key: 'tax_point', type: 'date', required: true },
    { key: 'net', type: 'number', precision: 12, scale: 2 },
    {
      key: 'vat',
      type: 'number',
      precision: 12,
      scale: 2,
      formula: { expression: 'net * config.vat(name).rate', stored: true },
    },
  ],
  nameField: 'name',
}) as Component
const entry = (slug: string, rate: string, more: object = {}): Component =>
  component(`config_entry/vat.${slug}`, {
    set: 'vat',
    key: 'DE',
    scope: { kind: 'org' },
    effectiveFrom: '2007-01-01',
    values: { rate },
    ...more,
  })

const base = new MemoryView([set(), invoice, entry('de_2007', '0.1900')])

function candidateOf(
  components: (Component | [Component, ApplyHints])[],
  removals: string[] = [],
  prune = false,
) {
  const candidateComponents = components.map((each) =>
    Array.isArray(each) ? { component: each[0], hints: each[1] } : { component: each, hints: {} },
  )
  return buildCandidate(base, { components: candidateComponents, removals: removals as never, prune })
}

function findingTexts(candidate: ReturnType<typeof candidateOf>): string[] {
  const { findings } = validateCandidate(candidate, base, { today: date('2026-11-01'), principals })
  return findings.map(({ code, component: of }) => `${code} ${of}`)
}

describe('buildCandidate', () => {
  it('finds no change in the same content with a different notation', () => {
    expect(candidateOf([entry('de_2007', '0.19'), set({ scopes: ['environment', 'org'] })]).changes).toEqual(
      [],
    )
  })

  it('returns added, changed and removed components, ordered by type and key', () => {
    const { changes } = candidateOf(
      [
        entry('de_2007', '0.19', { effectiveTo: '2027-01-01' }),
        entry('de_2027', '0.21', { effectiveFrom: '2027-01-01' }),
      ],
      ['object/invoice'],
    )
    expect(changes.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'changed config_entry/vat.de_2007',
      'added config_entry/vat.de_2027',
      'removed object/invoice',
    ])
  })

  it('normalises the entries that a new scale affects, even if they are not in the list', () => {
    const { changes } = candidateOf([
      set({ fields: [{ key: 'rate', type: 'number', precision: 8, scale: 6, required: true }] }),
    ])
    expect(changes.map(({ id }) => id)).toEqual(['config_set/vat', 'config_entry/vat.de_2007'])
    const moved = changes[1]!
    expect(moved.kind === 'changed' && moved.values).toEqual([
      { path: '/body/values/rate', before: '0.1900', after: '0.190000' },
    ])
  })

  it('applies a rename to entries and formulas, and lists them', () => {
    const renamed = { ...set(), key: 'value_added' } as Component
    const candidate = candidateOf([[renamed, { renamedFrom: 'vat' }]])
    expect(candidate.changes.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'renamed config_set/value_added',
      'renamed config_entry/value_added.de_2007',
      'changed object/invoice',
    ])
    const formula = candidate.view.get('object', 'invoice')?.body.fields[3]?.formula?.expression
    expect(formula).toBe('net * config.value_added(name).rate')
    expect(findingTexts(candidate)).toEqual([])
  })

  it('applies a rename to unchanged components in the list, as in a retrieved directory', () => {
    const renamed: [Component, ApplyHints] = [
      { ...set(), key: 'value_added' } as Component,
      { renamedFrom: 'vat' },
    ]
    const alone = candidateOf([renamed])
    // A different notation of the same content.
    const untouched = [invoice, entry('de_2007', '0.19')]
    for (const prune of [false, true]) {
      const among = candidateOf([...untouched, renamed], [], prune)
      expect(among.changes).toEqual(alone.changes)
      expect(findingTexts(among)).toEqual([])
    }
  })

  it('applies a rename to what is changed in the same list', () => {
    const renamed: [Component, ApplyHints] = [
      { ...set(), key: 'value_added' } as Component,
      { renamedFrom: 'vat' },
    ]
    const edited = candidateOf([renamed, entry('de_2007', '0.2'), { ...invoice, label: 'Bill' } as Component])
    expect(findingTexts(edited)).toEqual([])
    expect(edited.changes.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'renamed config_set/value_added',
      'renamed config_entry/value_added.de_2007',
      'changed object/invoice',
    ])
    const { view } = edited
    expect(view.get('config_entry', 'value_added.de_2007')?.body.values).toEqual({ rate: '0.2000' })
    expect(view.get('object', 'invoice')).toMatchObject({ label: 'Bill' })
    expect(view.get('object', 'invoice')?.body.fields[3]?.formula?.expression).toBe(
      'net * config.value_added(name).rate',
    )
  })

  it('applies a rename to an entry that is added or removed under the old name', () => {
    const renamed: [Component, ApplyHints] = [
      { ...set(), key: 'value_added' } as Component,
      { renamedFrom: 'vat' },
    ]
    const added = candidateOf([renamed, { ...entry('at_2020', '0.2'), key: 'vat.at_2020' } as Component])
    expect(added.view.has('config_entry', 'value_added.at_2020')).toBe(true)
    const removed = candidateOf([renamed], ['config_entry/vat.de_2007'])
    expect(removed.findings).toEqual([])
    expect(removed.changes.map(({ kind, id }) => `${kind} ${id}`)).toContain(
      'removed config_entry/vat.de_2007',
    )
    const both = candidateOf([
      renamed,
      entry('de_2007', '0.2'),
      {
        ...entry('de_2007', '0.3'),
        key: 'value_added.de_2007',
        body: { ...entry('de_2007', '0.3').body, set: 'value_added' },
      } as Component,
    ])
    expect(both.findings.map(({ code }) => code)).toEqual(['component.duplicate'])
  })

  it('keeps a name that a new component has in the same list', () => {
    const renamed: [Component, ApplyHints] = [
      { ...set(), key: 'value_added' } as Component,
      { renamedFrom: 'vat' },
    ]
    const other: [Component, ApplyHints] = [{ ...set(), key: 'vat' } as Component, { renamedFrom: 'other' }]
    const before = new MemoryView([
      set(),
      { ...set(), key: 'other' } as Component,
      entry('de_2007', '0.1900'),
    ])
    const { view, findings } = buildCandidate(before, {
      components: [renamed, other, [entry('de_2007', '0.2'), {}] as const].map(([component, hints]) => ({
        component,
        hints,
      })),
    })
    expect(findings).toEqual([])
    expect(view.get('config_entry', 'vat.de_2007')?.body.values).toEqual({ rate: '0.2000' })
    expect(view.get('config_entry', 'value_added.de_2007')?.body.values).toEqual({ rate: '0.1900' })
  })

  it('refuses a rename without a source, and a duplicate component', () => {
    const { findings } = candidateOf([
      [{ ...set(), key: 'other' } as Component, { renamedFrom: 'vta' }],
      entry('de_2007', '0.19'),
      entry('de_2007', '0.20'),
    ])
    expect(findings.map(({ code }) => code)).toEqual(['component.duplicate', 'component.rename_source'])
    expect(findings[1]!.message).toMatch(/Did you mean "vat"/)
  })

  it('removes absent components with prune, and only then', () => {
    expect(candidateOf([set(), invoice]).changes).toEqual([])
    expect(candidateOf([set(), invoice], [], true).changes.map(({ id }) => id)).toEqual([
      'config_entry/vat.de_2007',
    ])
  })
})

describe('validateCandidate', () => {
  it.each<[string, () => ReturnType<typeof candidateOf>, string[]]>([
    [
      'a gap that a change causes',
      () =>
        candidateOf([
          entry('de_2028', '0.2', { effectiveFrom: '2028-01-01' }),
          entry('de_2007', '0.19', { effectiveTo: '2027-01-01' }),
        ]),
      ['config.range_gap config_entry/vat.de_2007'],
    ],
    [
      'an overlap',
      () => candidateOf([entry('de_2028', '0.2', { effectiveFrom: '2028-01-01' })]),
      ['config.range_overlap config_entry/vat.de_2028'],
    ],
    [
      'a set removed while it has readers and entries, once',
      () => candidateOf([], ['config_set/vat']),
      ['deploy.still_referenced config_set/vat'],
    ],
    [
      'a set pruned while it has readers, once',
      () => candidateOf([invoice], [], true),
      ['deploy.still_referenced config_set/vat'],
    ],
    [
      'an object removed while it is referenced, once',
      () => candidateOf([], ['object/invoice']),
      ['deploy.still_referenced object/invoice'],
    ],
    [
      'a formula broken by a distant change',
      () => candidateOf([set({ fields: [{ key: 'percent', type: 'number', precision: 6, scale: 4 }] })]),
      ['config.value_unknown_field config_entry/vat.de_2007', 'expr.unknown_name object/invoice'],
    ],
    [
      'an as-of field that is not temporal any more',
      () =>
        candidateOf([
          {
            ...invoice,
            body: {
              ...invoice.body,
              fields: (invoice as never as { body: { fields: object[] } }).body.fields.map((f, i) =>
                i === 1 ? { ...f, type: 'text' } : f,
              ),
            },
          } as Component,
        ]),
      ['config.as_of_field config_set/vat'],
    ],
  ])('finds %s', (_, candidate, findings) => {
    expect(findingTexts(candidate()).sort()).toEqual(expect.arrayContaining(findings))
  })

  it('accepts a rename of a component that a frozen flag names as no change to the flag', () => {
    const app = component('app/shop', { order: 1 }) as Component
    const testers = component('permission_set/testers', {}) as Component
    const flag = component('feature_flag/old', {
      owner: 'user:mara',
      expiresOn: '2026-01-01',
      rationale: 'until the bank answers',
      scopes: ['org', 'app', 'permission_set'],
      read: { testers: 'read' },
    }) as Component
    const scoped = (slug: string, scope: object): Component =>
      component(`config_entry/old.${slug}`, { set: 'old', scope, values: { value: true } })
    const old = new MemoryView([
      app,
      testers,
      flag,
      scoped('shop', { kind: 'app', app: 'shop' }),
      {
        ...scoped('testers', { kind: 'permission_set', permissionSet: 'testers' }),
        body: {
          ...scoped('testers', { kind: 'permission_set', permissionSet: 'testers' }).body,
          priority: 1,
        },
      } as Component,
    ])
    const components = [
      { component: { ...app, key: 'store' }, hints: { renamedFrom: 'shop' } },
      { component: { ...testers, key: 'qa' }, hints: { renamedFrom: 'testers' } },
    ]
    const candidate = buildCandidate(old, { components })
    expect(candidate.changes.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'changed config_entry/old.shop',
      'changed config_entry/old.testers',
      'changed feature_flag/old',
      'renamed app/store',
      'renamed permission_set/qa',
    ])
    const { findings } = validateCandidate(candidate, old, { today: date('2026-11-01'), principals })
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  describe('with a renamed frozen flag', () => {
    const flag = (key: string, more: object = {}): Component =>
      component(`feature_flag/${key}`, {
        owner: 'user:mara',
        expiresOn: '2026-01-01',
        rationale: 'until the bank answers',
        scopes: ['org', 'environment'],
        ...more,
      })
    const scoped = (of: string, value: boolean): Component =>
      component(`config_entry/${of}.test`, {
        set: of,
        scope: { kind: 'environment', environment: 'test' },
        values: { value },
      })
    const old = new MemoryView([flag('old'), scoped('old', true), flag('other')])
    const codes = (given: [Component, ApplyHints][]) => {
      const input = { components: given.map(([each, hints]) => ({ component: each, hints })) }
      const candidate = buildCandidate(old, input)
      const { findings } = validateCandidate(candidate, old, { today: date('2026-11-01'), principals })
      return findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)
    }
    const renamed: ApplyHints = { renamedFrom: 'old' }

    it.each<[string, [Component, ApplyHints][], string[]]>([
      ['only its key moves', [[flag('fresh'), renamed]], []],
      ['its default flips', [[flag('fresh', { default: true }), renamed]], ['flag.frozen']],
      [
        'a scope entry flips',
        [
          [flag('fresh'), renamed],
          [scoped('fresh', false), {}],
        ],
        ['flag.frozen'],
      ],
      [
        'its expiry moves without a new rationale',
        [[flag('fresh', { expiresOn: '2028-01-01' }), renamed]],
        ['flag.rationale'],
      ],
      [
        'its scope entry moves to a different frozen flag',
        [[scoped('other', true), { renamedFrom: 'old.test' }]],
        ['flag.frozen', 'flag.frozen'],
      ],
    ])('validates it if %s', (_, given, expected) => {
      expect(codes(given)).toEqual(expected)
    })
  })

  describe('with entries whose key an expression names', () => {
    const keyed = (type: string, key: string, more: object = {}) =>
      component(`config_set/${key}`, {
        cardinality: 'keyed',
        keyedBy: { key: 'k', type, ...more },
        fields: [{ key: 'n', type: 'number', precision: 6, scale: 0 }],
      }) as Component
    const row = (set: string, slug: string, key: string) =>
      component(`config_entry/${set}.${slug}`, {
        set,
        key,
        scope: { kind: 'org' },
        values: { n: '1' },
      }) as Component
    const values = (...keys: string[]) =>
      component('value_set/currency', { values: keys.map((key) => ({ key, label: key })) }) as Component
    const calc = (key: string, expression: string) =>
      component(`calc_function/${key}`, { returns: 'number', expression }) as Component
    const org = new MemoryView([
      keyed('enum', 'digits', { valueSet: 'currency' }),
      keyed('number', 'tier'),
      values('EUR', 'USD'),
      row('digits', 'eur', 'EUR'),
      row('digits', 'usd', 'USD'),
      row('tier', 'a', '1'),
      row('tier', 'b', '-2'),
      row('tier', 'b2', '3'),
      calc('usd', 'config.digits("USD").n + config.tier(1.0).n'),
      calc('low', 'usd() > 1 ? config.tier(-2).n : 0'),
    ])
    const findingsOf = (components: Component[], removals: string[] = [], hints: ApplyHints = {}) => {
      const candidateComponents = components.map((each) => ({ component: each, hints }))
      const candidate = buildCandidate(org, { components: candidateComponents, removals: removals as never })
      return validateCandidate(candidate, org, { today: date('2026-11-01'), principals }).findings
    }
    const codes = (components: Component[], removals: string[] = [], hints: ApplyHints = {}) =>
      findingsOf(components, removals, hints).map(({ code, component: of, path }) => `${code} ${of}${path}`)

    it('refuses to remove the last one, and names the reader', () => {
      expect(codes([], ['config_entry/digits.eur'])).toEqual([])
      const [finding, ...more] = findingsOf([], ['config_entry/digits.usd'])
      expect(more).toEqual([])
      expect(finding).toMatchObject({
        code: 'deploy.still_referenced',
        component: 'config_entry/digits.usd',
        related: [{ component: 'calc_function/usd', path: '/body/expression' }],
      })
      expect(finding?.message).toContain('config.digits("USD")')
      expect(finding?.message).toContain('calc_function/usd')
    })

    it('compares numbers by value, and recognises a changed key', () => {
      expect(codes([], ['config_entry/tier.a', 'config_entry/tier.b', 'config_entry/tier.b2'])).toEqual([
        'deploy.still_referenced config_entry/tier.a',
        'deploy.still_referenced config_entry/tier.b',
      ])
      expect(codes([row('tier', 'a', '7')])).toEqual(['deploy.still_referenced config_entry/tier.a/body/key'])
    })

    it('accepts the removal if another one stays, or the reader changes too', () => {
      expect(codes([row('tier', 'c', '1.0')], ['config_entry/tier.a'])).toEqual([])
      expect(codes([calc('usd', 'config.tier(1).n')], ['config_entry/digits.usd'])).toEqual([])
      const renamed = { ...keyed('number', 'level') }
      expect(codes([renamed], [], { renamedFrom: 'tier' })).toEqual([])
    })

    it('validates them again when the value set of the key changes', () => {
      const found = codes([values('EUR')])
      expect(found).toContain('expr.unknown_name calc_function/usd/body/expression')
      expect(found).toContain('expr.function calc_function/low/body/expression')
    })
  })

  it('refuses a calc function that would get the name of a built-in by a rename', () => {
    const gross = component('calc_function/gross', { returns: 'number', expression: '1' }) as Component
    const formula = { expression: 'gross()', stored: true }
    const user = component('object/user', {
      fields: [{ key: 'n', type: 'number', precision: 6, scale: 2, formula }],
    }) as Component
    const org = new MemoryView([gross, user])
    const candidate = buildCandidate(org, {
      components: [{ component: { ...gross, key: 'ceil' }, hints: { renamedFrom: 'gross' } }],
    })
    const { findings } = validateCandidate(candidate, org, { today: date('2026-11-01'), principals })
    expect(findings.map(({ code, component: of, path }) => `${code} ${of}${path}`)).toContain(
      'calc.key_taken calc_function/ceil/key',
    )
  })

  it('validates a whole view like its parts', () => {
    expect(validateView(base, { today: date('2026-11-01'), principals }).findings).toEqual([])
  })

  it('does not validate components again that no change affects', () => {
    const broken = new MemoryView([set(), invoice, entry('de_2007', '0.19', { effectiveTo: '2008-01-01' })])
    const added = component('config_entry/vat.fr', {
      ...(entry('x', '0.2').body as object),
      key: 'FR',
    }) as Component
    const candidate = buildCandidate(broken, { components: [{ component: added, hints: {} }] })
    expect(validateCandidate(candidate, broken, { today: date('2026-11-01'), principals }).findings).toEqual(
      [],
    )
    expect(validateView(broken, { today: date('2026-11-01'), principals }).findings).toHaveLength(1)
  })
})

describe('a plan', () => {
  const { changes } = candidateOf([entry('de_2007', '0.21'), entry('de_2030', '0.22', { key: 'FR' })])
  const budget = { used: 10, added: 5, limit: 64, left: 49 }

  it('has one digest for any order of its changes', () => {
    const planned = plannedChanges(changes, nobleSha256)
    expect(changeDigest([...planned].reverse(), nobleSha256)).toBe(changeDigest(planned, nobleSha256))
    expect(changeDigest(planned.slice(1), nobleSha256)).not.toBe(changeDigest(planned, nobleSha256))
  })

  it('refuses slices over the budget, with the fix', () => {
    const plan = buildPlan(
      { lineage: 'x', base: 1, changes, findings: [], budget: { ...budget, left: -2048 } },
      nobleSha256,
    )
    expect(plan.findings).toMatchObject([{ code: 'deploy.slice_budget', severity: 'error' }])
    expect(plan.findings[0]!.message).toMatch(/2 KiB more than the 64 B/)
  })
})

describe('changeWords', () => {
  it.each<[string, () => ReturnType<typeof candidateOf>, object]>([
    [
      'a value',
      () => candidateOf([entry('de_2007', '0.21')]),
      { title: 'vat, DE, org', before: '0.1900', after: '0.2100', takesEffect: 'from 1 Jan 2007' },
    ],
    [
      'a last day',
      () => candidateOf([entry('de_2007', '0.19', { effectiveTo: '2027-01-01' })]),
      {
        title: 'vat, DE, org, last day of 0.1900',
        before: 'open',
        after: '31 Dec 2026',
        // The value of earlier days stays.
        takesEffect: 'from 1 Jan 2027',
      },
    ],
    [
      'everything that differs at once',
      () => candidateOf([entry('de_2007', '0.2', { key: 'AT', effectiveFrom: '2001-01-01' })]),
      {
        title: 'vat, AT, org',
        before: 'DE; 0.1900; from 1 Jan 2007',
        after: 'AT; 0.2000; from 1 Jan 2001',
        takesEffect: 'from 1 Jan 2001',
      },
    ],
    [
      'a moved business key',
      () => candidateOf([entry('de_2007', '0.19', { key: 'AT' })]),
      {
        title: 'vat, AT, org, business key of 0.1900',
        before: 'DE',
        after: 'AT',
        takesEffect: 'from 1 Jan 2007',
      },
    ],
    [
      'a value changed under a rename',
      () => candidateOf([[entry('de_new', '0.77'), { renamedFrom: 'vat.de_2007' }]]),
      {
        title: 'vat, DE, org',
        before: 'key vat.de_2007; 0.1900; label vat.de_2007',
        after: 'key vat.de_new; 0.7700; label vat.de_new',
        takesEffect: 'from 1 Jan 2007',
      },
    ],
    [
      'only a rename',
      () => candidateOf([[{ ...set(), key: 'value_added' } as Component, { renamedFrom: 'vat' }]]),
      { title: 'configuration set vat', before: 'vat', after: 'value_added', takesEffect: 'immediately' },
    ],
    [
      'a definition changed under a rename',
      () =>
        candidateOf([
          [{ ...set({ scopes: ['org'] }), key: 'value_added' } as Component, { renamedFrom: 'vat' }],
        ]),
      {
        title: 'configuration set vat, Key; Scope chain',
        before: 'vat; environment, org',
        after: 'value_added; org',
        takesEffect: 'immediately',
      },
    ],
    [
      'a grant to a permission set under a different key',
      () =>
        buildCandidate(
          new MemoryView([
            component('permission_set/ta', {}),
            set({ read: { ta: 'read' }, edit: { ta: 'edit' } }),
          ]),
          {
            components: [
              { component: component('permission_set/tax_author', {}), hints: { renamedFrom: 'ta' } },
            ],
          },
        ),
      {
        title: 'configuration set vat, Can edit; Can read',
        before: 'ta; ta',
        after: 'tax_author; tax_author',
        takesEffect: 'immediately',
      },
    ],
    [
      'a new row',
      () => candidateOf([entry('de_2027', '0.21', { effectiveFrom: '2027-01-01' })]),
      { title: 'vat, DE, org', before: 'none', after: '0.2100', takesEffect: 'from 1 Jan 2027' },
    ],
    [
      'a new row with a last day',
      () =>
        candidateOf([
          entry('fr_2027', '0.21', { key: 'FR', effectiveFrom: '2027-01-01', effectiveTo: '2028-01-01' }),
        ]),
      {
        title: 'vat, FR, org',
        before: 'none',
        after: '0.2100',
        takesEffect: 'from 1 Jan 2027 to 31 Dec 2027',
      },
    ],
    [
      'a definition',
      () => candidateOf([set({ scopes: ['org'] })]),
      {
        title: 'configuration set vat, Scope chain',
        before: 'environment, org',
        after: 'org',
        takesEffect: 'immediately',
      },
    ],
  ])('describes %s', (_, candidate, words) => {
    const { changes, view } = candidate()
    expect(
      describeChange(
        changes.find(({ id }) => !id.startsWith('permission_set/'))!,
        view,
      ),
    ).toEqual(words)
  })

  it('describes the values of a set with a different key in the same order', () => {
    const fields = ['rate', 'low'].map((key) => ({ key, type: 'number', precision: 6, scale: 4 }))
    const row = entry('de_2007', '0.1900', { values: { low: '0.0700', rate: '0.1900' } })
    const { changes, view } = buildCandidate(new MemoryView([set({ fields }), row, invoice]), {
      components: [
        { component: { ...set({ fields }), key: 'value_added' } as Component, hints: { renamedFrom: 'vat' } },
      ],
    })
    const moved = changes.find(({ id }) => id === 'config_entry/value_added.de_2007')!
    const { before, after } = describeChange(moved, view)
    expect([before, after].map((text) => text.includes('0.1900') || text.includes('0.0700'))).toEqual([
      false,
      false,
    ])
  })
})

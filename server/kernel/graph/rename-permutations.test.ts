// Renames that permute the keys of an org: every name follows the identity of its component. The org is written as a
// function of its names, so the org after a rename is the same org under other names.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Component } from '../components/body-types.ts'
import { idOf, type ComponentType } from '../components/component.ts'
import { MemoryView } from '../components/memory-view.ts'
import { component } from '../components/rule-fixture.ts'
import { planRename, type ComponentRename } from './index.ts'

/** The name of each of three components, by type. */
type Names = (type: ComponentType, at: number) => string
const at = [0, 1, 2] as const
const types = [
  ...([
    'object',
    'config_set',
    'permission_set',
    'value_set',
    'calc_function',
    'feature_flag',
    'app',
  ] as const),
  ...(['event_channel', 'external_credential', 'named_credential', 'list_view', 'automation'] as const),
  ...(['external_data_source', 'layout', 'webhook_endpoint'] as const),
]
const pool = ['alpha', 'beta', 'gamma', 'delta', 'read', 'name']

/** Components that name each other in every way that a rename follows; each has content of its own. */
function orgOf(name: Names): Component[] {
  const { object, set, permissionSet, fields } = namesOf(name)
  const grants = (right: string, of: number): object =>
    Object.fromEntries(at.filter((each) => each !== of).map((each) => [permissionSet(each), right]))
  return at.flatMap((i): Component[] => {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3]
    return [
      component(`object/${object(i)}`, {
        fields: fields(i, j),
        nameField: 'name',
        sharing: { rules: [{ key: 'r', when: 'n > 0', permissionSet: permissionSet(i), access: 'read' }] },
      }),
      component(`permission_set/${permissionSet(i)}`, {
        objects: { [object(i)]: { read: true, update: true }, [object(j)]: { read: true } },
        fields: {
          [`${object(i)}.name`]: { read: true, edit: true },
          [`${object(j)}.name`]: { read: true },
          [`${object(k)}.n`]: { read: true },
        },
      }),
      component(`config_set/${set(i)}`, {
        cardinality: 'singleton',
        scopes: ['permission_set', 'app', 'org'],
        effectiveDated: true,
        asOfField: [`${object(i)}.day`, `${object(j)}.day`],
        fields: [
          { key: 'v', type: 'number', precision: 9, scale: i },
          { key: 'kind', type: 'enum', valueSet: name('value_set', i) },
          { key: 'login', type: 'credential_reference' },
        ],
        read: grants('read', i),
        edit: { [permissionSet(i)]: 'edit' },
      }),
      ...[
        ['org', { kind: 'org' }, {}],
        ['app', { kind: 'app', app: name('app', j) }, {}],
        ['held', { kind: 'permission_set', permissionSet: permissionSet(k) }, { priority: i }],
      ].map(([slug, scope, more]) =>
        component(`config_entry/${set(i)}.${slug as string}`, {
          ...{ set: set(i), scope, effectiveFrom: '2020-01-01', ...(more as object) },
          values: { v: String(i), kind: 'a', login: name('named_credential', j) },
        }),
      ),
      component(`config_entry/${name('feature_flag', i)}.on`, {
        ...{ set: name('feature_flag', i), scope: { kind: 'app', app: name('app', i) } },
        values: { value: true },
      }),
      component(`value_set/${name('value_set', i)}`, {
        values: [{ key: 'a', label: `A${i}`, active: true }],
      }),
      component(`calc_function/${name('calc_function', i)}`, {
        params: [{ key: 'p', type: 'number' }],
        returns: 'number',
        expression:
          i === 0
            ? `p + ${i}`
            : `${name('calc_function', i - 1)}(p) + (flag.${name('feature_flag', j)} ? ${i} : 0)`,
      }),
      component(`feature_flag/${name('feature_flag', i)}`, {
        ...{ owner: { user: 'mara' }, expiresOn: '2027-01-01', scopes: ['app', 'org'], default: i === 0 },
        ...{ read: grants('read', i), edit: { [permissionSet(j)]: 'edit' } },
      }),
      component(`app/${name('app', i)}`, {
        objects: [object(i), object(k)],
        flows: [{ key: 'f', label: 'F', object: object(j), steps: [step(name('automation', i))] }],
        pages: [page(name('list_view', i), object(k))],
      }),
      component(`event_channel/${name('event_channel', i)}`, {
        ...{ object: object(i), retentionDays: i + 1, fields: ['alpha', 'name'] },
      }),
      component(`external_credential/${name('external_credential', i)}`, {
        scheme: 'basic',
        principals: [{ key: `p${i}`, grantedTo: [permissionSet(i), permissionSet(j)] }],
      }),
      component(`named_credential/${name('named_credential', i)}`, {
        url: `https://${i}.example`,
        externalCredential: name('external_credential', j),
        principal: `p${j}`,
      }),
      component(`external_data_source/${name('external_data_source', i)}`, {
        ...{ adapter: 'odata_v4', namedCredential: name('named_credential', i), pageSize: i + 1 },
      }),
      component(`list_view/${name('list_view', i)}`, {
        ...{ object: object(i), columns: ['name', 'alpha.alpha'], orderBy: [{ field: 'n', dir: 'asc' }] },
        filter: `n > ${i} && alpha.name == "x"`,
      }),
      component(`layout/${name('layout', i)}`, {
        object: object(i),
        sections: [section([{ id: 'a', type: 'field', key: 'alpha.alpha', inputs: {} }])],
      }),
      component(`webhook_endpoint/${name('webhook_endpoint', i)}`, {
        ...{ path: `/h/${i}`, runAs: 'mara' },
        verification: {
          ...{ scheme: 'hmac_sha256', signatureHeader: 'X-Signature' },
          externalCredential: name('external_credential', i),
        },
        dispatch: { upsert: { object: object(k), externalId: 'name', values: { name: '/n', alpha: '/a' } } },
      }),
      component(`automation/${name('automation', i)}`, {
        phase: 'invocable',
        params: [{ key: 'amount', type: 'number' }],
        grantedTo: [permissionSet(i), permissionSet(k)],
        actions: [
          ...[{ type: 'create', key: 'c', object: object(j), values: { name: '"x"', alpha: '"y"' } }],
          ...[{ type: 'publish', key: 'e', channel: name('event_channel', k), payload: {} }],
        ],
      }),
    ]
  })
}

function namesOf(name: Names) {
  const object = (i: number): string => name('object', i)
  const set = (i: number): string => name('config_set', i)
  const permissionSet = (i: number): string => name('permission_set', i)
  const fields = (i: number, j: number): object[] => [
    { key: 'name', type: 'text' },
    { key: 'n', type: 'number', precision: 9, scale: i },
    { key: 'day', type: 'date', required: true },
    // Has the name that an object can have, too.
    { key: 'alpha', type: 'reference', references: object(i) },
    { key: 'next', type: 'reference', references: object(j) },
    { key: 'kind', type: 'enum', valueSet: name('value_set', j) },
    { key: 'count', type: 'number', rollup: { child: object(i), via: 'alpha', op: 'count' } },
    {
      key: 'total',
      ...{ type: 'number', precision: 18, scale: 2 },
      formula: { expression: `next.n * config.${set(i)}.v + ${name('calc_function', j)}(n)`, stored: true },
    },
  ]
  return { object, set, permissionSet, fields }
}

const section = (items: object[]): object => ({ id: 's', section: 'S', items })
const page = (listView: string, object: string): object => ({
  ...{ key: 'p', label: 'P' },
  sections: [
    section([
      { id: 'l', type: 'component', key: 'list_view', inputs: { listView } },
      { id: 'o', type: 'component', key: 'lookup_field', inputs: { object, matchFields: 'name,alpha' } },
    ]),
  ],
})

const step = (operation: string): object => ({
  ...{ key: 's', label: 'S' },
  invoke: { operation, args: { amount: 'n' }, into: { alpha: 'alpha' }, asOf: 'day' },
})

/** Three different names of each type. */
const threeNames = fc.shuffledSubarray(pool, { minLength: 3, maxLength: 3 })
const allNames = fc
  .tuple(...types.map(() => threeNames))
  .map((names) => new Map<ComponentType, string[]>(types.map((type, index) => [type, names[index]!])))
const namer =
  (names: ReadonlyMap<ComponentType, readonly string[]>): Names =>
  (type, index) =>
    // Sets and flags share one key space.
    type === 'feature_flag' ? `${names.get(type)![index]!}_flag` : names.get(type)![index]!

const byId = (components: Iterable<Component>): Map<string, Component> =>
  new Map([...components].map((each) => [idOf(each) as string, { ...each, label: '' } as Component]))

it('all names follow the identities of the components, in any permutation of keys', () => {
  fc.assert(
    fc.property(allNames, allNames, (before, after) => {
      const view = new MemoryView(orgOf(namer(before)))
      const renames = types.flatMap((type) =>
        at.map((i): ComponentRename => ({ type, from: namer(before)(type, i), to: namer(after)(type, i) })),
      )
      const plan = planRename(view, renames)
      const next = byId(view.all())
      for (const id of plan.removed) next.delete(id)
      for (const [id, each] of byId(plan.components)) next.set(id, each)
      for (const each of next.values()) if (each.type === 'object') each.body.aliases = []
      expect(Object.fromEntries(next)).toEqual(Object.fromEntries(byId(orgOf(namer(after)))))
    }),
    { numRuns: 200 },
  )
})

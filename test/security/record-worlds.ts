// Random users, permission sets, objects and rows, and who can see what by the rules of docs/reference/access.md.
import fc from 'fast-check'

export const rights = ['create', 'read', 'update', 'delete', 'viewAll', 'modifyAll'] as const
export type Rights = Record<(typeof rights)[number], boolean>
type FieldRights = Record<'read' | 'edit', boolean>
export const fieldKeys = ['name', 'code', 'note'] as const
/** A stored formula that reads the fees. */
export const feeKey = 'fee'
type FieldKey = (typeof fieldKeys)[number]

export interface World {
  objects: {
    key: string
    sharing: 'private' | 'read' | 'read_write'
    isOwned: boolean
    rules: { level: string; permissionSet: string; access: 'read' | 'read_write' }[]
  }[]
  /** A configuration set, and the permission sets that can read its values. */
  fees: { key: string; read: string[] }
  /** For each object, an operation that sets the note of a record. */
  operations: { key: string; object: string; grantedTo: string[] }[]
  /** A channel of events with a schema, whose events are published by users. */
  notices: { key: string; read: string[]; publish: string[] }
  /** For each object, the channel of its changes: declared with grants and some fields, or the implicit one. */
  feeds: { key: string; object: string; isDeclared: boolean; read: string[]; fields: FieldKey[] }[]
  /** A webhook endpoint that writes records of the first object. */
  hook: { key: string; object: string }
  sets: {
    key: string
    isAuthor: boolean
    isOperator: boolean
    objects: Record<string, Rights>
    fields: Record<string, FieldRights>
  }[]
  users: { key: string; sets: string[] }[]
  rows: { object: string; owner: string | null; level: string; values: Record<FieldKey, string> }[]
}

const editable: FieldRights = { read: true, edit: true }
const noRights = Object.fromEntries(rights.map((right) => [right, false])) as Rights

/** The keys of a world begin with its number, so that all worlds are in one org. */
export function worldOf(seed: number): World {
  const objectKeys = ['alpha', 'beta'].map((name) => `w${seed}_${name}`)
  const setKeys = ['a', 'b', 'c'].map((name) => `w${seed}_${name}`)
  const userKeys = ['ann', 'ben', 'cay', 'dan'].map((name) => `w${seed}_${name}`)
  const fieldNames = objectKeys.flatMap((object) =>
    [...fieldKeys, feeKey].map((field) => `${object}.${field}`),
  )
  const often = fc.oneof(
    { weight: 2, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  )
  const rare = fc.oneof(
    { weight: 1, arbitrary: fc.constant(true) },
    { weight: 5, arbitrary: fc.constant(false) },
  )
  const objectRights = fc.record({
    ...{ create: fc.boolean(), read: often, update: fc.boolean(), delete: fc.boolean() },
    ...{ viewAll: rare, modifyAll: rare },
  })
  const some = <T>(keys: readonly string[], value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
    fc
      .tuple(fc.subarray([...keys]), fc.array(value, { minLength: keys.length, maxLength: keys.length }))
      .map(([chosen, values]) => Object.fromEntries(chosen.map((key, at) => [key, values[at]!])))
  const arbitrary = fc.record({
    objects: fc.tuple(
      ...objectKeys.map((key) =>
        fc.record({
          key: fc.constant(key),
          sharing: fc.constantFrom(
            'private' as const,
            'private' as const,
            'read' as const,
            'read_write' as const,
          ),
          isOwned: fc.boolean(),
          rules: fc.array(
            fc.record({
              level: fc.constantFrom('1', '2', '3'),
              permissionSet: fc.constantFrom(...setKeys),
              access: fc.constantFrom('read' as const, 'read_write' as const),
            }),
            { maxLength: 2 },
          ),
        }),
      ),
    ),
    sets: fc.tuple(
      ...setKeys.map((key) =>
        fc.record({
          ...{ key: fc.constant(key), isAuthor: often, isOperator: rare },
          objects: some(objectKeys, objectRights),
          fields: some(fieldNames, fc.record({ read: often, edit: fc.boolean() })),
        }),
      ),
    ),
    fees: fc.record({ key: fc.constant(`w${seed}_fees`), read: fc.subarray(setKeys, { minLength: 2 }) }),
    notices: fc.record({
      key: fc.constant(`w${seed}_notices`),
      read: fc.subarray(setKeys),
      publish: fc.subarray(setKeys),
    }),
    feeds: fc.tuple(
      ...objectKeys.map((object) =>
        fc.record({
          ...{ object: fc.constant(object), isDeclared: often },
          ...{
            read: fc.subarray(setKeys, { maxLength: 1 }),
            fields: fc.subarray([...fieldKeys], { minLength: 1 }),
          },
        }),
      ),
    ),
    operations: fc.tuple(
      ...objectKeys.map((object) =>
        fc.record({
          ...{ key: fc.constant(`${object}_note`), object: fc.constant(object) },
          grantedTo: fc.subarray(setKeys),
        }),
      ),
    ),
    users: fc.tuple(
      ...userKeys.map((key) => fc.record({ key: fc.constant(key), sets: fc.subarray(setKeys) })),
    ),
    rows: fc.array(
      fc.record({
        object: fc.constantFrom(...objectKeys),
        owner: fc.constantFrom(null, ...userKeys),
        level: fc.constantFrom('0', '1', '2', '3'),
      }),
      { minLength: 20, maxLength: 20 },
    ),
  })
  const [world] = fc.sample(arbitrary, { numRuns: 1, seed: seed * 7919 + 1 })
  const [loader, operator] = [world!.sets[0]!, world!.sets[2]!]
  // Without a user who loads rows and an operator who follows it, some doors would never be open.
  loader.fields = {
    ...loader.fields,
    ...Object.fromEntries(objectKeys.map((key) => [`${key}.note`, editable])),
  }
  loader.objects = Object.fromEntries(
    objectKeys.map((key) => [key, { ...noRights, ...loader.objects[key], update: true }]),
  )
  operator.isOperator = true
  const withSet = (at: number, key: string): World['users'][number] => {
    const user = world!.users[at]!
    return { ...user, sets: [...new Set([...user.sets, key])] }
  }
  return {
    ...world!,
    users: [world!.users[0]!, withSet(1, loader.key), withSet(2, operator.key), world!.users[3]!],
    hook: { key: `w${seed}_hook`, object: objectKeys[0]! },
    feeds: world!.feeds.map((feed) => ({
      ...feed,
      ...(feed.isDeclared
        ? { key: `${feed.object}_feed` }
        : { key: `changes.${feed.object}`, fields: [...fieldKeys] }),
    })),
    rows: world!.rows.map((row, at) => ({
      ...row,
      values: Object.fromEntries(fieldKeys.map((field) => [field, `q${field}${at}`])) as Record<
        FieldKey,
        string
      >,
    })),
  }
}

/** The entry of the fees. */
export function feeOf({ fees }: World, amount: string): object {
  return {
    ...{ type: 'config_entry', key: `${fees.key}.all`, label: 'All' },
    body: { set: fees.key, scope: { kind: 'org' }, values: { amount } },
  }
}

/** A user with all rights, who writes the rows, and as whom the endpoint runs. */
export const writerOf = ({ hook }: World): string => hook.key.replace('hook', 'writer')

const hookValues = { code: '/code', note: '/note' }

export function componentsOf(world: World): object[] {
  const { objects, operations, sets, fees, notices, feeds, hook } = world
  const money = { type: 'number', precision: 9, scale: 2 }
  return [
    {
      ...{ type: 'config_set', key: fees.key, label: 'Fees' },
      body: {
        ...{ cardinality: 'singleton', fields: [{ key: 'amount', ...money }] },
        read: Object.fromEntries(['administrator', ...fees.read].map((key) => [key, 'read'])),
        edit: { administrator: 'edit' },
      },
    },
    feeOf(world, '1.00'),
    ...objects.map(({ key, sharing, isOwned, rules }) => ({
      ...{ type: 'object', key, label: key },
      body: {
        nameField: 'name',
        capture: { enabled: true },
        fields: [
          ...fieldKeys.map((field) => ({ key: field, type: 'text', unique: field === 'code' })),
          { key: 'owner', type: 'text' },
          { key: 'level', type: 'text' },
          { key: feeKey, ...money, formula: { expression: `config.${fees.key}.amount`, stored: true } },
        ],
        sharing: {
          default: sharing,
          ...(isOwned ? { ownerField: 'owner' } : {}),
          rules: rules.map(({ level, permissionSet, access }, at) => ({
            ...{ key: `rule_${at}`, when: `level == "${level}"`, permissionSet, access },
          })),
        },
      },
    })),
    {
      ...{ type: 'event_channel', key: notices.key, label: notices.key },
      body: {
        schema: [{ key: 'note', type: 'text', required: true }],
        read: Object.fromEntries(notices.read.map((key) => [key, 'read'])),
        publish: Object.fromEntries(notices.publish.map((key) => [key, 'publish'])),
      },
    },
    ...feeds.flatMap(({ key, object, isDeclared, read, fields }) =>
      !isDeclared
        ? []
        : [
            {
              ...{ type: 'event_channel', key, label: key },
              body: { object, fields, read: Object.fromEntries(read.map((set) => [set, 'read'])) },
            },
          ],
    ),
    {
      ...{ type: 'external_credential', key: `${hook.key}_secret`, label: 'Secret' },
      body: { scheme: 'api_key', principals: [{ key: 'sender' }] },
    },
    {
      ...{ type: 'webhook_endpoint', key: hook.key, label: hook.key },
      body: {
        ...{ path: `/hooks/${hook.key}`, runAs: writerOf(world) },
        verification: {
          ...{ scheme: 'hmac_sha256', signatureHeader: 'X-Signature', signedPayload: '{body}' },
          externalCredential: `${hook.key}_secret`,
        },
        dispatch: { upsert: { object: hook.object, externalId: 'code', values: hookValues } },
      },
    },
    ...operations.map(({ key, object, grantedTo }) => ({
      ...{ type: 'automation', key, label: key },
      body: {
        ...{ phase: 'invocable', grantedTo },
        params: ['id', 'note'].map((name) => ({ key: name, type: 'text' })),
        actions: [{ key: 'set', type: 'update', object, record: 'id', values: { note: 'note' } }],
      },
    })),
    ...sets.map(({ key, isAuthor, isOperator, ...rights }) => ({
      ...{ type: 'permission_set', key, label: key },
      body: {
        ...rights,
        systemPermissions: [
          ...(isAuthor ? ['config.author'] : []),
          ...(isOperator ? ['operations.manage'] : []),
        ],
      },
    })),
  ]
}

/** The rules of docs/reference/access.md, without the engine. */
export class Reference {
  readonly #world: World
  readonly #user: World['users'][number]

  constructor(world: World, user: World['users'][number]) {
    this.#world = world
    this.#user = user
  }

  #sets(): World['sets'] {
    return this.#world.sets.filter(({ key }) => this.#user.sets.includes(key))
  }
  isAuthor(): boolean {
    return this.#sets().some((set) => set.isAuthor)
  }
  isOperator(): boolean {
    return this.#sets().some((set) => set.isOperator)
  }
  mayReadNotices(): boolean {
    return this.#world.notices.read.some((key) => this.#user.sets.includes(key))
  }
  mayPublishNotices(): boolean {
    return this.#world.notices.publish.some((key) => this.#user.sets.includes(key))
  }
  mayReadFeed({ object, isDeclared, read }: World['feeds'][number]): boolean {
    return this.may(object, 'read') && (!isDeclared || read.some((key) => this.#user.sets.includes(key)))
  }
  /** Whether the user can read all that a delivery writes, so that its problem can have values of it. */
  seesProblems(): boolean {
    const { object } = this.#world.hook
    const isAll = this.may(object, 'viewAll') || this.may(object, 'modifyAll')
    return (
      this.may(object, 'read') &&
      isAll &&
      Object.keys(hookValues).every((field) => this.canRead(object, field))
    )
  }
  /** Whether the user can change a field of a row. */
  mayChange(row: World['rows'][number], field: string): boolean {
    const { object } = row
    const isWritable = this.may(object, 'update') && this.rowAccess(row) === 'read_write'
    return this.canSee(row) && isWritable && this.canEdit(object, field)
  }
  seesFees(): boolean {
    return this.#sets().some(({ key }) => this.#world.fees.read.includes(key))
  }
  mayCall(operation: string): boolean {
    const { grantedTo } = this.#world.operations.find(({ key }) => key === operation)!
    return grantedTo.some((key) => this.#user.sets.includes(key))
  }
  may(object: string, right: keyof Rights): boolean {
    return this.#sets().some(({ objects }) => objects[object]?.[right] === true)
  }
  canSeeObject(object: string): boolean {
    return rights.some((right) => this.may(object, right))
  }
  canRead(object: string, field: string): boolean {
    return this.#sets().some(({ fields }) => {
      const granted = fields[`${object}.${field}`]
      return granted?.read === true || granted?.edit === true
    })
  }
  canEdit(object: string, field: string): boolean {
    return this.#sets().some(({ fields }) => fields[`${object}.${field}`]?.edit === true)
  }
  rowAccess({ object, owner, level }: World['rows'][number]): 'none' | 'read' | 'read_write' {
    const { sharing, isOwned, rules } = this.#world.objects.find(({ key }) => key === object)!
    const granted = rules.filter(
      (rule) => rule.level === level && this.#user.sets.includes(rule.permissionSet),
    )
    const isOwn = isOwned && owner === this.#user.key
    if (this.may(object, 'modifyAll') || sharing === 'read_write' || isOwn) return 'read_write'
    if (granted.some(({ access }) => access === 'read_write')) return 'read_write'
    return this.may(object, 'viewAll') || sharing === 'read' || granted.length > 0 ? 'read' : 'none'
  }
  canSee(row: World['rows'][number]): boolean {
    return this.may(row.object, 'read') && this.rowAccess(row) !== 'none'
  }
}

// Random users, permission sets, configuration sets and flags, and who can see what by the rules of docs/reference/access.md.
import fc from 'fast-check'

export const systemPermissions = [
  'metadata.author',
  'config.author',
  'access.manage',
  'operations.manage',
  'audit.read',
  'platform.root',
] as const
export type SystemPermission = (typeof systemPermissions)[number]

/** A configuration set with one entry, or a feature flag with one. */
export interface Owner {
  key: string
  isFlag: boolean
  read: string[]
  edit: string[]
  /** Who could read it in the first generation, which opens nothing today. */
  earlierRead: string[]
  colour: 'red' | 'green'
  /** Whether the second generation changes the definition too. */
  isRelabelled: boolean
}

export interface ConfigWorld {
  /** The beginning of every key and word. */
  name: string
  sets: { key: string; systemPermissions: SystemPermission[] }[]
  owners: Owner[]
  users: { key: string; sets: string[] }[]
  /** The sets that each stored result reads. */
  results: [Owner, Owner][]
}

export function configWorldOf(seed: number): ConfigWorld {
  const name = `w${String(seed).padStart(4, '0')}`
  const setKeys = ['a', 'b', 'c', 'd'].map((key) => `${name}_${key}`)
  const userKeys = ['ann', 'ben', 'cay', 'dan'].map((key) => `${name}_${key}`)
  const ownerKeys = ['one', 'two', 'three', 'four', 'five'].map((key) => `${name}_${key}`)
  // Many users must see no more than their grants, although some of them are authors.
  const weights: Partial<Record<SystemPermission, number>> = { 'platform.root': 30, 'config.author': 1 }
  const rarely = (permission: SystemPermission): fc.Arbitrary<readonly SystemPermission[]> =>
    fc.oneof(
      { weight: 1, arbitrary: fc.constant<SystemPermission[]>([permission]) },
      { weight: weights[permission] ?? 6, arbitrary: fc.constant<SystemPermission[]>([]) },
    )
  const arbitrary = fc.record({
    sets: fc.tuple(
      ...setKeys.map((key) =>
        fc.record({
          key: fc.constant(key),
          systemPermissions: fc.tuple(...systemPermissions.map(rarely)).map((each) => each.flat()),
        }),
      ),
    ),
    owners: fc.tuple(
      ...ownerKeys.map((key, at) =>
        fc.record({
          ...{ key: fc.constant(key), isFlag: fc.constant(at > 2) },
          read: fc.subarray(setKeys, { maxLength: 2 }),
          edit: fc.subarray(setKeys, { maxLength: 1 }),
          earlierRead: fc.subarray(setKeys, { maxLength: 2 }),
          colour: fc.constantFrom('red' as const, 'green' as const),
          isRelabelled: fc.boolean(),
        }),
      ),
    ),
    users: fc.tuple(
      ...userKeys.map((key) =>
        fc.record({ key: fc.constant(key), sets: fc.subarray(setKeys, { maxLength: 2 }) }),
      ),
    ),
    results: fc.array(fc.subarray([0, 1, 2], { minLength: 2, maxLength: 2 }), {
      ...{ minLength: 2, maxLength: 2 },
    }),
  })
  const [world] = fc.sample(arbitrary, { numRuns: 1, seed: seed * 7919 + 5 })
  const { results, owners, ...rest } = world!
  return {
    ...{ name, owners, ...rest },
    results: results.map(([a, b]) => [owners[a!]!, owners[b!]!]),
  }
}

/** A word that only the definition has, or only the entry, in a generation. */
export const wordOf = ({ key }: Owner, kind: 'definition' | 'label' | 'value', generation: 1 | 2): string =>
  `q${kind}${key.replace('_', '')}g${generation}`

export const entryOf = ({ key }: Owner): string => `${key}.all`
export const typeOf = ({ isFlag }: Owner): string => (isFlag ? 'feature_flag' : 'config_set')

/** Whether the definition differs between the generations. */
export const isRedefined = ({ isRelabelled, read, earlierRead }: Owner): boolean =>
  isRelabelled || read.join() !== earlierRead.join()

/** The definition, in the state of a generation. */
export function definitionOf(owner: Owner, { name }: ConfigWorld, generation: 1 | 2): object {
  const { key, isFlag, edit, isRelabelled } = owner
  const read = generation === 1 ? owner.earlierRead : owner.read
  const grants = {
    read: Object.fromEntries(['administrator', ...read].map((set) => [set, 'read'])),
    edit: Object.fromEntries(['administrator', ...edit].map((set) => [set, 'edit'])),
  }
  const body = isFlag
    ? { owner: { user: 'admin' }, expiresOn: '2999-01-01', scopes: ['environment', 'org'], ...grants }
    : {
        cardinality: 'singleton',
        fields: [
          { key: 'words', type: 'text' },
          { key: 'colour', type: 'enum', valueSet: `${name}_colour` },
        ],
        ...grants,
      }
  return { type: typeOf(owner), key, label: wordOf(owner, 'definition', isRelabelled ? generation : 1), body }
}

/** The entry, in the state of a generation. */
export function entryComponentOf(owner: Owner, generation: 1 | 2): object {
  const { key, isFlag, colour } = owner
  const body = isFlag
    ? { scope: { kind: 'environment', environment: 'test' }, values: { value: colour === 'red' } }
    : { scope: { kind: 'org' }, values: { words: wordOf(owner, 'value', generation), colour } }
  return {
    ...{ type: 'config_entry', key: entryOf(owner), label: wordOf(owner, 'label', generation) },
    body: { set: key, ...body },
  }
}

/** Components that everyone can see: permission sets, a value set, a function that reads the first set, an object. */
export function commonComponents({ name, sets, owners }: ConfigWorld): object[] {
  const read = { read: true }
  return [
    {
      ...{ type: 'value_set', key: `${name}_colour`, label: 'Colours' },
      body: {
        values: [
          { key: 'red', label: 'Red' },
          { key: 'green', label: 'Green' },
        ],
      },
    },
    {
      ...{ type: 'calc_function', key: `${name}_words`, label: 'Words' },
      body: { returns: 'text', expression: `config.${owners[0]!.key}.words` },
    },
    {
      ...{ type: 'object', key: `${name}_note`, label: 'Note' },
      body: { fields: [{ key: 'name', type: 'text' }], nameField: 'name', sharing: { default: 'read' } },
    },
    ...sets.map(({ key, systemPermissions: system }) => ({
      ...{ type: 'permission_set', key, label: key },
      body: {
        systemPermissions: system,
        objects: { [`${name}_note`]: { ...noRights, ...read } },
        fields: { [`${name}_note.name`]: { ...read, edit: false } },
      },
    })),
  ]
}

const noRights = { create: false, update: false, delete: false, viewAll: false, modifyAll: false }

/** The rules of docs/reference/access.md, without the engine. */
export class ConfigReference {
  readonly #held: ConfigWorld['sets']

  constructor(world: ConfigWorld, user: ConfigWorld['users'][number]) {
    this.#held = world.sets.filter(({ key }) => user.sets.includes(key))
  }

  has(permission: SystemPermission): boolean {
    return this.#held.some(
      ({ systemPermissions: held }) => held.includes(permission) || held.includes('platform.root'),
    )
  }
  /** Whether the user can keep drafts. */
  isAuthor(): boolean {
    return this.has('metadata.author') || this.has('config.author') || this.has('access.manage')
  }
  seesValues({ read, edit }: Owner): boolean {
    return this.has('platform.root') || this.#held.some(({ key }) => read.includes(key) || edit.includes(key))
  }
  seesDefinition(owner: Owner): boolean {
    return this.seesValues(owner) || this.has('metadata.author') || this.has('access.manage')
  }
  seesResult(reads: readonly Owner[]): boolean {
    return reads.every((owner) => this.seesValues(owner))
  }
  /** Whether the user can read the object that each permission set opens. */
  readsNotes(): boolean {
    return this.#held.length > 0
  }
}

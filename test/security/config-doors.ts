// What each door to configuration shows to a user, as questions with the answers of the reference.
import type { Answer, Ask } from '../support/running-server.ts'
import {
  ConfigReference,
  entryComponentOf,
  entryOf,
  isRedefined,
  typeOf,
  wordOf,
  type ConfigWorld,
  type Owner,
} from './config-worlds.ts'

export interface Asking {
  world: ConfigWorld
  user: ConfigWorld['users'][number]
  ask: Ask
  /** The generations before and after the second apply. */
  generations: [first: number, second: number]
  /** The ids of the stored results. */
  results: readonly string[]
  /** @param of whom and what the question is about */
  check(door: string, of: string, actual: unknown, expected: unknown): void
}

interface Door extends Omit<Asking, 'check'> {
  reference: ConfigReference
  /** Whether a response shows something of an owner. */
  check(name: string, of: { key: string }, actual: unknown, expected: unknown): void
}

type Body = Record<string, unknown>
type Listed = { id: string }[]

export async function askDoors({ check, ...asking }: Asking): Promise<void> {
  const reference = new ConfigReference(asking.world, asking.user)
  const door: Door = {
    ...{ ...asking, reference },
    check: (name, { key }, actual, expected) => check(name, `${asking.user.key} ${key}`, actual, expected),
  }
  await askLists(door)
  await askUses(door)
  await askFiles(door)
  await askFlags(door)
  await askResults(door)
  for (const owner of asking.world.owners) await askOne(door, owner)
}

const idOf = (owner: Owner): string => `${typeOf(owner)}/${owner.key}`
const entryIdOf = (owner: Owner): string => `config_entry/${entryOf(owner)}`

/** A definition and its entry in one list of ids. */
function checkIds(door: Door, name: string, ids: readonly string[]): void {
  for (const owner of door.world.owners) {
    door.check(name, owner, ids.includes(idOf(owner)), door.reference.seesDefinition(owner))
    checkEntryId(door, name, ids, owner)
  }
}

function checkEntryId(door: Door, name: string, ids: readonly string[], owner: Owner): void {
  door.check(`${name}, entry`, owner, ids.includes(entryIdOf(owner)), door.reference.seesValues(owner))
}

/** The text of a response has a value exactly if the user can see values of its set. */
function checkValue(door: Door, name: string, { text }: Answer<unknown>, owner: Owner): void {
  if (owner.isFlag) return
  const shown = text.includes(wordOf(owner, 'value', 1)) || text.includes(wordOf(owner, 'value', 2))
  door.check(`${name}, value`, owner, shown, door.reference.seesValues(owner))
}

async function askLists(door: Door): Promise<void> {
  const { ask, world, generations, reference } = door
  const ids = world.owners.flatMap((owner) => [idOf(owner), entryIdOf(owner)])
  const list = await ask<{ components: Listed }>('GET', `/metadata/v3/components?ids=${ids.join(',')}`)
  checkIds(
    door,
    'list',
    list.body.components.map(({ id }) => id),
  )
  const search = async (word: string): Promise<string[]> => {
    const { body } = await ask<{ hits: Listed }>('GET', `/setup/v3/search?q=${word}&limit=200`)
    return body.hits.map(({ id }) => id)
  }
  const defined = await search(`qdefinition${world.name}`)
  const labelled = await search(`qlabel${world.name}`)
  const valued = await search(`qvalue${world.name}`)
  for (const owner of world.owners) {
    door.check(
      'search by a definition',
      owner,
      defined.includes(idOf(owner)),
      reference.seesDefinition(owner),
    )
    checkEntryId(door, 'search by a label', labelled, owner)
    if (!owner.isFlag) checkEntryId(door, 'search by a value', valued, owner)
  }
  const [from, to] = generations
  const diff = await ask<{ changes: Listed }>('POST', '/metadata/v3/diff', { from, to })
  const changed = diff.body.changes.map(({ id }) => id)
  for (const owner of world.owners) {
    const isShown = isRedefined(owner) && reference.seesDefinition(owner)
    door.check('diff of generations', owner, changed.includes(idOf(owner)), isShown)
    checkEntryId(door, 'diff of generations', changed, owner)
    checkValue(door, 'diff of generations', diff, owner)
  }
}

/** The value set is visible to everyone, and its uses are not. */
async function askUses(door: Door): Promise<void> {
  const { ask, world, reference } = door
  const path = `/metadata/v3/components/value_set/${world.name}_colour/where-used`
  const used = await ask<{ usages: { from: string }[]; entries: number }>('GET', path)
  const from = used.body.usages.map((usage) => usage.from)
  const sets = world.owners.filter(({ isFlag }) => !isFlag)
  for (const owner of sets) {
    door.check('where-used', owner, from.includes(idOf(owner)), reference.seesDefinition(owner))
  }
  const counted = sets.filter((owner) => reference.seesValues(owner)).length
  door.check('where-used, entries', { key: 'of the value set' }, used.body.entries, counted)
  for (const colour of ['red', 'green'] as const) {
    const member = await ask<{ usages: { from: string }[]; entries: number }>(
      'GET',
      `${path}?member=${colour}`,
    )
    for (const owner of sets)
      door.check(
        `where-used of ${colour}`,
        owner,
        member.body.usages.some((usage) => usage.from === entryIdOf(owner)),
        owner.colour === colour && reference.seesValues(owner),
      )
  }
  const key = `${world.name}_colour`
  const label = 'More colours'
  const body = { values: ['red', 'green'].map((each) => ({ key: each, label: each })) }
  const impact = await ask<{ readers: { byType: { readers: { items: Listed } }[] } }>(
    'POST',
    '/metadata/v3/impact',
    { components: [{ type: 'value_set', key, label, body }] },
  )
  door.check('impact', { key }, impact.status, reference.isAuthor() ? 200 : 403)
  if (!reference.isAuthor()) return
  const readers = impact.body.readers.byType.flatMap((each) => each.readers.items.map(({ id }) => id))
  for (const owner of sets) {
    door.check('impact, readers', owner, readers.includes(idOf(owner)), reference.seesDefinition(owner))
  }
}

async function askFiles(door: Door): Promise<void> {
  const { ask, world, generations, reference } = door
  for (const [name, query] of [
    ['retrieve', ''],
    ['retrieve of an earlier generation', `?generation=${generations[0]}`],
  ] as const) {
    const retrieved = await ask<{ files: Record<string, string> }>('GET', `/metadata/v3/retrieve${query}`)
    const files = Object.keys(retrieved.body.files)
    for (const owner of world.owners) {
      const isListed = files.includes(`${typeOf(owner)}/${owner.key}.json`)
      door.check(name, owner, isListed, reference.seesDefinition(owner))
      const hasEntry = files.includes(`config_entry/${owner.key}/all.json`)
      door.check(`${name}, entry`, owner, hasEntry, reference.seesValues(owner))
      checkValue(door, name, retrieved, owner)
    }
  }
  const ids = world.owners.flatMap((owner) => [idOf(owner), entryIdOf(owner)])
  const path = `/metadata/v3/generations/${generations[1]}/contents`
  const contents = await ask('POST', path, { ids })
  for (const owner of world.owners) checkValue(door, 'contents', contents, owner)
}

async function askFlags(door: Door): Promise<void> {
  const { ask, world, reference } = door
  const bulk = await ask<{ flags?: { key: string; value: boolean }[] }>(
    'POST',
    '/ofrep/v1/evaluate/flags',
    {},
  )
  const list = await ask<{ flags: { key: string }[] }>('GET', `/setup/v3/flags?q=${world.name}&limit=200`)
  for (const owner of world.owners.filter(({ isFlag }) => isFlag)) {
    const { key, colour } = owner
    const found = bulk.body.flags?.find((flag) => flag.key === key)
    door.check('flags', owner, found?.value, reference.seesValues(owner) ? colour === 'red' : undefined)
    const isListed = list.body.flags.some((flag) => flag.key === key)
    door.check('list of flags', owner, isListed, reference.seesDefinition(owner))
    const single = await ask('POST', `/ofrep/v1/evaluate/flags/${key}`, {})
    door.check('flag', owner, single.status, reference.seesValues(owner) ? 200 : 404)
  }
}

async function askResults({ ask, check, reference, results, world }: Door): Promise<void> {
  const list = await ask<{ results: Listed }>('GET', '/setup/v3/results?limit=200')
  for (const [at, id] of results.entries()) {
    const expected = reference.seesResult(world.results[at]!)
    check(
      'results',
      { key: id },
      list.body.results.some((each) => each.id === id),
      expected,
    )
    check('result', { key: id }, (await ask('GET', `/setup/v3/results/${id}`)).status, expected ? 200 : 404)
  }
}

async function askOne(door: Door, owner: Owner): Promise<void> {
  const { ask, world, reference, check } = door
  const { key } = owner
  const [values, definition] = [reference.seesValues(owner), reference.seesDefinition(owner)]
  const status = (of: Answer<unknown>): number => of.status
  const shape = definition ? 200 : 404
  check('get', owner, status(await ask('GET', `/metadata/v3/components/${idOf(owner)}`)), shape)
  const entry = await ask('GET', `/metadata/v3/components/${entryIdOf(owner)}`)
  check('get the entry of', owner, status(entry), values ? 200 : 404)
  const used = await ask<{ usages: { from: string }[]; entries: number }>(
    'GET',
    `/metadata/v3/components/${idOf(owner)}/where-used`,
  )
  check('where-used of', owner, [status(used), used.body.entries ?? 0], [shape, values ? 1 : 0])
  // A hidden set is refused as one that does not exist; a set whose definition is visible, by the missing right.
  const refusal = definition ? 403 : 404
  for (const format of ['csv', 'json']) {
    const exported = await ask('GET', `/setup/v3/sets/${key}/export?format=${format}`)
    check(`export as ${format} of`, owner, status(exported), values ? 200 : refusal)
    checkValue(door, `export as ${format} of`, exported, owner)
  }
  const resolved = await ask('POST', '/setup/v3/resolve', { set: key })
  check('resolve', owner, status(resolved), values ? 200 : refusal)
  const read = owner.isFlag ? `flag.${key}` : `config.${key}.words == "none"`
  const evaluated = await ask('POST', '/setup/v3/evaluate', { expression: read })
  check('evaluate', owner, evaluated.status === 200, values)
  const note = `${world.name}_note`
  const query = { object: note, fields: ['name'], limit: 5 }
  const filter = owner.isFlag ? `flag.${key}` : `name == config.${key}.words`
  const filtered = await ask('POST', '/data/v3/query', { ...query, filter })
  check('filter by', owner, filtered.status === 200, values && reference.readsNotes())
  await askChange(door, owner)
}

/** A change list that replaces an entry: its diff and its impact must not show the value that it replaces. */
async function askChange(door: Door, owner: Owner): Promise<void> {
  if (owner.isFlag) return
  const { ask, reference } = door
  const sent = entryComponentOf(owner, 2) as { body: { values: Body } }
  const guess = { ...sent, body: { ...sent.body, values: { ...sent.body.values, words: 'guess' } } }
  const diff = await ask('POST', '/metadata/v3/diff', { components: [guess] })
  checkValue(door, 'diff of', diff, owner)
  const impact = await ask('POST', '/metadata/v3/impact', { components: [guess] })
  door.check('impact of', owner, impact.status, reference.isAuthor() ? 200 : 403)
  if (reference.isAuthor()) checkValue(door, 'impact of', impact, owner)
}

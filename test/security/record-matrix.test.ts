// Who can see which record, and which field of it: a plain reference and every door to records, and to the channels, bulk
// jobs and deliveries that carry them, agree, for random users, permission sets, objects, sharing and rows.
import { expect, it } from 'vitest'
import { apply, signIn } from '../support/billing-org.ts'
import {
  componentsOf,
  feeKey,
  feeOf,
  fieldKeys,
  Reference,
  worldOf,
  writerOf,
  type World,
} from './record-worlds.ts'
import { askDeliveries } from './matrix-deliveries.ts'
import { askJobs } from './matrix-jobs.ts'
import { askNotices } from './matrix-notices.ts'
import type { Check, Doors } from './matrix-doors.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'

const wanted = Number(process.env['ALMANAC_QUESTIONS'] ?? 5000)
/** An org with many worlds is slow, because each apply and each list is long. */
const worldsOfOrg = 5

interface Found {
  id: string
  fields: Record<string, unknown>
}

interface Captured {
  payload: { id: string; changed: Record<string, unknown> }
}

async function askWorld(test: TestServer, seed: number, check: Check): Promise<void> {
  const world = worldOf(seed)
  const writer = writerOf(world)
  const everything = {
    ...{ type: 'permission_set', key: writer, label: writer },
    body: { systemPermissions: ['platform.root'] },
  }
  await apply(test.studio, [everything])
  const { [writer]: write } = await signIn(test, [{ key: writer, permissionSets: [writer] }])
  await apply(test.studio, componentsOf(world))
  const asks = await signIn(
    test,
    world.users.map(({ key, sets }) => ({ key, permissionSets: sets })),
  )
  const ids = new Map<World['rows'][number], string>()
  for (const row of world.rows) {
    const fields = { ...row.values, owner: row.owner, level: row.level }
    const { body } = await write!<{ id: string }>('POST', `/data/v3/${row.object}`, fields)
    ids.set(row, body.id)
  }
  const doors: Doors = { test, world, ids, check, asks }
  for (const user of world.users) {
    const asking = { world, ids, check, user, ask: asks[user.key]! }
    for (const { key: object } of world.objects) await askAll({ ...asking, object })
    await askImpact(asking)
  }
  await askNotices(doors)
  await askJobs(doors)
  await askDeliveries(doors)
}

it(`${wanted} questions: every door to records agrees with the reference`, async () => {
  let questions = 0
  const wrong: string[] = []
  const check: Check = (what, actual, expected) => {
    questions += 1
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      wrong.push(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`)
  }
  for (let seed = 0; questions < wanted;) {
    const test = await runningServer()
    try {
      for (let at = 0; at < worldsOfOrg && questions < wanted; at += 1, seed += 1)
        await askWorld(test, seed, check)
    } finally {
      await test.close()
    }
  }
  expect(wrong).toEqual([])
}, 1_800_000)

interface Asking {
  world: World
  object: string
  ids: ReadonlyMap<World['rows'][number], string>
  user: World['users'][number]
  ask: Ask
  check: Check
}

async function askAll({ world, object, ids, user, ask, check }: Asking): Promise<void> {
  const reference = new Reference(world, user)
  const rows = world.rows.filter((row) => row.object === object)
  const at = (door: string, more = ''): string => `${user.key} ${door} ${object} ${more}`
  const mayRead = reference.may(object, 'read')
  const codeOf = ({ status }: Answer<unknown>): number => status
  const refusal = reference.canSeeObject(object) ? 403 : 404
  const readable = fieldKeys.filter((field) => reference.canRead(object, field))

  const described = await ask<{ fields?: { key: string; editable: boolean }[] }>(
    'GET',
    `/data/v3/${object}/describe`,
  )
  check(at('describe'), codeOf(described), reference.canSeeObject(object) ? 200 : 404)
  for (const field of fieldKeys) {
    const found = described.body.fields?.find(({ key }) => key === field)
    const isShown = reference.canSeeObject(object) && reference.canRead(object, field)
    check(at('describe', field), found !== undefined, isShown)
    if (isShown) check(at('describe, editable', field), found?.editable, reference.canEdit(object, field))
  }
  const document = await ask<{
    paths: Record<string, object>
    components: { schemas: Record<string, { properties: { fields: { properties: object } } }> }
  }>('GET', '/openapi.json')
  const schema = document.body.components.schemas[`Record_${object}`]
  const documented = Object.keys(schema?.properties.fields.properties ?? {})
  check(
    at('document'),
    fieldKeys.filter((field) => documented.includes(field)),
    reference.canSeeObject(object) ? readable : [],
  )

  const operation = world.operations.find((each) => each.object === object)!.key
  const mayCall = reference.mayCall(operation)
  check(at('document', operation), Object.hasOwn(document.body.paths, `/invoke/v3/${operation}`), mayCall)

  const query = (more: object): Promise<Answer<{ records: Found[] }>> =>
    ask('POST', '/data/v3/query', { object, fields: fieldKeys, limit: 100, ...more })
  const all = await query({})
  check(at('query'), codeOf(all), mayRead ? 200 : refusal)
  const search = (matchFields?: string[]): Promise<Answer<{ records: Found[] }>> =>
    ask('POST', `/data/v3/${object}/search`, {
      ...{ text: 'q', fields: fieldKeys, limit: 100 },
      ...(matchFields === undefined ? {} : { matchFields }),
    })
  const named = await search()
  const coded = await search(['code'])
  check(at('search'), codeOf(named), mayRead ? 200 : refusal)
  check(
    at('search by code'),
    codeOf(coded),
    !mayRead ? refusal : reference.canRead(object, 'code') ? 200 : 422,
  )
  const feed = world.feeds.find((each) => each.object === object)!
  const mayReadFeed = reference.mayReadFeed(feed)
  const channel = `/events/v3/channels/${feed.key}`
  const events = await ask<{ events: Captured[] }>('GET', `${channel}/events?limit=1000`)
  check(at('events'), codeOf(events), mayReadFeed ? 200 : 404)
  const streamed = await ask('PUT', '/events/v3/subscriptions/all', { channel: feed.key })
  check(at('subscribe'), codeOf(streamed), mayReadFeed ? 200 : 404)
  if (mayReadFeed) await ask('DELETE', '/events/v3/subscriptions/all')
  for (const field of fieldKeys) {
    const isReadable = mayRead && reference.canRead(object, field)
    const ordered = await query({ orderBy: [{ field, dir: 'desc' }] })
    check(at('order', field), codeOf(ordered), !mayRead ? refusal : isReadable ? 200 : 422)
    const filtered = await query({ filter: `${field}.startsWith("q")` })
    check(at('filter', field), codeOf(filtered), !mayRead ? refusal : isReadable ? 200 : 422)
    for (const row of rows) {
      const isFound = (answer: Answer<{ records?: Found[] }>): boolean =>
        answer.body.records?.some(({ id }) => id === ids.get(row)) === true
      check(at('filter', `${field} ${ids.get(row)}`), isFound(filtered), isReadable && reference.canSee(row))
      check(at('order', `${field} ${ids.get(row)}`), isFound(ordered), isReadable && reference.canSee(row))
    }
  }
  for (const row of rows) {
    const id = ids.get(row)!
    const canSee = reference.canSee(row)
    const shown = fieldKeys.map((field) =>
      canSee && reference.canRead(object, field) ? row.values[field] : null,
    )
    const valuesOf = (found: Found | undefined): unknown[] =>
      fieldKeys.map((field) => found?.fields[field] ?? null)
    const read = await ask<Found>('GET', `/data/v3/${object}/${id}`)
    check(at('get', id), codeOf(read), !mayRead ? refusal : canSee ? 200 : 404)
    check(at('get, values', id), read.status === 200 ? valuesOf(read.body) : [null, null, null], shown)
    const history = await ask<{ changes: { fields: { field: string }[] }[] }>(
      'GET',
      `/data/v3/${object}/${id}/history`,
    )
    check(at('history', id), codeOf(history), !mayRead ? refusal : canSee ? 200 : 404)
    if (history.status === 200) {
      const changed = history.body.changes.flatMap(({ fields }) => fields.map(({ field }) => field))
      check(
        at('history, fields', id),
        fieldKeys.filter((field) => changed.includes(field)),
        readable,
      )
    }
    const inQuery = all.body.records?.find((record) => record.id === id)
    check(at('query, values', id), [inQuery !== undefined, ...valuesOf(inQuery)], [canSee, ...shown])
    const captured = events.body.events?.find(({ payload }) => payload.id === id)?.payload
    const values = fieldKeys.map((field) => captured?.changed[field] ?? null)
    const carried = fieldKeys.map((field, index) =>
      mayReadFeed && feed.fields.includes(field) ? shown[index] : null,
    )
    check(at('events, values', id), [captured !== undefined, ...values], [mayReadFeed && canSee, ...carried])
    // The name field is searched, or a unique field if the user cannot read the name field.
    const isNamed = canSee && (reference.canRead(object, 'name') || reference.canRead(object, 'code'))
    check(at('search', id), named.body.records?.some((record) => record.id === id) === true, isNamed)
    for (const field of fieldKeys) {
      const explained = await ask('GET', `/data/v3/${object}/${id}/values/${field}`)
      const canExplain = canSee && reference.canRead(object, field)
      check(at('values', `${id} ${field}`), explained.status === 200, canExplain)
    }
    // The same value again, so that the questions do not depend on their order.
    for (const field of fieldKeys) {
      const { body } = await ask<{ results?: { status: number }[] }>('POST', `/data/v3/${object}/batch`, {
        records: [{ op: 'update', id, fields: { [field]: row.values[field] } }],
      })
      const mayChange = reference.mayChange(row, field)
      check(at('batch', `${id} ${field}`), body.results?.[0]?.status === 200, mayChange)
      if (field !== 'note') continue
      const called = await ask('POST', `/invoke/v3/${operation}`, { params: { id, note: row.values.note } })
      check(at('invoke', id), codeOf(called), !mayCall ? 404 : mayChange ? 200 : 422)
    }
  }
}

/** What a change of the fees does to records: all are counted, and those that the user can see are named. */
async function askImpact({ world, ids, user, ask, check }: Omit<Asking, 'object'>): Promise<void> {
  const reference = new Reference(world, user)
  const { status, body } = await ask<{
    fields?: {
      object: string
      field: string
      changed: number
      items: { id: string; name: string | null }[]
    }[]
  }>('POST', '/metadata/v3/impact/records', { components: [feeOf(world, '2.00')], limit: 200 })
  check(`${user.key} impact`, status, reference.isAuthor() ? 200 : 403)
  if (!reference.isAuthor()) return
  for (const { key: object } of world.objects) {
    const rows = world.rows.filter((row) => row.object === object)
    const found = body.fields?.find((each) => each.object === object && each.field === feeKey)
    check(`${user.key} impact ${object}`, found?.changed ?? 0, reference.seesFees() ? rows.length : 0)
    for (const row of rows) {
      const item = found?.items.find(({ id }) => id === ids.get(row))
      const isShown = reference.seesFees() && reference.canSee(row) && reference.canRead(object, feeKey)
      const name = reference.canRead(object, 'name') ? row.values.name : null
      check(`${user.key} impact ${ids.get(row)}`, item?.name, isShown ? name : undefined)
    }
  }
}

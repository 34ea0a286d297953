// Bulk jobs: who can create one by its columns, what it changes with the rights of its creator, and who sees it.
import { createJob, ended, jobs, putPart, type Job } from '../support/ingest-requests.ts'
import type { Doors } from './matrix-doors.ts'
import { Reference, type World } from './record-worlds.ts'

interface EndedJob {
  id: string
  object: string
  creator: string
}

export async function askJobs(doors: Doors): Promise<void> {
  const made: EndedJob[] = []
  for (const user of doors.world.users)
    for (const { key: object } of doors.world.objects) {
      const job = await loadAs(doors, user, object)
      if (job !== null) made.push(job)
    }
  for (const user of doors.world.users) await askAs(doors, user, made)
}

/** The same notes again, by id, so that the questions do not depend on their order. */
async function loadAs(
  { world, ids, asks, check }: Doors,
  user: World['users'][number],
  object: string,
): Promise<EndedJob | null> {
  const [ask, reference] = [asks[user.key]!, new Reference(world, user)]
  const at = (door: string): string => `${user.key} ${door} ${object}`
  const request = { object, operation: 'update', format: 'jsonl', columns: ['id', 'note'] }
  const isVisible = reference.canSeeObject(object)
  const isAllowed = isVisible && reference.canEdit(object, 'note')
  const { status, text } = await ask('POST', jobs, request)
  check(at('job'), status, isAllowed ? 201 : isVisible ? 422 : 404)
  if (status !== 201) return null
  const { id } = JSON.parse(text) as Job
  const rows = world.rows.filter((row) => row.object === object)
  const lines = rows.map((row) => JSON.stringify({ id: ids.get(row), note: row.values.note }))
  await putPart(ask, id, 1, lines.join('\n'), { 'content-type': 'application/x-ndjson' })
  await ask('POST', `${jobs}/${id}/close`, { parts: 1 })
  const job = await ended(ask, id)
  check(at('job, state'), job.state, 'completed')
  const { text: results } = await ask('GET', `${jobs}/${id}/results`)
  const outcomes = results
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { outcome: string }).outcome)
  check(at('job, results'), outcomes.length, rows.length)
  for (const [index, row] of rows.entries())
    check(at(`job, row ${ids.get(row)}`), outcomes[index] === 'unchanged', reference.mayChange(row, 'note'))
  return { id, object, creator: user.key }
}

async function askAs(
  { world, asks, check }: Doors,
  user: World['users'][number],
  made: readonly EndedJob[],
): Promise<void> {
  const [ask, reference] = [asks[user.key]!, new Reference(world, user)]
  const { body: listed } = await ask<{ jobs: { id: string }[] }>('GET', `${jobs}?limit=200`)
  for (const { id, object, creator } of made) {
    const at = (door: string): string => `${user.key} ${door} of ${creator} ${object}`
    const isOwn = creator === user.key
    const isVisible = isOwn || reference.isOperator()
    check(
      at('jobs'),
      listed.jobs.some((job) => job.id === id),
      isVisible,
    )
    const got = await ask<{ object: string | null; columns: string[] | null }>('GET', `${jobs}/${id}`)
    check(at('job'), got.status, isVisible ? 200 : 404)
    if (isVisible) {
      check(at('job, object'), got.body.object, reference.canSeeObject(object) ? object : null)
      check(at('job, columns'), got.body.columns, isOwn ? ['id', 'note'] : null)
    }
    for (const rows of ['results', 'rows?of=failed', 'rows?of=unprocessed']) {
      const { status } = await ask('GET', `${jobs}/${id}/${rows}`)
      check(at(rows), status, isOwn ? 200 : 404)
    }
    const ends = await ask('POST', `${jobs}/${id}/abort`)
    check(at('abort'), ends.status, isVisible ? 200 : 404)
  }
  // A job of another user that is open takes nothing from this one.
  const open = made.find(({ creator }) => creator !== user.key)
  if (open === undefined) return
  const owner = asks[open.creator]!
  const columns = ['id', 'note']
  const id = await createJob(owner, { object: open.object, operation: 'update', format: 'jsonl', columns })
  const part = await putPart(ask, id, 1, '{}')
  check(`${user.key} part of ${open.creator}`, part.status, 404)
  const closed = await ask('POST', `${jobs}/${id}/close`, { parts: 1 })
  check(`${user.key} close of ${open.creator}`, closed.status, 404)
  await owner('POST', `${jobs}/${id}/abort`)
}

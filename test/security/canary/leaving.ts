// What leaves the org: exports, evidence, a push, a directory, and what the command line prints.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { vaultFile } from '../../../server/compose/org-folder.ts'
import { almanac } from '../../cli/almanac.ts'
import { must, until, type CanaryServer } from './canary-server.ts'
import { marked } from './marks.ts'
import { removable } from './org.ts'

/** Exports of a set and evidence of stored results, over HTTP and as files. */
export async function exportAll(server: CanaryServer, folder: string): Promise<void> {
  for (const format of ['csv', 'json', 'xlsx']) {
    must(await server.ask('GET', `/setup/v3/sets/route/export?format=${format}`), 200)
    run(server, ['export', 'route', '--out', join(folder, `route.${format}`)])
  }
  const stored = await server.ask('POST', '/setup/v3/evaluate', {
    ...{ expression: 'config.route.fee', store: 'canary' },
  })
  must(stored, 200)
  const { resultId } = stored.body as never as { resultId: string }
  must(await server.ask('POST', '/setup/v3/evaluate/evidence', { resultId }), 200)
  run(server, ['evidence', resultId, '--out', join(folder, 'evidence.json')])

  const thing = await server.ask('POST', '/data/v3/thing', { how: 'ok', note: 'a note' })
  must(thing, 201)
  const { id } = thing.body as never as { id: string }
  must(await server.ask('GET', `/data/v3/thing/${id}/values/fee/evidence`), 200)
  run(server, ['records', 'evidence', 'thing', id, 'fee', '--out', join(folder, 'value-evidence.json')])
}

/** To a directory, from the folder and over HTTP; and with a token that the server refuses. */
export function retrieve(server: CanaryServer, folder: string): void {
  run(server, ['retrieve', '--out', join(folder, 'retrieved')])
  run(server, ['diff', join(folder, 'retrieved')])
  const token = marked('token')
  const elsewhere = ['retrieve', '--out', join(folder, 'refused'), '--json']
  for (const url of [server.url, 'http://127.0.0.1:1'])
    run(server, elsewhere, { org: url, code: 1, env: { ALMANAC_TOKEN: token } })
}

/** To an org whose user has a password with the mark; by a job of the server and by the command line. */
export async function push(server: CanaryServer, far: CanaryServer, folder: string): Promise<void> {
  const password = marked('a long password ')
  const user = { key: 'ada', name: 'Ada', permissionSets: ['administrator'], password }
  must(await far.ask('POST', '/setup/v3/users', user), 201)
  const proof = { kind: 'password', user: 'ada', password }
  const remote = { key: 'far', name: 'Far', url: far.url, colour: 'grey', proof }
  must(await server.ask('POST', '/setup/v3/remotes', remote), 201)
  await job(server, 'push', { rationale: 'canary' })
  await job(server, 'compare')
  await job(server, 'rollback', { generation: 1, rationale: 'canary' })
  must(await server.ask('POST', '/setup/v3/remotes/far/contact'), 200)
  run(server, ['push', join(folder, 'retrieved'), '--remote', 'far', '--rationale', 'canary'])
  const refused = ['push', join(folder, 'retrieved'), '--remote', far.url, '--token', marked('token')]
  run(server, refused, { code: 1 })
}

async function job(server: CanaryServer, verb: string, body?: object): Promise<void> {
  const started = await server.ask('POST', `/setup/v3/remotes/far/${verb}`, body)
  must(started, 202)
  const { id } = started.body as never as { id: string }
  const state = await until(`The job ${verb} ends`, async () => {
    const { body: found } = await server.ask('GET', `/setup/v3/remotes/far/jobs/${id}`)
    const { state: now } = found as never as { state: string }
    return now === 'running' ? undefined : now
  })
  if (state !== 'done') throw new Error(`The job ${verb} is ${state}.`)
}

/** A deploy removes a credential: no ciphertext of its secrets is left in any file. Returns how many there were. */
export async function remove(server: CanaryServer): Promise<number> {
  const before = sealedIn(server)
  const removals = [`automation/call_${removable}`, `named_credential/to_${removable}`]
  removals.push(`external_credential/${removable}`)
  must(
    await server.ask('POST', '/metadata/v3/apply', { components: [], removals, rationale: 'removed' }),
    200,
  )
  await until('The secrets have ended', async () => {
    const { text } = await server.ask('GET', `/metadata/v3/audit?component=credential/${removable}`)
    return text.includes('credential.secrets_ended') && sealedIn(server).length < before.length
      ? true
      : undefined
  })
  const after = new Set(sealedIn(server))
  const gone = before.filter((sealed) => !after.has(sealed))
  const left = server.findOutside(gone.map((sealed) => ({ form: 'sealed', bytes: Buffer.from(sealed) })))
  if (left.length > 0) throw new Error(`A secret was not destroyed: ${JSON.stringify(left)}`)
  return gone.length
}

/** The ciphertexts of the vault. */
function sealedIn({ org }: CanaryServer): string[] {
  const db = new Database(vaultFile(org), { readonly: true })
  const rows = db.prepare<[], { content: string }>('SELECT content FROM secret').all()
  db.close()
  return rows.flatMap(({ content }) =>
    [...content.matchAll(/"sealed":"([^"]+)"/g)].map(([, sealed]) => sealed!),
  )
}

interface RunTerms {
  /** By default the server's folder. */
  org?: string
  code?: number
  env?: Record<string, string>
}

/** Runs the command line; what it prints is kept with the responses. */
function run(
  server: CanaryServer,
  args: string[],
  { org = server.org, code = 0, env = {} }: RunTerms = {},
): void {
  const ran = almanac([...args, '--org', org], { env: { ...env, XDG_CONFIG_HOME: server.temp } })
  if (ran.code !== code)
    throw new Error(`${args.join(' ')}: ${ran.code} and not ${code}: ${ran.out}${ran.err}`)
  server.responses.push({ name: `almanac ${args[0]!}`, bytes: Buffer.from(ran.out + ran.err) })
}

// "almanac backup" creates a complete, private and verified copy, even of an org that is being changed.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'
import { enginesOf } from '../../server/compose/engines.ts'
import { openOrg } from '../../server/compose/open-org.ts'
import { almanac, bin, scratch, serving, writeComponents } from './almanac.ts'

const dir = scratch()
const org = join(dir, 'org')

beforeAll(() => {
  almanac(['init', org, '--sample'])
})

const backUp = (from: string, to: string) => almanac(['backup', join(dir, to), '--org', from])

describe('a backup', () => {
  it('is an undamaged org of the same lineage, generation and signing key', () => {
    const { code, out } = backUp(org, 'first')
    expect(out).toMatch(/^Backed up generation 3 to .*first \([\d,]+ KiB\)\. The copy is intact\.\n$/)
    expect(code).toBe(0)
    const copy = join(dir, 'first')
    expect(almanac(['check', '--org', copy]).code).toBe(0)
    const [before, after] = [org, copy].map((each) => almanac(['generations', '--json', '--org', each]).out)
    expect(after).toBe(before)
    expect(readFileSync(join(copy, 'signing.key'))).toEqual(readFileSync(join(org, 'signing.key')))
  })

  it('replays a stored result of the org', () => {
    const { results } = almanac(['results', '--json', '--org', org]).json() as unknown as {
      results: { id: string }[]
    }
    expect(almanac(['replay', '--result', results[0]!.id, '--org', join(dir, 'first')]).code).toBe(0)
  })

  it('contains the secrets, encrypted, with their key, and only its owner can read it', async () => {
    const source = join(dir, 'with-secrets')
    cpSync(org, source, { recursive: true })
    const opened = openOrg(source)
    await enginesOf(opened).custody.put('remote/test', 'a secret')
    await opened.close()
    expect(backUp(source, 'second').out).not.toContain('warning')
    const copy = join(dir, 'second')
    const restored = openOrg(copy)
    expect(await enginesOf(restored).custody.get('remote/test')).toBe('a secret')
    await restored.close()
    for (const path of ['', 'org.sqlite', 'signing.key', 'vault.sqlite', 'vault.key'])
      expect(statSync(join(copy, path)).mode & 0o077).toBe(0)
    expect(readFileSync(join(copy, 'vault.sqlite')).includes('a secret')).toBe(false)
  })

  it('is printed as JSON', () => {
    const report = almanac(['backup', join(dir, 'third'), '--org', org, '--json']).json()
    expect(report).toMatchObject({ folder: join(dir, 'third'), generation: 3, findings: [] })
  })

  it('is one state of an org that a server and the command line change in the meantime', async () => {
    const busy = join(dir, 'busy')
    almanac(['init', busy])
    const server = await serving(['serve', '--org', busy, '--port', '0'])
    let writing = true
    const writer = (async () => {
      for (let at = 0; writing; at += 1) await applyValueSet(busy, `busy_${at}`)
    })()
    try {
      for (const name of ['busy-1', 'busy-2', 'busy-3']) {
        expect(await inProcess(['backup', join(dir, name), '--org', busy])).toBe(0)
        expect(almanac(['check', '--org', join(dir, name)]).code).toBe(0)
      }
    } finally {
      writing = false
      await writer
      await server.stop()
    }
  })
})

describe('a backup is refused', () => {
  it.each(['file', 'folder'])('if the target is an existing %s', (kind) => {
    const target = join(dir, `existing-${kind}`)
    if (kind === 'file') writeFileSync(target, 'mine')
    else mkdirSync(target)
    const { code, err } = backUp(org, `existing-${kind}`)
    expect(code).toBe(1)
    expect(err).toContain(`conflict.exists  ${target} already exists. Specify a folder that does not exist.`)
    if (kind === 'file') expect(readFileSync(target, 'utf8')).toBe('mine')
    else expect(readdirSync(target)).toEqual([])
  })

  it('if the org does not exist', () => {
    expect(backUp(join(dir, 'nothing'), 'none')).toMatchObject({ code: 1 })
    expect(existsSync(join(dir, 'none'))).toBe(false)
  })

  it('if the org is damaged, and nothing is left of it', () => {
    const damaged = join(dir, 'damaged')
    cpSync(org, damaged, { recursive: true })
    const db = new Database(join(damaged, 'org.sqlite'))
    db.prepare("UPDATE org SET name = 'Changed by something else'").run()
    db.prepare('DELETE FROM audit WHERE rowid = (SELECT max(rowid) FROM audit)').run()
    db.close()
    const { code, err } = backUp(damaged, 'of-damaged')
    expect(code).toBe(1)
    expect(err).toContain('integrity.')
    expect(err).toContain('storage.damaged  The org is damaged, so the copy was damaged too and was removed.')
    expect(readdirSync(dir).filter((name) => name.startsWith('of-damaged'))).toEqual([])
  })

  it('for a URL', () => {
    expect(backUp('http://127.0.0.1:4680', 'remote')).toMatchObject({ code: 2 })
  })
})

/** Applies one more component, in a separate process. */
async function applyValueSet(folder: string, key: string): Promise<void> {
  const values = [{ key: 'one', label: 'One' }]
  const components = writeComponents(join(dir, key), [
    { type: 'value_set', key, label: key, body: { values } } as { type: string; key: string },
  ])
  expect(await inProcess(['apply', components, '--org', folder])).toBe(0)
}

function inProcess(args: readonly string[]): Promise<number | null> {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: dir,
    stdio: 'ignore',
  })
  return new Promise((resolve) => child.once('exit', resolve))
}

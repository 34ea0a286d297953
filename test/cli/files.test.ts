// Files that a user names, as each command reads and writes them: a message of one line names the fault, the place and
// the fix.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { almanac, bin, entry, invoice, scratch, vatRate, writeComponents } from './almanac.ts'

const dir = scratch()
const org = join(dir, 'org')
const at = (...args: string[]) => almanac([...args, '--org', org])
const path = (name: string) => join(dir, name)
const currencies = {
  type: 'value_set',
  key: 'cur',
  label: 'Currencies',
  body: { values: [{ key: 'EUR', label: 'Euro' }] },
}
const isPosix = process.platform !== 'win32'
let evidence: string

beforeAll(() => {
  expect(almanac(['init', org]).code).toBe(0)
  const list = writeComponents(path('list'), [
    currencies,
    invoice,
    vatRate,
    entry('de', 'DE', '2021-01-01', null, '0.19'),
  ])
  const applied = at('apply', list)
  expect(applied.code).toBe(0)
  expect(applied.out).toMatch(/\nSlices: .+ used, .+ added, .+ left\.\n$/)
  const stored = at('evaluate', '1 + 1', '--store', 'Kept', '--as-of', '2021-01-01', '--json').json()
  evidence = String(stored['resultId'])
  if (isPosix) execFileSync('mkfifo', [path('pipe')])
  writeFileSync(path('file'), 'mine')
  mkdirSync(path('folder'))
})

it('an apply reports the slice budget', () => {
  const list = writeComponents(path('more'), [entry('fr', 'FR', '2021-01-01', null, '0.2')])
  expect(at('apply', list, '--json').json()).toMatchObject({
    budget: { used: expect.any(Number), added: expect.any(Number), left: expect.any(Number) },
  })
})

describe('a component file that is not in its place', () => {
  it('is reported before anything is pruned', () => {
    const out = path('moved')
    expect(at('retrieve', '--out', out).code).toBe(0)
    renameSync(join(out, 'value_set', 'cur.json'), join(out, 'cur.json'))
    for (const command of [['validate'], ['diff'], ['apply', '--prune'], ['request', '--prune']]) {
      const { code, err, out: stdout } = at(command[0]!, out, ...command.slice(1))
      expect([command, code]).toEqual([command, 1])
      expect(err + stdout).toContain('value_set/cur.json')
      expect(err + stdout).toContain('files.place')
    }
    expect(almanac(['validate', out]).out).toContain('files.place')
    const { code, err } = at('apply', join(out, 'config_set'), '--prune')
    expect([code, err]).toEqual([1, expect.stringContaining('Use ')])
    const components = at('retrieve', '--out', path('again'))
    expect(components.code).toBe(0)
    expect(existsSync(join(path('again'), 'value_set', 'cur.json'))).toBe(true)
  })
})

describe.runIf(isPosix)('what cannot be written', () => {
  const oneLine = (args: string[], words: RegExp) => {
    const ran = spawnSync(process.execPath, [bin, ...args], {
      encoding: 'utf8',
      timeout: 60_000,
    })
    expect([args, ran.status, ran.signal]).toEqual([args, 1, null])
    expect(ran.stderr.trim().split('\n')).toEqual([expect.stringMatching(words)])
  }
  const outputs: [what: string, out: string, words: RegExp][] = [
    ['a missing folder', 'missing/x', /folder .*missing does not exist\. Create it/],
    ['a file in the way', 'file/x', /file is not a folder\. Choose/],
    ['a pipe', 'pipe', /pipe/],
    ['a device', '/dev/full', /\/dev\/full/],
  ]
  const placed = (out: string) => (out.startsWith('/') ? out : path(out))

  it.each(outputs)('is reported in one line for %s', (_, out, words) => {
    oneLine(['types', '--out', placed(out), '--org', org], words)
  })

  it('is reported in one line by every command', () => {
    for (const command of [['export', 'vat_rate'], ['evidence', evidence], ['types']])
      oneLine([...command, '--out', path('folder'), '--org', org], /it is a folder\. Specify a file\./)
    for (const out of ['file', 'pipe', 'file/x'])
      for (const command of [['retrieve', '--org', org, '--out'], ['init']])
        oneLine([...command, path(out)], /is not a folder\. Choose/)
    expect(readFileSync(path('file'), 'utf8')).toBe('mine')
    expect(readdirSync(path('folder'))).toEqual([])
  })

  it.runIf(process.platform === 'linux')('never hangs below a system folder', () => {
    for (const command of [['retrieve', '--org', org, '--out'], ['init']])
      oneLine([...command, '/proc/almanac'], /\/proc does not accept files/)
    const full = `"${process.execPath}" "${bin}" types --org "${org}" > /dev/full`
    const ran = spawnSync('sh', ['-c', full], { encoding: 'utf8', timeout: 60_000 })
    expect([ran.status, ran.stderr]).toEqual([
      1,
      expect.stringMatching(/^The output cannot be written: ENOSPC.*\n$/),
    ])
  })

  // Only root can mount a small disk.
  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'leaves the old file unchanged on a full or read-only disk',
    (context) => {
      const disk = path('disk')
      mkdirSync(disk)
      if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status !== 0)
        context.skip('No disk can be mounted here.')
      try {
        writeFileSync(join(disk, 'types.ts'), 'old')
        writeFileSync(join(disk, 'rest'), Buffer.alloc(60_000))
        oneLine(
          ['types', '--out', join(disk, 'types.ts'), '--org', org],
          /the disk is full\. Free some space/,
        )
        oneLine(
          ['retrieve', '--out', join(disk, 'files'), '--org', org],
          /the disk is full\. Free some space/,
        )
        oneLine(
          ['init', join(disk, 'org')],
          /^storage\.full +The disk of this org is full\. .*Free some space/,
        )
        expect(readFileSync(join(disk, 'types.ts'), 'utf8')).toBe('old')
        rmSync(join(disk, 'rest'))
        spawnSync('mount', ['-o', 'remount,ro', disk])
        for (const command of [
          ['types', '--out', join(disk, 'types.ts')],
          ['retrieve', '--out', disk],
        ])
          oneLine([...command, '--org', org], /the file system is read-only/)
        oneLine(['init', join(disk, 'org')], /the file system is read-only/)
      } finally {
        spawnSync('umount', ['-l', disk])
      }
    },
  )

  it('is read only from a regular file', () => {
    for (const command of ['verify', 'replay', 'recompute'])
      oneLine(
        [command, path('pipe'), ...(command === 'verify' ? [] : ['--org', org])],
        /is a pipe, a socket or a device/,
      )
    oneLine(
      ['import', 'vat_rate', path('pipe'), '--inspect', '--org', org],
      /is a pipe, a socket or a device/,
    )
    oneLine(['verify', path('folder')], /it is a folder\. Specify a file\./)
    for (const command of ['apply', 'validate', 'diff'])
      oneLine([command, path('pipe'), '--org', org], /pipe is not a folder/)
  })

  it('follows a link of the user, and never one below a directory of components', () => {
    symlinkSync(path('file'), path('link'))
    expect(at('types', '--out', path('link')).code).toBe(0)
    expect(readFileSync(path('file'), 'utf8')).toContain('almanac types')
    const out = path('linked')
    mkdirSync(join(dir, 'away'))
    mkdirSync(out)
    symlinkSync(join(dir, 'away'), join(out, 'value_set'))
    oneLine(['retrieve', '--out', out, '--org', org], /there is a link or a file at this path/)
    expect(readdirSync(join(dir, 'away'))).toEqual([])
  })
})

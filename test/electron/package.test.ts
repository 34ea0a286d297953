// Packaging, with a stand-in for Electron's binary: the content of the package, its fuses, and whether its server runs.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { extractAll, listPackage } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { build, Arch, Platform } from 'electron-builder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import config from '../../electron-builder.config.ts'
import { ensureBuilt } from '../../main/launch/setup.mjs'
import { RealUtilityProcess } from './utility-process.ts'

const root = resolve(import.meta.dirname, '../..')
/** Marks the fuses in Electron's binary; followed by a version, a count, and a character for each fuse. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const place = mkdtempSync(join(tmpdir(), 'package-'))
const unpacked = join(place, 'dist', 'linux-unpacked')
const archive = join(unpacked, 'resources', 'app.asar')

beforeAll(async () => {
  if (!ensureBuilt()) throw new Error('The studio could not be built.')
  const electronDist = join(place, 'electron')
  mkdirSync(join(electronDist, 'resources'), { recursive: true })
  mkdirSync(join(electronDist, 'locales'))
  // Every fuse as Electron ships it, including the newer ones.
  writeFileSync(join(electronDist, 'electron'), `stand-in${sentinel}\x01\x09101100011${'.'.repeat(64)}`)
  chmodSync(join(electronDist, 'electron'), 0o755)
  for (const file of ['version', 'LICENSE', 'LICENSES.chromium.html'])
    writeFileSync(join(electronDist, file), '')
  await build({
    projectDir: root,
    publish: 'never',
    targets: Platform.LINUX.createTarget('dir', Arch.x64),
    config: { ...config, electronDist, directories: { ...config.directories, output: join(place, 'dist') } },
  })
}, 300_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

describe('the package', () => {
  it('has the fuses set: no Node, no inspector, only the archive, cookies encrypted', async () => {
    const wire = await getCurrentFuseWire(join(unpacked, 'almanac'))
    const set = (fuse: FuseV1Options): string => String.fromCharCode(Number(wire[fuse]))
    expect(set(FuseV1Options.RunAsNode)).toBe('0')
    expect(set(FuseV1Options.EnableCookieEncryption)).toBe('1')
    expect(set(FuseV1Options.EnableNodeOptionsEnvironmentVariable)).toBe('0')
    expect(set(FuseV1Options.EnableNodeCliInspectArguments)).toBe('0')
    expect(set(FuseV1Options.EnableEmbeddedAsarIntegrityValidation)).toBe('1')
    expect(set(FuseV1Options.OnlyLoadAppFromAsar)).toBe('1')
    expect(set(FuseV1Options.GrantFileProtocolExtraPrivileges)).toBe('0')
  })

  it('contains what runs, and nothing that is only developed or tested', () => {
    const held = listPackage(archive, { isPack: false }).map((path) => path.replaceAll('\\', '/'))
    for (const file of [
      '/package.json',
      '/LICENSE',
      '/out/main/index.js',
      '/out/main/server-process.js',
      '/out/preload/preload.cjs',
      '/out/renderer/index.html',
      '/resources/LICENSES.md',
    ])
      expect(held).toContain(file)
    const tops = new Set(held.map((path) => path.split('/')[1]))
    expect([...tops].sort()).toEqual(['LICENSE', 'node_modules', 'out', 'package.json', 'resources'])
    expect(held.filter((path) => /\.(ts|map|cpp|c|h)$/.test(path))).toEqual([])
    for (const name of ['electron', 'vite', 'vue', 'monaco-editor', 'vitest', 'typescript'])
      expect(held).not.toContain(`/node_modules/${name}`)
  })

  it('has only the binding of its own platform outside the archive', () => {
    const bindings = listPackage(archive, { isPack: true }).filter((line) => line.endsWith('.node'))
    expect(bindings).toHaveLength(1)
    expect(bindings[0]).toMatch(/^unpack.*linux-x64\.node$/)
    const beside = join(unpacked, 'resources', 'app.asar.unpacked')
    expect(existsSync(join(beside, 'node_modules/better-sqlite3/prebuilds/linux-x64.node'))).toBe(true)
    expect(existsSync(join(beside, 'out'))).toBe(false)
  })

  // The binding in the package is that of the machine that runs this test.
  it.runIf(process.platform === 'linux' && process.arch === 'x64')(
    'runs its server from its own content, including the sample org and the studio',
    async () => {
      const app = join(place, 'app')
      extractAll(archive, app)
      const server = new RealUtilityProcess(join(app, 'out/main/server-process.js'))
      try {
        const org = join(place, 'org')
        server.postMessage({ kind: 'start', org, root: app, port: null, sample: true, vaultKey: null })
        await expect.poll(() => server.messages[0], { timeout: 60_000 }).toMatchObject({ kind: 'ready' })
        const link = server.messages[0]!['open'] as string
        const entered = await fetch(link, { redirect: 'manual' })
        const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!
        const ask = (path: string) => fetch(new URL(path, link), { headers: { cookie } })
        expect(await (await ask('/')).text()).toContain('<div id="app">')
        expect((await ask('/setup/v3/org')).status).toBe(200)
      } finally {
        server.kill('SIGKILL')
      }
    },
    90_000,
  )
})

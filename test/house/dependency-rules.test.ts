// Each rule of .dependency-cruiser.mjs is proved by a planted violation: a rule that reports nothing protects nothing.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import config from '../../.dependency-cruiser.mjs'

const root = resolve(import.meta.dirname, '../..')

/** A small repository that satisfies every rule. */
const house: Record<string, string> = {
  'package.json': JSON.stringify({
    type: 'module',
    imports: { '#kernel/*': './server/kernel/*', '#wire/*': './server/wire/*' },
    dependencies: { express: '1', zod: '1' },
    devDependencies: { electron: '1', 'fast-check': '1' },
  }),
  ...fakePackage('express'),
  ...fakePackage('zod'),
  ...fakePackage('electron'),
  ...fakePackage('fast-check'),
  'server/kernel/dates/civil-date.ts': `import 'zod'\nexport const day = 1\nexport type Day = number\n`,
  'server/wire/session.ts': `import type { Day } from '#kernel/dates/civil-date.ts'\nexport type Session = { until: Day }\n`,
  'server/ports/clock.ts': `import type { Day } from '../kernel/dates/civil-date.ts'\nimport type { Session } from '#wire/session.ts'\nexport type Clock = (session: Session) => Day\n`,
  'server/storage/sqlite/store.ts': `import type { Clock } from '../../ports/clock.ts'\nimport '#wire/session.ts'\nexport type Store = Clock\n`,
  'server/pipeline/index.ts': `export { apply } from './apply.ts'\n`,
  'server/pipeline/apply.ts': `import { day } from '../kernel/dates/civil-date.ts'\nexport const apply = day\n`,
  'server/access/index.ts': `import { apply } from '../pipeline/index.ts'\nexport const access = apply\n`,
  'server/http/app.ts': `import 'express'\nimport { access } from '../access/index.ts'\nexport const app = access\n`,
  'server/compose/engines.ts': `import '../storage/sqlite/store.ts'\nexport { app } from '../http/app.ts'\n`,
  'server/index.ts': `export { app } from './compose/engines.ts'\n`,
  'main/index.ts': `import 'electron'\nimport './ipc-map.ts'\nimport './menu.ts'\n`,
  'main/menu.ts': `import '../renderer/frame/commands.ts'\nimport type { SecretCustody } from '../server/ports/secret-custody.ts'\nexport type Custody = SecretCustody\n`,
  'renderer/frame/commands.ts': `import type { IconName } from './icons.ts'\nexport type Icon = IconName\n`,
  'renderer/frame/icons.ts': `export type IconName = string\n`,
  'server/ports/secret-custody.ts': `export type SecretCustody = string\n`,
  'main/ipc-map.ts': `export type IpcMap = { ping: string }\n`,
  'main/server-process.ts': `import '../server/index.ts'\n`,
  'renderer/main.ts': `import '#kernel/dates/civil-date.ts'\nimport '#wire/session.ts'\nimport type { IpcMap } from '../main/ipc-map.ts'\nimport '../elements/lookup/index.ts'\nexport type Bridge = IpcMap\n`,
  'elements/lookup/index.ts': `export const tag = 'svc-lookup-field'\n`,
}

/** One violation per rule: the file that contains it. Each is added to the repository above. */
const breaches: Record<string, Record<string, string>> = {
  'kernel-is-pure': { 'server/kernel/graph/clock.ts': `import 'node:fs'\n` },
  'wire-imports-the-kernel-only': { 'server/wire/plan.ts': `import '../ports/clock.ts'\n` },
  'ports-know-shapes-only': { 'server/ports/vault.ts': `import 'express'\n` },
  'callouts-outside-transactions': {
    'server/records/call-out.ts': `import { mint } from '../ports/outside-transaction.ts'\nexport const capability = mint\n`,
    'server/ports/outside-transaction.ts': `export const mint = Symbol('mint')\n`,
  },
  'features-below-http': { 'server/records/up.ts': `import '../http/app.ts'\n` },
  'http-below-compose': { 'server/http/wiring.ts': `import '../compose/engines.ts'\n` },
  'storage-implements-ports': { 'server/storage/sqlite/engine.ts': `import '../../pipeline/index.ts'\n` },
  'only-compose-imports-storage': { 'server/records/raw.ts': `import '../storage/sqlite/store.ts'\n` },
  'one-door-to-drafts': {
    'server/http/short-cut.ts': `import '../ports/draft-table.ts'\n`,
    'server/ports/draft-table.ts': `export const draftTable = Symbol('drafts')\n`,
  },
  'features-enter-by-the-door': { 'server/records/window.ts': `import '../pipeline/apply.ts'\n` },
  'outside-enters-by-the-door': { 'server/http/window.ts': `import '../pipeline/apply.ts'\n` },
  'no-cycles': {
    'server/kernel/graph/egg.ts': `import type { Hen } from './hen.ts'\nexport type Egg = Hen\n`,
    'server/kernel/graph/hen.ts': `import type { Egg } from './egg.ts'\nexport type Hen = Egg\n`,
  },
  'renderer-reaches-the-server-by-http': {
    'renderer/short-cut.ts': `import '../server/pipeline/index.ts'\n`,
  },
  'renderer-takes-types-of-main': { 'renderer/bridge.ts': `import '../main/ipc-map.ts'\n` },
  'page-has-no-node': { 'elements/lookup/files.ts': `import 'node:fs'\n` },
  'elements-import-nothing-of-ours': {
    'elements/lookup/kernel.ts': `import '#kernel/dates/civil-date.ts'\n`,
  },
  'server-knows-no-desktop': { 'server/callouts/dialog.ts': `import 'electron'\n` },
  'main-is-thin': { 'main/thick.ts': `import '../server/pipeline/index.ts'\n` },
  'studio-opens-without-schemas': { 'renderer/forms.ts': `import 'zod'\n` },
  'commands-are-data': { 'renderer/frame/navigation.ts': `import './icons.ts'\n` },
  'main-window-process-runs-no-server': { 'main/window.ts': `import '../server/index.ts'\n` },
  'products-do-not-import-tests': {
    'server/records/fixture.ts': `import '../../test/support/org.ts'\n`,
    'test/support/org.ts': `export const org = 1\n`,
  },
  'no-development-dependency-at-run-time': { 'server/records/random.ts': `import 'fast-check'\n` },
  resolvable: { 'server/records/ghost.ts': `import './nowhere.ts'\n` },
}

let place: string

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'house-'))
})

afterAll(() => rmSync(place, { recursive: true, force: true }))

describe('rules of the import graph', () => {
  it('have a planted violation each', () => {
    expect(Object.keys(breaches).sort()).toEqual(config.forbidden!.map((rule) => rule.name!).sort())
  })

  it('report nothing in a repository that satisfies them', () => {
    expect(reported(plant('clean', {}))).toEqual([])
  })

  describe('reports each violation, in its file, by its rule', () => {
    let violations: { rule: string; from: string }[]

    beforeAll(() => {
      violations = reported(plant('breached', Object.assign({}, ...Object.values(breaches))))
    })

    it.each(Object.entries(breaches))('%s', (rule, files) => {
      expect(violations).toContainEqual({ rule, from: Object.keys(files)[0]! })
    })
  })
})

/** Writes the repository with extra files; returns its folder. */
function plant(name: string, extra: Record<string, string>): string {
  const folder = join(place, name)
  for (const [path, text] of Object.entries({ ...house, ...extra })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const file of ['.dependency-cruiser.mjs', 'tsconfig.base.json']) {
    copyFileSync(join(root, file), join(folder, file))
  }
  return folder
}

/** Runs the cruiser over a planted repository; returns rule and file of each violation. */
function reported(folder: string): { rule: string; from: string }[] {
  const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const args = [
    cruiser,
    '--config',
    '.dependency-cruiser.mjs',
    '--output-type',
    'json',
    '{server,main,renderer,elements}/**',
  ]
  let json: string
  try {
    json = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 64e6 })
  } catch (failure) {
    // The cruiser exits with the number of its findings.
    json = (failure as { stdout: string }).stdout
  }
  const { summary } = JSON.parse(json) as {
    summary: { violations: { from: string; rule: { name: string } }[] }
  }
  return summary.violations.map(({ from, rule }) => ({ rule: rule.name, from }))
}

/** An installed package of that name that does nothing. */
function fakePackage(name: string): Record<string, string> {
  return {
    [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
    [`node_modules/${name}/index.js`]: '',
  }
}

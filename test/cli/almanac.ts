// The real command line, as a user or a script runs it.
import { execFile, spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { bundled } from '../support/bundled.mjs'
import { askHost } from './host.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))
/** The command line from the bundle, which starts in a third of the time. */
export const bin = bundled('vitest', 'cli')
/** What a user starts. */
export const binOfSources = join(root, 'server', 'bin.mjs')

export interface Ran {
  code: number | null
  out: string
  err: string
  /** stdout as JSON. */
  json: () => Record<string, never>
}

/** A folder of this test file, removed after its tests. */
export function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'almanac-cli-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export interface RunOptions {
  cwd?: string
  input?: string
  env?: Record<string, string>
  /** What a separate process starts. */
  start?: string
}

/** In a process that runs one call after another; in a separate one if there is input. */
export function almanac(args: readonly string[], options: RunOptions = {}): Ran {
  if (options.input !== undefined) return almanacProcess(args, options)
  const answer = askHost({ args, cwd: options.cwd ?? tmpdir(), env: environment(options.env) })
  return { ...answer, json: () => JSON.parse(answer.out) as never }
}

/** In a separate process. */
function almanacProcess(args: readonly string[], options: RunOptions = {}): Ran {
  const ran: SpawnSyncReturns<string> = spawnSync(process.execPath, [options.start ?? bin, ...args], {
    cwd: options.cwd ?? tmpdir(),
    encoding: 'utf8',
    input: options.input ?? '',
    maxBuffer: 64 * 1024 * 1024,
    env: environment(options.env),
  })
  return { code: ran.status, out: ran.stdout, err: ran.stderr, json: () => JSON.parse(ran.stdout) as never }
}

/** In a separate process, without blocking this one, whose servers the command calls. */
export function almanacBeside(args: readonly string[], { env }: Pick<RunOptions, 'env'> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd: tmpdir(), env: environment(env) }
    execFile(process.execPath, [bin, ...args], options, (error, out, err) =>
      resolve({
        code: error === null ? 0 : Number(error.code),
        ...{ out, err, json: () => JSON.parse(out) as never },
      }),
    )
  })
}

/** The same for a command that keeps running: resolves with its first line. */
export function serving(
  args: readonly string[],
  own: Record<string, string> = {},
  start = bin,
): Promise<{ line: Record<string, string>; stop: () => Promise<number | null> }> {
  const child = spawn(process.execPath, [start, ...args], {
    cwd: tmpdir(),
    env: environment(own),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const stop = (): Promise<number | null> => {
    child.kill('SIGTERM')
    return ended
  }
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\n'))
        resolve({ line: JSON.parse(text.slice(0, text.indexOf('\n'))) as Record<string, string>, stop })
    })
    ended.then((code) => reject(new Error(`serve ended with ${code}`)), reject)
  })
}

/** Ignores the caller's org, token and configuration. */
function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { ALMANAC_ORG: _org, ALMANAC_TOKEN: _token, FORCE_COLOR: _colour, ...rest } = process.env
  return { ...rest, NO_COLOR: '1', ...more }
}

/** Component files below `dir`, in the layout of a retrieve. */
export function writeComponents(dir: string, components: readonly { type: string; key: string }[]): string {
  for (const component of components) {
    const path = join(
      dir,
      component.type,
      `${component.type === 'config_entry' ? component.key.replace('.', '/') : component.key}.json`,
    )
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(component))
  }
  return dir
}

const grants = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }

export const invoice = {
  type: 'object',
  key: 'invoice',
  label: 'Invoice',
  body: { fields: [{ key: 'tax_point', type: 'date', required: true }] },
}

export const vatRate = {
  type: 'config_set',
  key: 'vat_rate',
  label: 'VAT rate',
  body: {
    cardinality: 'keyed',
    keyedBy: { key: 'territory', type: 'text' },
    scopes: ['environment', 'org'],
    effectiveDated: true,
    asOfField: 'invoice.tax_point',
    fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
    ...grants,
  },
}

export function entry(
  slug: string,
  key: string,
  effectiveFrom: string,
  effectiveTo: string | null,
  rate: string,
  scope: object = { kind: 'org' },
) {
  return {
    type: 'config_entry',
    key: `vat_rate.${slug}`,
    label: slug,
    body: { set: 'vat_rate', key, scope, effectiveFrom, effectiveTo, values: { rate } },
  }
}

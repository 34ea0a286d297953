// A directory that two threads read: the same result as from one, in the same order, even if the second one fails.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DirectoryBlocks } from './directory-blocks.ts'
import { readFiles, type FileContents } from './directory-file.ts'
import { readInTwoThreads, type SharedDirectory } from './directory-thread.ts'
import { readDirectory } from './read-directory.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-dir-'))
  mkdirSync(join(dir, 'value_set'))
  mkdirSync(join(dir, 'config_entry', 'rate'), { recursive: true })
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const file = (key: string): string => join(dir, 'value_set', `${key}.json`)
const component = (key: string, rest: object = {}): string =>
  JSON.stringify({ type: 'value_set', key, label: key, body: { values: [] }, ...rest })
const entry = (key: string, value: string): string =>
  `{ "type": "config_entry", "key": "rate.${key}", "label": "${key}", "body": { "set": "rate", "key": "${key}", "values": { "v": ${value} } } }`

const contents: Record<string, (key: string) => string | Buffer> = {
  plain: (key) => component(key),
  labelled: (key) => component(key, { label: 'Ünïcødé \ud83d\ude00 \u2028 "quoted" \\' }),
  hinted: (key) => component(key, { breaking: true }),
  renamed: (key) => component(key, { renamedFrom: 'former' }),
  null: (key) => component(key, { body: { values: [], description: null } }),
  loneSurrogate: (key) => component(key).replace(`"label":"${key}"`, '"label":"\\ud800"'),
  broken: (key) => component(key).slice(0, -3),
  empty: () => '',
  list: () => '[1, 2, 3]',
  elsewhere: (key) => component(`${key}x`),
  unknown: (key) => component(key, { extra: { deep: [1] } }),
  proto: (key) => component(key).replace('"values":[]', '"values":[],"__proto__":{"a":1}'),
  twice: (key) => component(key).replace('"body":', '"body":{"values":[1]},"body":'),
  marked: (key) => `\ufeff${component(key)}`,
  otherEncoding: (key) => Buffer.from(component(key, { label: 'ä' }), 'latin1'),
}
const numbers = ['1', '-0', '-0.0', '0', '-0e5', '1e400', '0.1', '12345678901234567890', '1.10', '"-0"']

/** Returns their paths. */
function writeAll(kinds: readonly string[]): string[] {
  return kinds.map((kind, index) => {
    const key = `s${String(index).padStart(4, '0')}`
    writeFileSync(file(key), contents[kind]!(key))
    return `value_set/${key}.json`
  })
}

function writeNumbers(): string[] {
  return numbers.map((number, index) => {
    const path = `config_entry/rate/e${index}.json`
    writeFileSync(join(dir, path), entry(`e${index}`, number))
    return path
  })
}

/** Starts the other thread, and lets this one go on once it has sent some blocks. */
const startedFirst =
  (blocks: number) =>
  ({ port, ...directory }: SharedDirectory): Worker => {
    const thread = new Worker(new URL('./directory-worker.ts', import.meta.url))
    thread.postMessage({ ...directory, port }, [port])
    const shared = new DirectoryBlocks(directory.shared)
    const wanted = Math.min(blocks, shared.count)
    for (let sent = 0; sent < wanted; sent = shared.sent)
      if (!shared.waitForMore(sent, 10_000)) throw new Error('The other thread sends nothing.')
    return thread
  }

function together(parts: Iterable<FileContents>): FileContents {
  const all: FileContents = { components: [], findings: [], invalidComponents: [] }
  for (const part of parts) {
    all.components.push(...part.components)
    all.findings.push(...part.findings)
    all.invalidComponents.push(...part.invalidComponents)
  }
  return all
}

describe('a directory that two threads read', () => {
  it('gives the same as one thread, in the same order', { timeout: 60_000 }, () => {
    const kind = fc.oneof(
      { weight: 5, arbitrary: fc.constant('plain') },
      fc.constantFrom(...Object.keys(contents)),
    )
    fc.assert(
      fc.property(fc.array(kind, { minLength: 1, maxLength: 900 }), fc.nat(5), (kinds, blocks) => {
        rmSync(join(dir, 'value_set'), { recursive: true })
        mkdirSync(join(dir, 'value_set'))
        const paths = [...writeAll(kinds), ...writeNumbers(), 'value_set/link.json', 'value_set/none.json']
        symlinkSync(file('s0000'), file('link'))
        const two = together(readInTwoThreads(dir, paths, startedFirst(blocks)))
        expect(two).toStrictEqual(readFiles(dir, paths))
      }),
      { numRuns: 10 },
    )
  })

  it('is used for many files', () => {
    const paths = writeAll([...Array<string>(500).fill('plain'), 'broken', 'plain'])
    const read = readDirectory(dir, { sharedFrom: paths.length })
    expect(read).toStrictEqual(readDirectory(dir, { sharedFrom: paths.length + 1 }))
    expect(read.components).toHaveLength(501)
  })

  it.each([
    ['cannot start', 'throw new Error("no")'],
    [
      'ends after it has taken a block',
      'require("node:worker_threads").parentPort.once("message", ({ shared }) => { Atomics.add(new Int32Array(shared), 0, 1); process.exit() })',
    ],
  ])('reads everything in this thread if the other one %s', async (_, code) => {
    const paths = writeAll(Array<string>(1000).fill('plain'))
    const ended: Promise<unknown>[] = []
    const start = (directory: SharedDirectory): Worker => {
      const thread = new Worker(code, { eval: true })
      thread.postMessage(directory, [directory.port])
      ended.push(new Promise((done) => thread.on('exit', done)))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
      return thread
    }
    const parts = [...readInTwoThreads(dir, paths, start)]
    expect(parts.flatMap((part) => part.components)).toHaveLength(1000)
    await Promise.all(ended)
  })
})

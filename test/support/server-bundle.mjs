// The server and its command line as a few files, made from the current sources at the start of a run. A process, and
// each of its threads, then starts in a third of the time; tests start hundreds of them.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { bundledFlag, bundleFolder } from './bundled.mjs'

const root = join(import.meta.dirname, '..', '..')
/** What is started from the bundle: the command line, the threads of the server, processes and servers of tests. */
const entries = {
  cli: 'server/cli.ts',
  'cli-host': 'test/cli/host-process.ts',
  'directory-worker': 'server/pipeline/directory-worker.ts',
  'apply-worker': 'server/compose/apply-worker.ts',
  'description-worker': 'server/compose/description-worker.ts',
  'lane-worker': 'server/compose/lane-worker.ts',
  'ingest-worker': 'server/compose/ingest-worker.ts',
  'payload-worker': 'server/compose/payload-worker.ts',
  'record-worker': 'server/compose/record-worker.ts',
  'rows-worker': 'server/compose/rows-worker.ts',
  'studio-host': 'test/e2e/support/studio-host.ts',
  'running-server': 'test/support/running-server.ts',
  'count-limit': 'test/storage/count-limit.ts',
  'apply-child': 'test/crash/apply-child.ts',
  'save-child': 'test/crash/save-child.ts',
  'request-child': 'test/crash/request-child.ts',
  'outbox-child': 'test/crash/outbox/child.ts',
  'event-child': 'test/crash/events/child.ts',
  'ingest-child': 'test/crash/ingest/child.ts',
  'webhooks-child': 'test/crash/webhooks/child.ts',
  'webhook-points-child': 'test/crash/webhooks/points-child.ts',
  'large-org-process': 'test/resources/large-org-process.ts',
  'server-process': 'test/resources/server-process.ts',
  'canary-process': 'test/security/canary/canary-process.ts',
  'parent-watch-worker': 'test/resources/parent-watch-worker.ts',
}
/** How a source file names a thread: `new URL('./lane-worker.ts', import.meta.url)`. */
const threadName = /new URL\((["'])\.\/([\w-]+-worker)\.ts\1, import\.meta\.url\)/g

/** Writes the bundle of a runner, once per run. */
export async function bundleServer(runner) {
  const flag = bundledFlag(runner)
  if (process.env[flag] !== undefined) return
  process.env[flag] = 'yes'
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    // Packages are also in the bundle, except for one that loads its native part from its own folder.
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    resolve: { mainFields: ['module', 'main'] },
    build: {
      ssr: true,
      outDir: bundleFolder(runner),
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, file)])),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
    plugins: [
      cheapPasswords(),
      {
        name: 'almanac:threads-beside',
        renderChunk: (code) => ({
          code: withoutBuiltinImports(code.replace(threadName, 'new URL("./$2.js", import.meta.url)')),
          map: null,
        }),
        generateBundle(_options, chunks) {
          // Otherwise Node would parse each file as CommonJS first.
          this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "module" }' })
          for (const chunk of Object.values(chunks))
            if (chunk.type === 'chunk') chunk.code = inAscii(chunk.code)
        },
      },
    ],
  })
}

/** An import of a module of Node reads all of its exports, and one of `node:http` then loads a second HTTP client. */
const withoutBuiltinImports = (code) =>
  code.replace(
    /\bimport\s*\{([^}]*)\}\s*from\s*(["'`]node:[\w/]+["'`])/g,
    (_import, names, module) => `var {${names.replace(/ as /g, ':')}}=process.getBuiltinModule(${module})`,
  )

/** Node takes a tenth of a second to decode a megabyte of source that is not ASCII. */
const inAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** For a server that a test starts in its own process from source: its threads come from the bundle. */
export function bundledThreads(runner) {
  const url = pathToFileURL(bundleFolder(runner)).href
  return {
    name: 'almanac:bundled-threads',
    transform: (code, id) =>
      id.includes('/server/') && code.includes('-worker.ts')
        ? { code: code.replace(threadName, `new URL("${url}/$2.js")`), map: null }
        : undefined,
  }
}

/**
 * Hashes the passwords of test users in one millisecond instead of two hundred. A hash contains its cost, so nothing
 * else differs; the real cost is tested over the sources, in `server/access/`.
 */
export function cheapPasswords() {
  const costly = 'const cost: Cost = { ln: 15, r: 8, p: 3 }'
  return {
    name: 'almanac:cheap-passwords',
    // In the source, before its types are removed.
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/server/access/password.ts')) return undefined
      if (!code.includes(costly)) throw new Error(`${id} does not contain "${costly}" any more.`)
      return { code: code.replace(costly, 'const cost: Cost = { ln: 7, r: 8, p: 1 }'), map: null }
    },
  }
}

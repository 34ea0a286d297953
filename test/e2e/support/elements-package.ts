// The published package of elements/ as another project installs it: built, packed by npm, unpacked into its
// node_modules.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '../../..')
const consumer = join(root, 'test/elements/consumer')
/** The other dependencies of that project. */
const installed = ['vue', 'react', 'react-dom', '@types/react', '@types/react-dom']

const quiet = { encoding: 'utf8', stdio: 'pipe' } as const

export interface OtherProject {
  folder: string
  /** Folder of the unpacked package. */
  unpacked: string
}

export function installPackage(): OtherProject {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-consumer-'))
  cpSync(consumer, folder, { recursive: true })
  const unpacked = join(folder, 'node_modules/@almanac/lookup-field')
  mkdirSync(unpacked, { recursive: true })
  execFileSync(process.execPath, [join(root, 'elements/build/build.ts')], quiet)
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    ...quiet,
    cwd: join(root, 'elements'),
    shell: process.platform === 'win32',
  })
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  execFileSync('tar', ['-xzf', packed, '--strip-components=1', '-C', 'node_modules/@almanac/lookup-field'], {
    ...quiet,
    cwd: folder,
  })
  for (const name of installed) {
    const at = join(folder, 'node_modules', name)
    mkdirSync(dirname(at), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), at, 'junction')
  }
  return { folder, unpacked }
}

/** The compiler's errors; empty on success. */
export function typeProblems({ folder }: OtherProject): string {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/vue-tsc/bin/vue-tsc.js'), '-p', folder], quiet)
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

/** The output of a script of the other project, run by Node as a server would. */
export async function served({ folder }: OtherProject, entry: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    build: {
      ssr: join(folder, entry),
      outDir: 'server',
      rolldownOptions: { output: { entryFileNames: 'server.mjs' } },
    },
  })
  return runNode(folder, ['server/server.mjs'])
}

/** The output of Node in the folder of the other project. */
export function runNode(folder: string, given: string[]): string {
  return execFileSync(process.execPath, given, { ...quiet, cwd: folder })
}

/** One script of the other project, bundled as that project would. `mode`: whether its libraries warn. */
export async function bundled(
  { folder }: OtherProject,
  entry: string,
  mode: 'production' | 'development' = 'production',
): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    mode,
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('svc-') } } })],
    build: { write: false, lib: { entry: join(folder, entry), formats: ['es'], fileName: () => 'index.js' } },
  })
  const [{ output }] = built as unknown as [{ output: [{ code: string }] }]
  return output[0].code
}

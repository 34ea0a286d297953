// The prerequisites of "npm start" and "npm test": Node, the installed packages, Electron's binary, the build.
// Plain JavaScript without dependencies, because it runs on Node 20 before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

const windows = process.platform === 'win32'
const at = (...parts) => join(root, ...parts)

/** Prints one line to standard error, so that standard output stays free for results. */
export function printLine(line) {
  process.stderr.write(`${line}\n`)
}

/**
 * Installs what is missing: everything if node_modules is absent, the difference if the lock file changed.
 * @returns {boolean} false if npm failed, after npm has printed the reason
 */
export function ensureInstalled() {
  const lock = createHash('sha256')
    .update(readFileSync(at('package-lock.json')))
    .digest('hex')
  const stamp = at('node_modules', '.cache', 'almanac', 'installed')
  const absent = !existsSync(at('node_modules', '.package-lock.json'))
  if (!absent && existsSync(stamp) && readFileSync(stamp, 'utf8') === lock && currentNode()) return true
  printLine(
    absent ? 'Installing packages (once, about a minute).' : 'The lock file changed: updating packages.',
  )
  // Warnings of npm, for example about an engine that only development tools need, would look like a failure.
  if (!npm([absent ? 'ci' : 'install', '--no-audit', '--no-fund', '--loglevel=error'])) {
    printLine(
      'npm could not install the packages. Its message is above. Fix the problem, then run the same command again.',
    )
    return false
  }
  if (!currentNode()) {
    printLine(
      'The packages are installed, but node_modules/node/bin/node does not run: its install script was not allowed.',
    )
    printLine(
      'Run "npm rebuild node --foreground-scripts", or use Node 24 yourself, then run the same command again.',
    )
    return false
  }
  writeNote(stamp, lock)
  return true
}

/**
 * The Node that runs the product: the installed Node 24, otherwise the running one if it is new enough.
 * @returns {string | undefined} path of the executable
 */
export function currentNode() {
  const installed = at('node_modules', 'node', 'bin', windows ? 'node.exe' : 'node')
  const version = existsSync(installed) && spawnSync(installed, ['--version'], { encoding: 'utf8' }).stdout
  if (version && isCurrent(version)) return installed
  return isCurrent(process.version) ? process.execPath : undefined
}

/** Whether a Node version such as "v22.18.0" runs TypeScript directly and the SQLite binding. */
export function isCurrent(version) {
  const [major = 0, minor = 0] = version.trim().replace(/^v/, '').split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 18)
}

/** The entry script of an installed package's command, to be run by currentNode(). */
export function command(name, packageName = name) {
  const folder = at('node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[name])
}

/** The environment in which "node" is the Node that runs the product. */
export function environment(extra = {}) {
  const separator = windows ? ';' : ':'
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...process.env, [key]: [at('node_modules', '.bin'), process.env[key]].join(separator), ...extra }
}

/** The path of Electron's executable, if electron/install.js has placed its binary. */
export function electronBinary() {
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? at('node_modules', 'electron', 'dist')
  const pointer = at('node_modules', 'electron', 'path.txt')
  const path = existsSync(pointer) ? join(dist, readFileSync(pointer, 'utf8')) : undefined
  return path && existsSync(path) ? path : undefined
}

/** Builds main, preload and renderer if the build is absent or older than a source. */
export function ensureBuilt() {
  const built = newest(at('out', 'renderer', 'index.html'))
  const sources = [
    'main',
    'renderer',
    'elements',
    'server',
    'resources',
    'electron.vite.config.ts',
    'package-lock.json',
  ]
  if (built && built >= Math.max(...sources.map((source) => newest(at(source))))) return true
  printLine('Building the studio (after each change, about half a minute).')
  const build = spawnSync(currentNode(), [command('electron-vite'), 'build', '--logLevel', 'warn'], {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 2, 2],
  })
  if (build.status !== 0) printLine('The studio could not be built. The message is above.')
  return build.status === 0
}

/** Writes a small note under node_modules/.cache, and creates the folder if necessary. */
export function writeNote(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function npm(args) {
  const own = process.env.npm_execpath
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  const run = own?.endsWith('.js')
    ? spawnSync(process.execPath, [own, ...args], options)
    : spawnSync('npm', args, { ...options, shell: windows })
  return run.status === 0
}

/** Time of the last change of a file, or of the newest file under a folder, in milliseconds; 0 if absent. */
function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  const times = readdirSync(path, { withFileTypes: true })
    // The package of the elements is built from its sources; the studio does not use it.
    .filter(({ name }) => name !== 'dist' && !name.endsWith('.test.ts'))
    .map((entry) => newest(join(path, entry.name)))
  return Math.max(0, ...times)
}

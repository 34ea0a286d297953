// "npm start": installs and builds what is missing, then opens the studio on the desktop or in the browser.
// Runs on plain Node 20, before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chooseStudio } from './choose-studio.mjs'
import {
  command,
  currentNode,
  electronBinary,
  ensureBuilt,
  ensureInstalled,
  environment,
  root,
  printLine,
  writeNote,
} from './setup.mjs'

const preferredPort = 4680
const downloadLimit = 180_000
const day = 24 * 60 * 60 * 1000
const failureNotePath = join(root, 'node_modules', '.cache', 'almanac', 'electron-download-failed')
const display = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)

if (!ensureInstalled() || !ensureBuilt()) process.exit(1)

let choice = chooseStudio(machine())
if (choice.studio === 'download') {
  downloadElectron()
  choice = chooseStudio({
    ...machine(),
    requestedStudio: requestedStudio() === 'browser' ? 'browser' : undefined,
  })
}
printLine(
  choice.studio === 'desktop'
    ? `Opening the studio on the desktop: ${choice.reason}.`
    : `Opening the studio in the browser: ${choice.reason}.`,
)
if (choice.studio === 'desktop') openDesktop()
else await serve()

function machine() {
  return {
    platform: process.platform,
    display,
    asRoot: process.getuid?.() === 0,
    binary: electronBinary() !== undefined,
    triedLately: hasRecentFailure(),
    requestedStudio: requestedStudio(),
  }
}

function requestedStudio() {
  if (process.argv.includes('--browser')) return 'browser'
  if (process.argv.includes('--desktop')) return 'desktop'
  return undefined
}

function hasRecentFailure() {
  try {
    return Date.now() - Number(readFileSync(failureNotePath, 'utf8')) < day
  } catch {
    return false
  }
}

function downloadElectron() {
  printLine(
    'Downloading Electron (once, about 120 MB, at most three minutes; "npm start -- --browser" skips it).',
  )
  const installer = command('install-electron', 'electron')
  const options = {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 2, 'pipe'],
    timeout: downloadLimit,
    encoding: 'utf8',
  }
  const run = spawnSync(currentNode(), [installer], options)
  if (run.status === 0 && electronBinary()) return
  const reason = run.error
    ? 'it took too long'
    : (run.stderr ?? '').split('\n').find((line) => line.trim()) || 'no reason given'
  printLine(`Electron could not be downloaded: ${reason.trim()}.`)
  writeNote(failureNotePath, String(Date.now()))
}

function openDesktop() {
  superviseChild(spawn(electronBinary(), [root], { cwd: root, stdio: 'inherit', env: environment() }))
}

/** Starts the server under Node 24 and shows its one-time link. */
async function serve() {
  const org = process.env.ALMANAC_ORG ?? join(dataFolder(), 'almanac', 'sample')
  const port = process.env.ALMANAC_PORT ?? String(await freePort())
  const args = [
    join(root, 'server', 'cli.ts'),
    'serve',
    '--studio',
    '--open',
    '--sample',
    '--org',
    org,
    '--port',
    port,
  ]
  const server = spawn(currentNode(), args, {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  superviseChild(server)
  createInterface({ input: server.stdout }).on('line', (line) => {
    const link = oneTimeLink(line)
    if (!link) return process.stdout.write(`${line}\n`)
    printLine(`The org is in ${org}. Stop the server with Ctrl+C.`)
    return process.stdout.write(`${link}\n`)
  })
}

/** The "open" link of the line that the server prints once it is ready; undefined for any other line. */
function oneTimeLink(line) {
  try {
    return JSON.parse(line).open
  } catch {
    return undefined
  }
}

function dataFolder() {
  if (process.platform === 'win32') return process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support')
  return process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share')
}

/** The usual port, or 0 (any) if it is in use. */
function freePort() {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(0))
    probe.listen(preferredPort, '127.0.0.1', () => probe.close(() => resolve(preferredPort)))
  })
}

/** Exits with the child, and ends the child with this process, even if npm is ended without passing the signal on. */
function superviseChild(child) {
  const starter = process.ppid
  setInterval(() => process.ppid !== starter && child.kill('SIGTERM'), 1000).unref()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    printLine(`The studio could not be started: ${error.message}.`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

// Finds a Chromium on this machine. Plain JavaScript without dependencies, because the test runner calls it before
// anything is installed.
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

/** Chromium without a window: about a tenth faster, so tests prefer it. */
const shell = 'chromium-headless-shell'
const commands = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge',
  'brave-browser',
  shell,
]

const bundles = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  '/snap/bin/chromium',
]

/**
 * Lists the executables that may be a Chromium: only ALMANAC_CHROMIUM if it is set, otherwise Playwright's own
 * download, then the user's.
 * @returns {string[]} paths, in order of preference; those without a window last
 */
export function listChromiums() {
  const named = process.env.ALMANAC_CHROMIUM
  const paths = named ? [named] : [playwrightsOwn(), ...onPath(), ...bundles]
  return paths.filter((path) => path && runnable(path))
}

/** @returns {string | undefined} the first of them */
export function findChromium() {
  return listChromiums()[0]
}

/** @returns {string[]} the same list for tests: those without a window first */
export function listTestChromiums() {
  const all = listChromiums()
  const isShell = (path) => path.endsWith(shell)
  return [...all.filter(isShell), ...all.filter((path) => !isShell(path))]
}

function playwrightsOwn() {
  try {
    return createRequire(import.meta.url)('playwright-core').chromium.executablePath()
  } catch {
    return undefined
  }
}

function onPath() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return commands.flatMap((command) => folders.map((folder) => join(folder, command)))
}

function runnable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

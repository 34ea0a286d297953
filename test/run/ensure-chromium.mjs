// A Chromium for the end-to-end tests: the person's own, else Playwright's download, else Debian's package.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { command, currentNode, environment, root, say } from '../../main/launch/ground.mjs'
import { findChromium } from '../support/chromium.mjs'

const fiveMinutes = 300_000

/** @returns {string | undefined} path of a Chromium that starts; undefined where none can be had, with the reason said */
export function ensureChromium() {
  return usable() ?? (download() && usable()) ?? (debianPackage() && usable()) ?? missing()
}

/** A Chromium may lie there and still lack its libraries; asking for its version shows it. */
function usable() {
  const path = findChromium()
  if (!path) return undefined
  const run = spawnSync(path, ['--version'], { timeout: 30_000, stdio: 'ignore' })
  return run.status === 0 ? path : undefined
}

function download() {
  say('No Chromium on this machine: Playwright downloads one.')
  return run(currentNode(), [command('playwright', '@playwright/test'), 'install', 'chromium'])
}

function debianPackage() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  say('Playwright could not download a Chromium that starts: installing the package of the distribution.')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  if (!run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], env)) {
    run('apt-get', ['update'], env)
    return run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], env)
  }
  return true
}

function missing() {
  say('The end-to-end tests need a Chromium, and none could be found or installed.')
  say('Install Chromium or Chrome, or name one: ALMANAC_CHROMIUM=/path/to/chromium npm test')
  return undefined
}

function run(program, args, extra = {}) {
  const options = { cwd: root, env: environment(extra), stdio: ['ignore', 2, 2], timeout: fiveMinutes }
  return spawnSync(program, args, options).status === 0
}

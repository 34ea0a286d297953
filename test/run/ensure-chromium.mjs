// A Chromium for the end-to-end tests: the user's own, otherwise Playwright's download, otherwise the distribution's
// package.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { command, currentNode, environment, root, printLine } from '../../main/launch/setup.mjs'
import { listTestChromiums } from '../support/chromium.mjs'

const fiveMinutes = 300_000

/**
 * @typedef {object} Machine what the search for a Chromium needs to know about the machine
 * @property {string | undefined} named the value of ALMANAC_CHROMIUM
 * @property {() => string[]} list executables that may be a Chromium, in order of preference
 * @property {(path: string) => boolean} starts whether it prints its version
 * @property {() => boolean} download whether Playwright could download one
 * @property {() => boolean} mayInstallPackages
 * @property {(args: string[]) => boolean} apt whether `apt-get` succeeded
 * @property {(line: string) => void} say
 */

/**
 * Tries each way in turn and returns the first Chromium that starts.
 * @param {Machine} [machine]
 * @returns {string | undefined} its path; undefined if none could be found or installed, after a message about what to
 * install
 */
export function ensureChromium(machine = thisMachine) {
  const usable = () => machine.list().find((path) => machine.starts(path))
  const found = usable()
  if (found) return found
  // A browser other than the named one would be a surprise.
  if (machine.named) {
    machine.say(`ALMANAC_CHROMIUM names ${machine.named}, which does not start. Correct it, or unset it.`)
    return undefined
  }
  for (const { attempt } of ways) {
    const path = attempt(machine) ? usable() : undefined
    if (path) return path
  }
  machine.say('The end-to-end tests need Chromium, and none could be found or installed.')
  machine.say(
    'Install Chromium or Chrome (on Debian and Ubuntu, as root: apt-get install chromium), or name one: ALMANAC_CHROMIUM=/path/to/chromium npm test',
  )
  return undefined
}

/** @type {{ name: string, attempt: (machine: Machine) => boolean }[]} */
const ways = [
  {
    name: "Playwright's download",
    attempt: (machine) => {
      machine.say('Chromium is not installed. Playwright downloads it.')
      return machine.download()
    },
  },
  {
    name: "the distribution's package",
    attempt: (machine) => {
      if (!machine.mayInstallPackages()) return false
      machine.say(
        "Playwright could not download a Chromium that starts. Installing the distribution's package.",
      )
      const install = (name) => machine.apt(['install', '-y', '--no-install-recommends', name])
      // Not every release has the smaller package.
      const either = () => install('chromium-headless-shell') || install('chromium')
      return either() || (machine.apt(['update']) && either())
    },
  },
]

/** @type {Machine} */
const thisMachine = {
  named: process.env.ALMANAC_CHROMIUM,
  list: listTestChromiums,
  // An executable may lack its libraries; printing its version shows that it starts.
  starts: (path) => spawnSync(path, ['--version'], { timeout: 30_000, stdio: 'ignore' }).status === 0,
  download: () => run(currentNode(), [command('playwright', '@playwright/test'), 'install', 'chromium']),
  mayInstallPackages: () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'),
  apt: (args) => run('apt-get', args, { DEBIAN_FRONTEND: 'noninteractive' }),
  say: printLine,
}

function run(program, args, extra = {}) {
  const options = { cwd: root, env: environment(extra), stdio: ['ignore', 2, 2], timeout: fiveMinutes }
  return spawnSync(program, args, options).status === 0
}

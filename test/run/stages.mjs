// The stages of "npm test", in order, as data: a name, what it runs, and how its outcome is counted.
import { command, electronBinary, ensureBuilt } from '../../main/launch/ground.mjs'
import { countCheck, countPlaywright, countVitest } from './count-reports.mjs'
import { ensureChromium } from './ensure-chromium.mjs'

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {(report: string) => string[]} args of Node: script and arguments; a JSON report goes to the given path
 * @property {(report: object | undefined, exitCode: number | null) => import('./count-reports.mjs').Count} count
 * @property {(report: string) => Record<string, string>} [env]
 * @property {() => string | undefined} [skip] the reason to leave the stage out
 * @property {() => boolean} [prepare] false where the stage cannot run, which is a failure
 */

/** @type {Stage[]} */
export const stages = [
  check('typecheck', () => [command('vue-tsc'), '-b']),
  check('lint', () => [command('eslint'), '.']),
  check('format', () => [command('prettier'), '--check', '--log-level', 'warn', '.']),
  check('depcruise', () => [
    command('depcruise', 'dependency-cruiser'),
    '--config',
    '.dependency-cruiser.mjs',
    '{server,main,renderer,elements}/**',
  ]),
  check('knip', () => [command('knip'), '--no-progress']),
  check('build', () => [command('electron-vite'), 'build', '--logLevel', 'warn']),
  {
    name: 'vitest',
    args: (report) => [
      command('vitest'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    count: countVitest,
  },
  {
    // By itself, because it measures what one request costs.
    name: 'resources',
    args: (report) => [
      command('vitest'),
      'run',
      '--project=resources',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    count: countVitest,
  },
  {
    ...playwright('e2e'),
    prepare: () => {
      if (!ensureBuilt()) return false
      const chromium = ensureChromium()
      // The tests use the one that was seen to start, which need not be the first that is found.
      if (chromium) process.env.ALMANAC_CHROMIUM = chromium
      return chromium !== undefined
    },
  },
  {
    ...playwright('electron-binary'),
    prepare: ensureBuilt,
    skip: () => (electronBinary() ? undefined : 'no Electron binary'),
  },
]

/** @returns {Stage} */
function check(name, args) {
  return { name, args, count: (_report, exitCode) => countCheck(exitCode) }
}

/** @returns {Stage} */
function playwright(project) {
  const script = () => command('playwright', '@playwright/test')
  return {
    name: project,
    args: () => [script(), 'test', '--project', project, '--reporter=line,json', '--pass-with-no-tests'],
    env: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: report }),
    count: countPlaywright,
  }
}

// The stages of "npm test", in order, as data: a name, what it runs, and how its outcome is counted.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, electronBinary, ensureBuilt, root } from '../../main/launch/setup.mjs'
import { countCheck, countPlaywright, countVitest } from './count-reports.mjs'
import { ensureChromium } from './ensure-chromium.mjs'
import { failuresOfPlaywright, failuresOfVitest } from './failures.mjs'
import { timesOfPlaywright, timesOfVitest } from './slowest.mjs'

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {true} [isCheck] a check of the whole checkout
 * @property {true} [isBundled] starts servers from the bundles
 * @property {string} [after] the earlier stage that has to be done first
 * @property {(report: string) => string[]} args of Node: script and arguments; a JSON report goes to the given path
 * @property {(report: object | undefined, exitCode: number | null) => import('./count-reports.mjs').Count} count
 * @property {(report: object | undefined) => import('./failures.mjs').Failure[]} [failures] the tests that failed
 * @property {(report: object | undefined) => import('./slowest.mjs').Taken[]} [times] how long its tests took
 * @property {string} [changed] the option that runs only the tests for uncommitted files; a stage without one is then
 * omitted
 * @property {(report: string) => Record<string, string>} [env]
 * @property {() => string | undefined} [skip] the reason to skip the stage
 * @property {() => string | undefined} [prepare] the reason if the stage cannot run, which is one failure
 */

/** Vitest projects whose tests start processes and wait for them. */
const processSuites = ['cli', 'conformance', 'crash', 'electron', 'faults', 'security']

/** Contains components, which only vue-tsc can read. */
const studioProject = './tsconfig.renderer.json'

/**
 * Two of them run at a time: the build, then the longest first. Each waits for processes, disks or clocks at times, so that together
 * they keep the cores busy; a request's cost is measured as the processor time of one thread, which the other stage
 * does not affect.
 *
 * @type {Stage[]}
 */
export const stages = [
  check('build', () => [command('electron-vite'), 'build', '--logLevel', 'warn']),
  vitest('resources', '--project=resources'),
  {
    ...playwright('e2e'),
    after: 'build',
    prepare: () => {
      const unbuilt = prepareBuild()
      if (unbuilt) return unbuilt
      const chromium = ensureChromium()
      // The tests use the Chromium that could be started, which need not be the first one found.
      if (chromium) process.env.ALMANAC_CHROMIUM = chromium
      return chromium ? undefined : 'not run: Chromium is not installed, see above for what to install'
    },
  },
  {
    ...vitest('processes', '--maxWorkers=1', ...processSuites.map((name) => `--project=${name}`)),
    changed: '--changed',
  },
  { ...vitest('vitest', ...processSuites.map((name) => `--project=!${name}`)), changed: '--changed' },
  check('typecheck', () => [
    command('tsc', 'typescript-native'),
    '-b',
    // More threads take more processor time.
    '--singleThreaded',
    ...projects().filter((project) => project !== studioProject),
  ]),
  check('typecheck-studio', () => [command('vue-tsc'), '-b', studioProject]),
  check('lint', () => [command('oxlint'), '--type-aware', '--threads=1']),
  check('lint-studio', () => [command('eslint'), '.']),
  check('format', () => [command('prettier'), '--check', '--log-level', 'warn', '.']),
  check('spelling', () => [command('cspell'), 'lint', '--no-progress', '--no-summary']),
  check('depcruise', () => [
    command('depcruise', 'dependency-cruiser'),
    '--config',
    '.dependency-cruiser.mjs',
    '{server,main,renderer,elements}/**',
  ]),
  check('knip', () => [command('knip'), '--no-progress']),
  {
    ...playwright('electron-binary'),
    after: 'build',
    prepare: prepareBuild,
    skip: () => (electronBinary() ? undefined : 'no Electron binary'),
  },
]

/** The projects that tsconfig.json lists. */
function projects() {
  const text = readFileSync(join(root, 'tsconfig.json'), 'utf8')
  return [...text.matchAll(/"path": "(.*)"/g)].map(([, path]) => path)
}

/** @returns {string | undefined} the reason if the studio could not be built */
function prepareBuild() {
  return ensureBuilt() ? undefined : 'not run: the studio could not be built'
}

/** @returns {Stage} */
function check(name, args) {
  return { name, isCheck: true, args, count: (_report, exitCode) => countCheck(exitCode) }
}

/** @returns {Stage} */
function vitest(name, ...options) {
  return {
    name,
    isBundled: true,
    args: (report) => [
      command('vitest'),
      'run',
      ...options,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    count: countVitest,
    failures: failuresOfVitest,
    times: timesOfVitest,
  }
}

/** @returns {Stage} */
function playwright(project) {
  const script = () => command('playwright', '@playwright/test')
  return {
    name: project,
    isBundled: true,
    changed: '--only-changed',
    args: () => [script(), 'test', '--project', project, '--reporter=list,json', '--pass-with-no-tests'],
    env: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: report }),
    count: countPlaywright,
    failures: failuresOfPlaywright,
    times: timesOfPlaywright,
  }
}

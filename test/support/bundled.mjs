// Where the bundles of the server are. Apart from what builds them, so that a test does not load Vite to start a
// process.
import { join } from 'node:path'

/** @typedef {'vitest' | 'playwright'} Runner each has its own bundle, so that both can be started at the same time */

/** @type {readonly Runner[]} */
export const runners = ['vitest', 'playwright']

/**
 * Within `node_modules`, because Playwright compiles every other file that a test imports; as deep in the checkout as
 * the commands, which find the root relative to themselves.
 *
 * @param {Runner} runner
 */
export const bundleFolder = (runner) =>
  join(import.meta.dirname, '..', '..', 'out', 'node_modules', `almanac-for-${runner}`)

/**
 * The path of an entry.
 *
 * @param {Runner} runner
 */
export const bundled = (runner, entry) => join(bundleFolder(runner), `${entry}.js`)

/**
 * The environment variable that is set once the bundle of a run is written.
 *
 * @param {Runner} runner
 */
export const bundledFlag = (runner) => `ALMANAC_BUNDLED_FOR_${runner.toUpperCase()}`

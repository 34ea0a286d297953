// Where the bundle of the server is. Apart from what builds it, so that a test does not load Vite to start a process.
import { join } from 'node:path'

/**
 * Within `node_modules`, because Playwright compiles every other file that a test imports.
 *
 * @param {'vitest' | 'playwright'} runner selects a folder as deep in the checkout as the commands, which find the root
 * relative to themselves
 */
export const bundleFolder = (runner) =>
  join(import.meta.dirname, '..', '..', 'out', 'node_modules', `almanac-for-${runner}`)

/** The path of an entry. */
export const bundled = (runner, entry) => join(bundleFolder(runner), `${entry}.js`)

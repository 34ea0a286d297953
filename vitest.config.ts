// Test suites as projects: unit tests are beside the file that they test, the others in test/, grouped by what they need.
import vue from '@vitejs/plugin-vue'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import './test/support/compiled-once.mjs'
import { bundledThreads, cheapPasswords } from './test/support/server-bundle.mjs'

const minute = 60_000
/** For files that stub no module and leave no global behind: one process imports the sources for all of them. */
const shared = { isolate: false }

export default defineConfig({
  plugins: [vue(), bundledThreads('vitest')],
  test: {
    // Long enough for a busy machine.
    expect: { poll: { timeout: 20_000 } },
    globalSetup: 'test/support/bundle-for-vitest.mjs',
    // At any time, about half of the workers wait for a process, a disk or a clock.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{server,main,renderer,elements}/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          ...shared,
        },
      },
      suite('spec', minute, shared),
      suite('http', minute, shared),
      suite('cli', 2 * minute, shared),
      suite('house', 2 * minute, shared),
      suite('electron', minute),
      suite('security', 2 * minute, shared),
      suite('review', minute, shared),
      suite('storage', 2 * minute, shared),
      suite('records', 2 * minute, shared),
      suite('conformance', 2 * minute),
      suite('crash', 10 * minute, shared),
      suite('faults', 2 * minute, shared),
      // Measures, so it runs only if it is named: `vitest run --project=resources`, a stage of `npm test`.
      ...(process.argv.includes('--project=resources') ? [suite('resources', 15 * minute)] : []),
    ],
  },
})

/** One folder under test/ as a project, with the time that one of its tests may take, in milliseconds. */
function suite(name: string, testTimeout: number, { isolate = true } = {}) {
  return {
    extends: true as const,
    plugins: [cheapPasswords()],
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`],
      testTimeout,
      hookTimeout: testTimeout,
      isolate,
    },
  }
}

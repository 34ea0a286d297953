// Electron's entry: hands the real Electron, time and folders to the desktop.
import { join, resolve } from 'node:path'
import * as electron from 'electron'
import { startDesktop } from './desktop.ts'

// Built as out/main/index.js.
const root = resolve(import.meta.dirname, '../..')

// Not awaited: Electron is ready only after its entry module has been loaded.
startDesktop(
  electron,
  {
    now: () => performance.now(),
    after: (milliseconds, run) => {
      const timeout = setTimeout(run, milliseconds)
      return () => clearTimeout(timeout)
    },
  },
  {
    root,
    preload: join(import.meta.dirname, '../preload/preload.cjs'),
    serverProcess: join(import.meta.dirname, 'server-process.js'),
    org: process.env['ALMANAC_ORG'] ?? join(electron.app.getPath('userData'), 'sample'),
  },
).catch((error: unknown) => {
  electron.dialog.showErrorBox('Almanac could not start', String(error))
  electron.app.exit(1)
})

// Electron's entry: passes the real Electron, time, folders and arguments to the desktop.
import { join, resolve } from 'node:path'
import * as electron from 'electron'
import { parseArguments } from './decisions/start-arguments.ts'
import { startDesktop } from './desktop.ts'

const { app } = electron
// Built as out/main/index.js.
const root = resolve(import.meta.dirname, '../..')
const options = parseArguments(process.argv.slice(app.isPackaged ? 1 : 2), process.cwd())
/** As "npm start" reads it: a separate org instead of the sample. */
const own = process.env['ALMANAC_ORG'] ? resolve(process.env['ALMANAC_ORG']) : null

// In a checkout, the link would open Electron without the application.
if (app.isPackaged) app.setAsDefaultProtocolClient('almanac')

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
    sample: own ?? join(app.getPath('userData'), 'sample'),
    platform: process.platform,
  },
  { ...options, org: options.org ?? own },
).catch((error: unknown) => {
  electron.dialog.showErrorBox('Almanac could not start', String(error))
  app.exit(1)
})

// Opens the studio in a browser on this machine, if it has one.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { writeStudioPage } from './studio-page.ts'

export interface BrowserLaunch {
  /** Whether a browser was started; it can still fail to show the page. */
  started: boolean
  /** Removes the file; call it when the link has been used and when the server stops. */
  cleanUp(): void
}

const nothing: BrowserLaunch = { started: false, cleanUp: () => undefined }

export function openStudio(link: string): BrowserLaunch {
  const program = browserOpener()
  if (program === null) return nothing
  // On Windows a user cannot read the arguments of the programs of other users, and a file might open in an editor.
  if (process.platform === 'win32') {
    start('rundll32', ['url.dll,FileProtocolHandler', link])
    return { ...nothing, started: true }
  }
  const page = writeStudioPage(link)
  if (page === null) return nothing
  start(program, [page.path])
  return { started: true, cleanUp: page.remove }
}

/** Returns the program that opens a file in the browser; null if the machine has no such program or no screen. */
function browserOpener(): string | null {
  if (process.platform === 'win32') return 'rundll32'
  if (process.platform === 'darwin') return 'open'
  const screen = Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'])
  return screen && isOnPath('xdg-open') ? 'xdg-open' : null
}

function start(program: string, args: readonly string[]): void {
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

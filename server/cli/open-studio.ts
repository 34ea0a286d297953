// Opens the studio in the browser of this machine, if there is one.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { writeStudioPage } from './studio-page.ts'

export interface Opened {
  /** Whether a browser was started; it may still not be able to show the page. */
  started: boolean
  /** To be called when the link has been used and when the server stops. */
  cleanUp(): void
}

const nothing: Opened = { started: false, cleanUp: () => undefined }

export function openStudio(link: string): Opened {
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

/** The program that opens a file in the browser; null if the machine has none or no screen. */
function browserOpener(): string | null {
  if (process.platform === 'win32') return 'rundll32'
  if (process.platform === 'darwin') return 'open'
  const screen = Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'])
  return screen && onPath('xdg-open') ? 'xdg-open' : null
}

function start(program: string, args: readonly string[]): void {
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

function onPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

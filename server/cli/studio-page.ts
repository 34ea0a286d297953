// Writes the page that redirects a browser to the one-time link. Other users of the machine can read the arguments of a
// browser, so those name this file, which only its owner can read, and not the link.
import { chmodSync, lstatSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export interface StudioPage {
  path: string
  remove(): void
}

/** In the home folder and not hidden: a sandboxed browser, such as a snap, reads neither /tmp nor hidden folders. */
const folderName = 'almanac-studio'
const writableByOthers = 0o022

/** @returns null if no folder can hold a file that only its owner can change */
export function writeStudioPage(link: string, home = homedir()): StudioPage | null {
  const folder = join(home, folderName)
  const path = join(folder, `open-${process.pid}.html`)
  const remove = (): void => {
    try {
      rmSync(path, { force: true })
      rmdirSync(folder)
    } catch {
      // A second server has its own page in the folder.
    }
  }
  try {
    makePrivate(folder)
    rmSync(path, { force: true })
    writeFileSync(path, pageOf(link), { mode: 0o600, flag: 'wx' })
    return { path, remove }
  } catch {
    return null
  }
}

/** @throws if the folder cannot be created, or if other users can change what is in it */
function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stats = lstatSync(folder)
  if (!stats.isDirectory() || stats.uid !== process.getuid?.())
    throw new Error(`${folder} is not a folder owned by the current user`)
  if ((stats.mode & writableByOthers) !== 0) throw new Error(`${folder} can be changed by others`)
  // The folder was left behind by an earlier start that was killed.
  chmodSync(folder, 0o700)
}

function pageOf(link: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="referrer" content="no-referrer">
    <meta http-equiv="refresh" content="0; url=${link}">
    <title>Opening Almanac</title>
  </head>
  <body>
    <p>Opening the studio. If nothing happens, <a href="${link}">open it here</a>. The link works once.</p>
  </body>
</html>
`
}

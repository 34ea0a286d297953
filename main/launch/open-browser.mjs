// Opens a link in the person's browser, where there is one.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * @param {string} link
 * @param {boolean} display whether there is a screen
 * @returns {boolean} false where the machine has no way to open a browser
 */
export function openBrowser(link, display) {
  const [program, ...args] = opener(link)
  if (process.platform === 'linux' && (!display || !onPath(program))) return false
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
  return true
}

function opener(link) {
  if (process.platform === 'darwin') return ['open', link]
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', link]
  return ['xdg-open', link]
}

function onPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

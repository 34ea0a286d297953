// The keys of the commands: how this platform displays them, and which command a key press runs.
import { type Command, commands } from './commands.ts'

const mac = /mac/i.test(navigator.platform)

/** Keys as this machine writes them. */
export function keysText(keys: string): string {
  return keys
    .replace('Mod', mac ? 'Cmd' : 'Ctrl')
    .replace('Page', 'Page ')
    .replaceAll('+', ' ')
}

/** The command of a key press; undefined if the key press means something else. */
export function commandOf(event: KeyboardEvent): Command | undefined {
  const typing = takesText(event)
  return commands.find(({ keys }) => {
    if (keys === undefined) return false
    if (keys === '?') return !typing && event.key === '?'
    const parts = keys.split('+')
    const last = parts.at(-1) ?? ''
    const modifier = mac ? event.metaKey : event.ctrlKey
    // With Alt, a Mac types a different character.
    const letter =
      event.code === `Digit${last}` ||
      event.code === `Key${last}` ||
      (last === '\\' && event.code === 'Backslash') ||
      event.key.toLowerCase() === last.toLowerCase()
    return (
      letter &&
      modifier === parts.includes('Mod') &&
      event.shiftKey === parts.includes('Shift') &&
      event.altKey === parts.includes('Alt')
    )
  })
}

/** Whether a field or a cell types the character. A field inside a custom element counts too. */
function takesText(event: KeyboardEvent): boolean {
  const [target] = event.composedPath()
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('.monaco-editor, [role="grid"]:not([aria-readonly="true"])') !== null
  )
}

// The commands of the studio: one list for the palette, the keys and the desktop's menu.
import type { MenuCommand } from '../../main/ipc-map.ts'
import type { IconName } from './icons.ts'

export interface Command {
  /** The same words as in the native menu where it has the command too. */
  id: MenuCommand | 'keep' | 'go-results' | 'go-generations' | 'go-audit' | 'theme'
  label: string
  icon: IconName
  /** As shown; `Mod` is Ctrl, or Cmd on a Mac. */
  keys?: string
}

export const commands: readonly Command[] = [
  { id: 'command-palette', label: 'Command palette', icon: 'search', keys: 'Mod+K' },
  { id: 'keep', label: 'Check and keep drafts now', icon: 'check', keys: 'Mod+S' },
  { id: 'review-changes', label: 'Review changes', icon: 'review', keys: 'Mod+Shift+R' },
  { id: 'apply', label: 'Apply changes', icon: 'deploy', keys: 'Mod+Shift+Enter' },
  { id: 'new-draft', label: 'New component', icon: 'plus', keys: 'Alt+N' },
  { id: 'find', label: 'Filter the explorer', icon: 'filter', keys: 'Mod+Shift+F' },
  { id: 'go-explorer', label: 'Go to Explorer', icon: 'tree', keys: 'Alt+1' },
  { id: 'go-changes', label: 'Go to Changes', icon: 'review', keys: 'Alt+2' },
  { id: 'go-playground', label: 'Go to Playground', icon: 'play', keys: 'Alt+3' },
  { id: 'go-results', label: 'Go to Results', icon: 'sigma', keys: 'Alt+4' },
  { id: 'go-generations', label: 'Go to Generations', icon: 'clock', keys: 'Alt+5' },
  { id: 'go-audit', label: 'Go to Audit', icon: 'audit', keys: 'Alt+6' },
  { id: 'theme', label: 'Light or dark', icon: 'theme' },
  { id: 'shortcuts', label: 'Keyboard shortcuts', icon: 'keyboard', keys: '?' },
]

const mac = /mac/i.test(navigator.platform)

/** Keys as this machine writes them. */
export function keysText(keys: string): string {
  return keys.replace('Mod', mac ? 'Cmd' : 'Ctrl').replaceAll('+', ' ')
}

/** The command that a key press asks for; undefined where it means something else. */
export function commandOf(event: KeyboardEvent): Command | undefined {
  const target = event.target
  const typing =
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.closest('.monaco-editor') !== null)
  return commands.find(({ keys }) => {
    if (keys === undefined) return false
    if (keys === '?') return !typing && event.key === '?'
    const parts = keys.split('+')
    const last = parts.at(-1) ?? ''
    const modifier = mac ? event.metaKey : event.ctrlKey
    const letter = event.code === `Digit${last}` || event.key.toLowerCase() === last.toLowerCase()
    return (
      letter &&
      modifier === parts.includes('Mod') &&
      event.shiftKey === parts.includes('Shift') &&
      event.altKey === parts.includes('Alt')
    )
  })
}

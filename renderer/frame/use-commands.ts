// Carries commands out, from keys, the palette and the desktop's menu.
import { onMounted, onUnmounted } from 'vue'
import { useRouter } from 'vue-router'
import { messageOf } from '../api/request.ts'
import { useDocuments } from '../stores/documents.ts'
import { useTheme } from '../stores/theme.ts'
import { useUi } from '../stores/ui.ts'
import { commandOf, type Command } from './commands.ts'

/** The function that carries a command out. */
export function useCommands(): (id: Command['id']) => void {
  const router = useRouter()
  const ui = useUi()
  const theme = useTheme()
  const documents = useDocuments()

  const keep = (): Promise<void> =>
    documents.keepAll().then(
      () => ui.say('Everything typed is kept.'),
      (error: unknown) => ui.say(messageOf(error)),
    )
  const go = (path: string) => (): unknown => router.push(path)
  const toApply = async (): Promise<void> => {
    await router.push('/changes')
    window.setTimeout(() => document.getElementById('apply')?.focus(), 300)
  }

  const does: Record<Command['id'], () => unknown> = {
    'command-palette': () => (ui.palette = true),
    keep,
    'review-changes': go('/changes'),
    apply: toApply,
    'new-draft': () => (ui.newComponent = true),
    find: () => document.getElementById('explorer-filter')?.focus(),
    'go-explorer': go('/'),
    'go-changes': go('/changes'),
    'go-playground': go('/playground'),
    'go-results': go('/results'),
    'go-generations': go('/generations'),
    'go-audit': go('/audit'),
    theme: () => theme.change(),
    shortcuts: () => (ui.shortcuts = true),
  }
  return (id) => void does[id]()
}

/** Listens to the keys and to the desktop's menu while the studio is shown. */
export function useShortcuts(run: (id: Command['id']) => void): void {
  const heard = (event: KeyboardEvent): void => {
    const command = commandOf(event)
    if (command === undefined) return
    event.preventDefault()
    run(command.id)
  }
  let stop: (() => void) | undefined
  onMounted(() => {
    // Before the text editor, which would take some keys for itself.
    window.addEventListener('keydown', heard, true)
    stop = window.almanac?.onMenuCommand(run)
  })
  onUnmounted(() => {
    window.removeEventListener('keydown', heard, true)
    stop?.()
  })
}

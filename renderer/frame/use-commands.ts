// Runs commands from the keys, the palette and the desktop's menu.
import { onMounted, onUnmounted } from 'vue'
import { useRouter } from 'vue-router'
import { messageOf } from '../api/request.ts'
import { useDock } from '../stores/dock.ts'
import { useDocuments } from '../stores/documents.ts'
import { useOrg } from '../stores/org.ts'
import { usePanes } from '../stores/panes.ts'
import { useTabs } from '../stores/tabs.ts'
import { useTheme } from '../stores/theme.ts'
import { useUi } from '../stores/ui.ts'
import { commandOf } from './command-keys.ts'
import type { CommandId } from './commands.ts'
import { focusWhenReady } from './focus-when-ready.ts'
import { navigation, pathFor, type PageName } from './navigation.ts'

/** Returns the function that runs a command. */
export function useCommands(): (id: CommandId) => void {
  const router = useRouter()
  const org = useOrg()
  const ui = useUi()
  const theme = useTheme()
  const documents = useDocuments()
  const panes = usePanes()
  const tabs = useTabs()
  const dock = useDock()

  const keep = (): Promise<void> => {
    const form = formToSave(tabs.focused)
    if (form !== null) form.requestSubmit()
    return saveDrafts(form === null)
  }
  const saveDrafts = (isReported: boolean): Promise<void> =>
    documents.saveAll().then(
      () => {
        if (isReported) ui.notify('All drafts saved.')
      },
      (error: unknown) => ui.notify(messageOf(error)),
    )
  const toApply = async (): Promise<void> => {
    await router.push('/changes')
    focusWhenReady('apply')
  }

  const toSearch = async (): Promise<void> => {
    // The last search stays in the field and is selected, so that typing replaces it; the page does this as it opens.
    if (router.currentRoute.value.path !== '/search') return void (await router.push('/search'))
    const box = document.getElementById('search-q') as HTMLInputElement | null
    box?.focus()
    box?.select()
  }
  const toFilter = async (): Promise<void> => {
    if (document.getElementById('explorer-filter') === null) await router.push('/')
    focusWhenReady('explorer-filter')
  }

  const goes = Object.fromEntries(
    navigation.map((page) => [`go-${page.name}`, () => router.push(pathFor(page, org.can))]),
  ) as Record<`go-${PageName}`, () => unknown>
  const does: Record<CommandId, () => unknown> = {
    ...goes,
    'command-palette': () => (ui.palette = true),
    keep,
    'review-changes': goes['go-changes'],
    apply: toApply,
    'new-draft': () => (ui.newComponent = !org.readOnly),
    find: toSearch,
    'filter-explorer': toFilter,
    split: () => panes.toggle(),
    'other-side': () => panes.focus(tabs.other).then(() => focusSide(tabs.focused)),
    'tab-over': () => panes.moveOver(),
    'next-tab': () => panes.step(1),
    'previous-tab': () => panes.step(-1),
    'tab-right': () => panes.shift(1),
    'tab-left': () => panes.shift(-1),
    'close-tab': () => panes.closeFront(),
    'reopen-tab': () => panes.reopen(),
    dock: () => dock.setOpen(!dock.open),
    theme: () => theme.change(),
    shortcuts: () => (ui.shortcuts = true),
  }
  return (id) => void does[id]()
}

/** The form with unsaved values that the user is in, or else the one on the side; null if none. */
function formToSave(side: number): HTMLFormElement | null {
  const form = 'form[data-save]'
  return (
    document.activeElement?.closest<HTMLFormElement>(form) ??
    document.querySelectorAll('.pane')[side]?.querySelector<HTMLFormElement>(form) ??
    null
  )
}

/** Moves the focus to the page of a side. */
function focusSide(side: number): void {
  document.querySelectorAll<HTMLElement>('.pane')[side]?.querySelector<HTMLElement>('.tab.on a')?.focus()
}

/** Listens to the keys while the studio is shown. */
export function useShortcuts(run: (id: CommandId) => void): void {
  const handleKey = (event: KeyboardEvent): void => {
    const command = commandOf(event)
    if (command === undefined) return
    event.preventDefault()
    run(command.id)
  }
  // Before the text editor, which handles some of these keys itself.
  onMounted(() => window.addEventListener('keydown', handleKey, true))
  onUnmounted(() => window.removeEventListener('keydown', handleKey, true))
}

// The studio in the desktop's window: runs the commands of the native menu, follows links, and reports what the menu
// can offer. Does nothing in a browser.
import { onMounted, onUnmounted, watch } from 'vue'
import { useRouter } from 'vue-router'
import type { CommandId } from './commands.ts'
import { useUnavailableCommands } from './use-unavailable-commands.ts'

export function useDesktop(run: (id: CommandId) => void): void {
  const desktop = window.almanac
  if (desktop === undefined) return
  const router = useRouter()
  const unavailable = useUnavailableCommands()
  const stops: (() => void)[] = []
  onMounted(() => {
    stops.push(
      desktop.on('menu/command', run),
      desktop.on('studio/go', (address) => void router.push(address)),
    )
  })
  onUnmounted(() => stops.forEach((stop) => stop()))
  watch(
    unavailable,
    // If the desktop does not respond, the menu offers too many commands, which does no harm.
    (reasons) =>
      void desktop.call('menu/unavailable', { commands: [...reasons.keys()] }).catch(() => undefined),
    { immediate: true },
  )
}

// The studio in the desktop's window: it carries out the native menu's commands, goes where a link leads, and says
// what the menu can offer. In a browser there is no desktop, and nothing happens.
import { onMounted, onUnmounted, watch } from 'vue'
import { useRouter } from 'vue-router'
import type { CommandId } from './commands.ts'
import { useUnavailable } from './use-unavailable.ts'

export function useDesktop(run: (id: CommandId) => void): void {
  const desktop = window.almanac
  if (desktop === undefined) return
  const router = useRouter()
  const unavailable = useUnavailable()
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
    // Where the desktop does not answer, the menu offers more than it could, which harms nobody.
    (reasons) =>
      void desktop.call('menu/unavailable', { commands: [...reasons.keys()] }).catch(() => undefined),
    { immediate: true },
  )
}

// The dock at the bottom: its panel, its height, whether it is open. In a low window, it is closed at first.
import { defineStore } from 'pinia'
import { computed, ref } from 'vue'

export const dockPanels = ['problems', 'output', 'events', 'uploads'] as const
export type DockPanel = (typeof dockPanels)[number]

export const minDockHeight = 60
export const maxDockHeight = 640
const usual = 104
const low = '(max-height: 780px)'

export const useDock = defineStore('dock', () => {
  const panel = ref<DockPanel>('problems')
  const height = ref(usual)
  const prefersOpen = ref(true)
  const short = window.matchMedia(low)
  const isShort = ref(short.matches)
  /** Whether it was opened in a low window; not remembered beyond the window, because the page needs the room. */
  const prefersOpenLow = ref(false)
  short.addEventListener('change', ({ matches }) => (isShort.value = matches))
  const open = computed(() => (isShort.value ? prefersOpenLow.value : prefersOpen.value))

  function setOpen(to: boolean): void {
    if (isShort.value) prefersOpenLow.value = to
    else prefersOpen.value = to
  }
  function show(name: DockPanel): void {
    panel.value = name
    setOpen(true)
  }
  const resize = (to: number): unknown =>
    (height.value = Math.round(Math.min(Math.max(to, minDockHeight), maxDockHeight)))

  return { panel, height, prefersOpen, open, setOpen, show, resize }
})

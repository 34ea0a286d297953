// How a component is edited: its form alone, form and JSON side by side, or its JSON alone. Each user's own choice; the
// form alone by default.
import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import { useOrg } from './org.ts'

export const editorLayouts = ['form', 'both', 'json'] as const
export type EditorLayout = (typeof editorLayouts)[number]

export const useEditorLayout = defineStore('editor-layout', () => {
  const org = useOrg()
  const chosen = ref<Record<string, EditorLayout>>({})
  const user = computed(() => org.org?.me.key ?? '')
  const place = (): string => `almanac.layout.${encodeURIComponent(user.value)}`
  const readLayout = (): EditorLayout | undefined =>
    editorLayouts.find((name) => name === localStorage.getItem(place()))
  const layout = computed<EditorLayout>(() => chosen.value[user.value] ?? readLayout() ?? 'form')

  function choose(name: EditorLayout): void {
    chosen.value = { ...chosen.value, [user.value]: name }
    localStorage.setItem(place(), name)
  }
  return { layout, choose }
})

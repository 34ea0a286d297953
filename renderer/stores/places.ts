// Where the user was in each component: the cursor of its text, the scroll positions of text and form.
import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { EditorState } from '../api/workspace.ts'

export const maxPlaces = 100
const start = { line: 1, column: 1, text: 0, form: 0, typing: false }

export const usePlaces = defineStore('places', () => {
  /** The latest first. */
  const places = ref<EditorState[]>([])
  const of = (path: string): EditorState | undefined => places.value.find((place) => place.path === path)

  function note(path: string, part: Partial<Omit<EditorState, 'path'>>): void {
    const place = { ...start, ...of(path), ...part, path }
    places.value = [place, ...places.value.filter((each) => each.path !== path)].slice(0, maxPlaces)
  }
  return { places, of, note }
})

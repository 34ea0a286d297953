// The first tasks of a new author. Their row disappears once all are done, or once the user hides it.
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'

const place = 'almanac.first-tasks'

export const firstTasks = [
  { name: 'change', label: 'Change a rate', path: '/search?q=rate' },
  { name: 'review', label: 'Review a change', path: '/changes' },
  { name: 'explain', label: 'Explain a value', path: '/playground' },
] as const

type TaskName = (typeof firstTasks)[number]['name']

interface StoredTasks {
  done: TaskName[]
  hidden: boolean
}

export const useFirstTasks = defineStore('first-tasks', () => {
  const stored = read()
  const done = ref(new Set<TaskName>(stored.done))
  const hidden = ref(stored.hidden)
  const visible = computed(() => !hidden.value && done.value.size < firstTasks.length)
  watch([done, hidden], () =>
    localStorage.setItem(place, JSON.stringify({ done: [...done.value], hidden: hidden.value })),
  )
  const finish = (name: TaskName): void => {
    if (!done.value.has(name)) done.value = new Set([...done.value, name])
  }

  /** The review and explain tasks are done once their pages have been visited. */
  function visit(path: string): void {
    if (path.startsWith('/changes')) finish('review')
    if (path.startsWith('/playground')) finish('explain')
  }
  return { done, hidden, visible, finish, visit }
})

function read(): StoredTasks {
  try {
    const { done = [], hidden = false } = JSON.parse(
      localStorage.getItem(place) ?? '{}',
    ) as Partial<StoredTasks>
    const names = firstTasks.map(({ name }) => name)
    return { done: names.filter((name) => done.includes(name)), hidden }
  } catch {
    return { done: [], hidden: false }
  }
}
